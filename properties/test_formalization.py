"""The suite of formalizations: gold answer (UT-1), aligned inputs (UT-2) and equivalence (UT-3).

One item is one claim. A verdict is kept in the run's folder before its item passes or fails.
"""

import pytest

from harness.domain import Verdict
from properties.suites import require

pytestmark = pytest.mark.formalization


@pytest.mark.ut1
def test_ut1(verdict: Verdict) -> None:
    """The formalization, evaluated exactly at its defaults, gives the gold answer."""
    require(verdict)


@pytest.mark.ut2
def test_ut2(verdict: Verdict) -> None:
    """The inputs of both formalizations mean the same quantities, one to one."""
    require(verdict)


@pytest.mark.ut3
def test_ut3(verdict: Verdict) -> None:
    """Both formalizations compute the same for all inputs the problem allows."""
    require(verdict)


@pytest.mark.classes
def test_classes(verdict: Verdict) -> None:
    """All formalizations of a problem with too many pairs are one class: equal to its representative by UT-2 and UT-3."""
    require(verdict)
