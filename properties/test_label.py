"""The suite of solutions: the label of each labelled one is right, and each other one is right; one test per record."""

import pytest

from harness.domain import Verdict
from properties.suites import require

pytestmark = pytest.mark.label


def test_solution(verdict: Verdict) -> None:
    """The solution is right: its program equals the oracle, or its answer is the oracle's and nothing that is read is false."""
    require(verdict)


def test_label(verdict: Verdict) -> None:
    """The error is where the label says, and nowhere else; the text after it is consistent, and the answer follows."""
    require(verdict)
