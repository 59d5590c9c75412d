"""The suite of templates: answer, structure, provenance, graph and lines; one test per claim."""

import pytest

from harness.domain import Verdict
from properties.suites import require

pytestmark = pytest.mark.template


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
