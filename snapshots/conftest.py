"""Fixtures of the snapshot suites: the subject, its expected text, the mismatch, and files without a subject."""

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
    """Return the subject of the snapshot."""
    return request.config.stash[SUBJECTS][request.param]


@pytest.fixture
def expected(subject: Subject) -> str:
    """Return the text that the snapshot should hold."""
    try:
        return expected_text(subject)
    except NoDataError as absent:
        pytest.skip(str(absent))


@pytest.fixture
def folder(snapshot: SnapshotAssertion) -> Path:
    """Return the folder of the suite's snapshots."""
    return Path(snapshot.extension.dirname(test_location=snapshot.test_location))


@pytest.fixture
def mismatch(subject: Subject, expected: str, snapshot: SnapshotAssertion, folder: Path) -> str | None:
    """Return how the snapshot differs from its expected text, `None` if it does not or an update has written it."""
    if snapshot(name=subject.name) == expected:
        return None
    (result,) = snapshot.executions.values()
    if result.exception is not None:
        raise result.exception
    recalled = None if result.recalled_data is None else str(result.recalled_data)
    return change_message(subject.kind.path_of(folder.parent, subject.name), recalled, expected)


@pytest.fixture
def left_over(folder: Path, pytestconfig: pytest.Config) -> str | None:
    """Return a message on the files without a subject, `None` if there are none; an update removes them."""
    kind = kind_of_suite(folder.name)
    paths = left_over_files(kind, folder.parent, (subject.name for subject in subjects([kind])))
    if pytestconfig.option.update_snapshots and not pytestconfig.option.no_cleanup:
        for path in paths:
            path.unlink()
        return None
    return left_over_message(kind, paths) if paths else None
