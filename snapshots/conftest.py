"""The layout of the snapshots, one text file for each test item, and the fixture that compares a text with its snapshot."""

import difflib

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from harness.command_line.runnable_commands import runnable

MOST_LINES = 40


class TextFiles(SingleFileSnapshotExtension):
    """Text files `__snapshots__/SUITE/ITEM.txt`."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"


@pytest.fixture
def mismatch(text: str, snapshot: SnapshotAssertion) -> str | None:
    """Return how a text differs from its snapshot, `None` if it does not or an update has written it."""
    if snapshot == text:
        return None
    (result,) = snapshot.executions.values()
    if result.exception is not None:
        raise result.exception
    before = str(result.recalled_data or "").split("\n")
    difference = list(difflib.unified_diff(before, text.split("\n"), "reviewed", "now", n=2, lineterm=""))
    head = "differs from its snapshot" if before != [""] else "has no snapshot yet"
    cut = [f"… and {len(difference) - MOST_LINES} more lines"] if len(difference) > MOST_LINES else []
    advice = f"accept the change if it is intended: {runnable('make snapshots')}, then read the git diff"
    return "\n".join([head, *difference[:MOST_LINES], *cut, advice])
