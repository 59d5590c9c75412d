"""The suite of constraint problems: valid, satisfiable, unique, entails and repaired; one test per claim."""

import pytest

from harness.domain import Verdict
from properties.suites import require

pytestmark = pytest.mark.smt


def test_valid(verdict: Verdict) -> None:
    """The program is read by both solvers, which answer alike."""
    require(verdict)


def test_satisfiable(verdict: Verdict) -> None:
    """The program can be satisfied, or cannot, as the problem is said to be."""
    require(verdict)


def test_unique(verdict: Verdict) -> None:
    """There is one answer and no second, as is said."""
    require(verdict)


def test_entails(verdict: Verdict) -> None:
    """The answer is the gold answer, whatever else is chosen."""
    require(verdict)


def test_repaired(verdict: Verdict) -> None:
    """Broken in one to three ways and repaired, the program says what it said before, or says that it may not."""
    require(verdict)
