"""The suite of formalizations: gold answer (UT-1), aligned inputs (UT-2) and equivalence (UT-3).

One item is one claim. A verdict is kept in the run's folder before its item passes or fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.plugin import require
from properties.plugin import KEYS, stage_run

if TYPE_CHECKING:
    from harness.domain import Verdict
    from properties.stages.formalization import FormalizationRun

pytestmark = pytest.mark.formalization


def _run(config: pytest.Config) -> FormalizationRun:
    from properties.stages.formalization import FormalizationRun  # sessions of other stages do not import it

    run = stage_run(config, "formalization")
    assert isinstance(run, FormalizationRun)
    return run


@pytest.fixture
def screening(formalization: str, pytestconfig: pytest.Config) -> Verdict:
    """Return the UT-1 verdict of one formalization."""
    problem_id, model = pytestconfig.stash[KEYS]["formalization"][formalization]
    return _run(pytestconfig).screening(problem_id, model)


@pytest.fixture
def alignment(pair: str, pytestconfig: pytest.Config) -> Verdict:
    """Return the UT-2 verdict of one pair."""
    problem_id, left, right = pytestconfig.stash[KEYS]["pair"][pair]
    return _run(pytestconfig).alignment(problem_id, left, right)


@pytest.fixture
def equivalence(pair: str, pytestconfig: pytest.Config) -> Verdict:
    """Return the UT-3 verdict of one pair."""
    problem_id, left, right = pytestconfig.stash[KEYS]["pair"][pair]
    return _run(pytestconfig).equivalence(problem_id, left, right)


@pytest.fixture
def classes(crowd: str, pytestconfig: pytest.Config) -> Verdict:
    """Return the verdict on the classes of a problem with too many pairs."""
    (problem_id,) = pytestconfig.stash[KEYS]["crowd"][crowd]
    return _run(pytestconfig).classes(problem_id)


@pytest.mark.ut1
def test_ut1(screening: Verdict) -> None:
    """The formalization, evaluated exactly at its defaults, gives the gold answer."""
    require(screening)


@pytest.mark.ut2
def test_ut2(alignment: Verdict) -> None:
    """The inputs of both formalizations mean the same quantities, one to one."""
    require(alignment)


@pytest.mark.ut3
def test_ut3(equivalence: Verdict) -> None:
    """Both formalizations compute the same for all inputs the problem allows."""
    require(equivalence)


@pytest.mark.classes
def test_classes(classes: Verdict) -> None:
    """All formalizations of a problem with too many pairs are one class: equal to its representative by UT-2 and UT-3."""
    require(classes)
