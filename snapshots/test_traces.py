"""Do the traces of worked solutions still say what people reviewed?

One item is one problem, whose snapshot is one file. `make snapshots` shows what changed and updates what is accepted.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness.plugin import Finding
from snapshots.files import path_of, stale
from snapshots.plugin import SUBJECTS
from snapshots.review import finding, stale_finding
from snapshots.subjects import NoDataError, subjects

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from snapshots.subjects import Subject

pytestmark = pytest.mark.trace


@pytest.fixture
def subject(request: pytest.FixtureRequest) -> Subject:
    """Return what the snapshot is of."""
    return request.config.stash[SUBJECTS][request.param]


@pytest.fixture
def worked(subject: Subject) -> str:
    """Return what the snapshot should say."""
    from snapshots.traces import (
        snapshot_text,
    )  # sessions of other suites collect this module, too, and do not pay for it

    try:
        return snapshot_text(subject)
    except NoDataError as absent:
        pytest.skip(str(absent))


@pytest.fixture
def folder(snapshot: SnapshotAssertion) -> Path:
    """Return where the snapshots stand."""
    return Path(snapshot.extension.dirname(test_location=snapshot.test_location))


@pytest.fixture
def left_over(folder: Path, pytestconfig: pytest.Config) -> list[Path]:
    """Return the snapshots of no problem; those that an update removes are gone."""
    found = stale(folder, (subject.problem_id for subject in subjects()))
    if pytestconfig.option.update_snapshots and not pytestconfig.option.no_cleanup:
        for path in found:
            path.unlink()
        return []
    return found


def test_trace(subject: Subject, worked: str, snapshot: SnapshotAssertion, folder: Path) -> None:
    """The problem's trace, expressions, values, edges and rendered lines are what its snapshot says."""
    if snapshot(name=subject.problem_id) == worked:
        return
    (result,) = snapshot.executions.values()
    if result.exception is not None:
        raise result.exception
    recalled = None if result.recalled_data is None else str(result.recalled_data)
    raise Finding(finding(path_of(folder, subject.problem_id), recalled, worked))


def test_every_snapshot_is_of_a_problem(left_over: list[Path]) -> None:
    """No snapshot is left over from a problem that the suite no longer has."""
    if left_over:
        raise Finding(stale_finding(left_over))
