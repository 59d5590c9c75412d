"""The claims about each template: answer, structure, provenance, graph, lines; one test each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.plugin import require
from properties.plugin import KEYS, stage_run
from properties.template import TemplateRun

if TYPE_CHECKING:
    from harness.domain import Verdict

pytestmark = pytest.mark.template


def _judged(config: pytest.Config, claim: str, template: str) -> Verdict:
    run = stage_run(config, "template")
    assert isinstance(run, TemplateRun)
    problem_id, model = config.stash[KEYS]["template"][template]
    return run.judge(claim, problem_id, model)


@pytest.fixture
def answer(template: str, pytestconfig: pytest.Config) -> Verdict:
    """Return the verdict on the answer of one template."""
    return _judged(pytestconfig, "answer", template)


@pytest.fixture
def structure(template: str, pytestconfig: pytest.Config) -> Verdict:
    """Return the verdict on the structure of one template."""
    return _judged(pytestconfig, "structure", template)


@pytest.fixture
def provenance(template: str, pytestconfig: pytest.Config) -> Verdict:
    """Return the verdict on the provenance of one template."""
    return _judged(pytestconfig, "provenance", template)


@pytest.fixture
def graph(template: str, pytestconfig: pytest.Config) -> Verdict:
    """Return the verdict on the graph of one template."""
    return _judged(pytestconfig, "graph", template)


@pytest.fixture
def lines(template: str, pytestconfig: pytest.Config) -> Verdict:
    """Return the verdict on the lines of one template."""
    return _judged(pytestconfig, "lines", template)


def test_answer(answer: Verdict) -> None:
    """The template, evaluated exactly, gives the gold answer."""
    require(answer)


def test_structure(structure: Verdict) -> None:
    """Every step, with the values of the trace, gives back its line of the solution."""
    require(structure)


def test_provenance(provenance: Verdict) -> None:
    """Each question input is a number of the question; each world-knowledge input is not, or is a known constant."""
    require(provenance)


def test_graph(graph: Verdict) -> None:
    """Every input is used, and no variable depends on itself."""
    require(graph)


def test_lines(lines: Verdict) -> None:
    """Inputs are declared on the line that first uses them, and each line has one output, the one its step names."""
    require(lines)
