"""The suite of trace snapshots: the traces of worked solutions are those that people reviewed.

One item is one problem, whose snapshot is one file. `make snapshots` shows what changed and updates what is accepted.
"""

from __future__ import annotations

import pytest

from harness.plugin import Finding

pytestmark = pytest.mark.trace


def test_trace(mismatch: str | None) -> None:
    """The problem's trace, expressions, values, edges and rendered lines are those of its snapshot."""
    if mismatch is not None:
        raise Finding(mismatch)


def test_every_snapshot_is_of_a_problem(left_over: str | None) -> None:
    """No snapshot is left over from a problem that the suite no longer has."""
    if left_over is not None:
        raise Finding(left_over)
