"""The suite of labelled solutions: the label of each record is right; one test per record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.plugin import require
from properties.plugin import KEYS, stage_run

if TYPE_CHECKING:
    from harness.domain import Verdict

pytestmark = pytest.mark.label


@pytest.fixture
def verdict(request: pytest.FixtureRequest, label: str) -> Verdict:
    """Return the verdict on one label."""
    from properties.stages.label import LabelRun  # sessions of other stages do not import it

    run = stage_run(request.config, "label")
    assert isinstance(run, LabelRun)
    problem_id, name, _ = request.config.stash[KEYS]["label"][label]
    return run.judge(problem_id, name)


def test_label(verdict: Verdict) -> None:
    """The error is where the label says, and nowhere else; the text after it is consistent, and the answer follows."""
    require(verdict)
