"""The fixtures of the snapshot suites: subject, expected text, mismatch, and left-over files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from snapshots.plugin import SUBJECTS
from snapshots.review.differences import change_message, expected_text, left_over_message
from snapshots.snapshot_files import kind_of_suite, left_over_files
from snapshots.texts.subjects import NoDataError, subjects

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from snapshots.texts.subjects import Subject


@pytest.fixture
def subject(request: pytest.FixtureRequest) -> Subject:
    """Return what the snapshot is of."""
    return request.config.stash[SUBJECTS][request.param]


@pytest.fixture
def expected(subject: Subject) -> str:
    """Return what the snapshot should say."""
    try:
        return expected_text(subject)
    except NoDataError as absent:
        pytest.skip(str(absent))


@pytest.fixture
def folder(snapshot: SnapshotAssertion) -> Path:
    """Return where the suite's snapshots stand."""
    return Path(snapshot.extension.dirname(test_location=snapshot.test_location))


@pytest.fixture
def mismatch(subject: Subject, expected: str, snapshot: SnapshotAssertion, folder: Path) -> str | None:
    """Return how the snapshot differs from what it should say; one that an update wrote does not."""
    if snapshot(name=subject.name) == expected:
        return None
    (result,) = snapshot.executions.values()
    if result.exception is not None:
        raise result.exception
    recalled = None if result.recalled_data is None else str(result.recalled_data)
    return change_message(subject.kind.path_of(folder.parent, subject.name), recalled, expected)


@pytest.fixture
def left_over(folder: Path, pytestconfig: pytest.Config) -> str | None:
    """Return which snapshots are of nothing; those that an update removes are gone."""
    kind = kind_of_suite(folder.name)
    found = left_over_files(kind, folder.parent, (subject.name for subject in subjects([kind])))
    if pytestconfig.option.update_snapshots and not pytestconfig.option.no_cleanup:
        for path in found:
            path.unlink()
        return None
    return left_over_message(kind, found) if found else None
