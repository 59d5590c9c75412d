"""The engine of a language model on this machine: asked what its adapter was trained on, or without one for the whole answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sft.judges.local import LocalJudge, opened_model
from sft.verifier.asked_form import asked_form
from sft.verifier.engine_registry import engine

if TYPE_CHECKING:
    from sft.samples.solution_judgement import Engine
    from sft.verifier.engine_registry import EngineSettings


@engine("model", any_script=True)
def open_model(settings: EngineSettings) -> Engine:
    """Return the engine; errors as in `asked_form` and `opened_model`."""
    form = asked_form(settings)
    return LocalJudge(opened_model(settings.preset, settings.adapter, settings.device), form, "model")
