"""The question that the settings of an engine ask a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.errors import HarnessError
from sft.datasets.levels import Level
from sft.judges.local import trained_form
from sft.judges.solution_form import SolutionForm

if TYPE_CHECKING:
    from sft.verifier.engine_registry import EngineSettings


def asked_form(settings: EngineSettings) -> SolutionForm:
    """Return the question of the adapter's level, else of `--level`, else for the whole answer, with an explanation or without.

    Raises:
        HarnessError: there is no such level, the adapter was trained on no level of solutions, or `--level` names another one.
    """
    if settings.adapter is None:
        return SolutionForm.of(settings.level or (Level.MAX if settings.explain else Level.WHERE), settings.labels)
    trained = trained_form(settings.adapter)
    if not isinstance(trained, SolutionForm):
        raise HarnessError(f"the adapter {settings.adapter} was trained to judge problems, not solutions")
    if settings.level and settings.level != trained.level:
        raise HarnessError(
            f"--level {settings.level}: the adapter {settings.adapter} was trained on level {trained.level}"
        )
    return trained
