"""The suite of constraint problems: valid, satisfiable, unique, entails and repaired; one test per claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.plugin import require
from properties.plugin import KEYS, stage_run

if TYPE_CHECKING:
    from harness.domain import Verdict

pytestmark = pytest.mark.smt


@pytest.fixture
def verdict(request: pytest.FixtureRequest, constraint: str) -> Verdict:
    """Return the verdict on one problem of the claim that the test is named after; what its record does not say is no claim."""
    from harness.smtlib.constraint_problem import NOTHING_SAID  # sessions of other stages do not import it
    from properties.stages.smt import SmtRun  # as above

    run = stage_run(request.config, "smt")
    assert isinstance(run, SmtRun)
    problem_id, _ = request.config.stash[KEYS]["constraint"][constraint]
    found = run.judge(request.function.__name__.removeprefix("test_"), problem_id)
    if found.method == NOTHING_SAID:
        pytest.skip(f"{found.method}: {found.reason}")
    return found


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
