"""The suite of templates: answer, structure, provenance, graph and lines; one test per claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.plugin import require
from properties.plugin import KEYS, stage_run

if TYPE_CHECKING:
    from harness.domain import Verdict

pytestmark = pytest.mark.template


@pytest.fixture
def verdict(request: pytest.FixtureRequest, template: str) -> Verdict:
    """Return the verdict on one template of the claim that the test is named after."""
    from properties.stages.template import TemplateRun  # sessions of other stages do not import it

    run = stage_run(request.config, "template")
    assert isinstance(run, TemplateRun)
    problem_id, model = request.config.stash[KEYS]["template"][template]
    return run.judge(request.function.__name__.removeprefix("test_"), problem_id, model)


def test_answer(verdict: Verdict) -> None:
    """The template, evaluated exactly, gives the gold answer."""
    require(verdict)


def test_structure(verdict: Verdict) -> None:
    """Every step, with the values of the trace, gives back its line of the solution."""
    require(verdict)


def test_provenance(verdict: Verdict) -> None:
    """Each question input is a number of the question; each world-knowledge input is not, or is a known constant."""
    require(verdict)


def test_graph(verdict: Verdict) -> None:
    """Every input is used, and no variable depends on itself."""
    require(verdict)


def test_lines(verdict: Verdict) -> None:
    """Inputs are declared on the line that first uses them, and each line has one output, the one its step names."""
    require(verdict)
