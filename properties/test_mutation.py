"""The suite of flawed solutions: each one has a certificate; one test per problem and operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.plugin import require
from properties.plugin import KEYS, stage_run

if TYPE_CHECKING:
    from harness.domain import Verdict

pytestmark = pytest.mark.mutation


@pytest.fixture
def verdict(request: pytest.FixtureRequest, mutation: str) -> Verdict:
    """Return the verdict on one operator's records for one problem; where there are none, there is no claim to test."""
    from properties.engine.operator_run import NO_PLACE, UNFIT  # sessions of other stages do not import it
    from properties.stages.mutation import MutationRun  # as above

    run = stage_run(request.config, "mutation")
    assert isinstance(run, MutationRun)
    found = run.judge(*request.config.stash[KEYS]["mutation"][mutation])
    if found.method in {NO_PLACE, UNFIT}:
        pytest.skip(f"{found.method}: {found.reason}")
    return found


def test_mutation(verdict: Verdict) -> None:
    """Each flawed solution is proved to have the one error its label names."""
    require(verdict)
