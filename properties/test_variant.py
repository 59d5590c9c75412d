"""The suite of problem variants: each one has a certificate; one test per problem and operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.plugin import require
from properties.plugin import KEYS, stage_run

if TYPE_CHECKING:
    from harness.domain import Verdict

pytestmark = pytest.mark.variant


@pytest.fixture
def verdict(request: pytest.FixtureRequest, variant: str) -> Verdict:
    """Return the verdict on one operator's records for one problem; where there are none, there is no claim to test."""
    from properties.engine.operator_run import NO_PLACE, UNFIT  # sessions of other stages do not import it
    from properties.stages.variant import VariantRun  # as above

    run = stage_run(request.config, "variant")
    assert isinstance(run, VariantRun)
    found = run.judge(*request.config.stash[KEYS]["variant"][variant])
    if found.method in {NO_PLACE, UNFIT}:
        pytest.skip(f"{found.method}: {found.reason}")
    return found


def test_variant(verdict: Verdict) -> None:
    """Each variant is proved to be of the class its label names."""
    require(verdict)
