"""The suite of mutation snapshots: the flawed solutions of each operator are those that people reviewed.

One item is one operator, whose snapshot is one file: a fixed sample of its flawed solutions of the bundled problems. `make
snapshots` shows what changed and updates what is accepted.
"""

from __future__ import annotations

import pytest

from harness.plugin import Finding

pytestmark = pytest.mark.mutation


def test_mutations(mismatch: str | None) -> None:
    """The operator's flawed solutions, their labels, values, reasons and certificates are those of its snapshot."""
    if mismatch is not None:
        raise Finding(mismatch)


def test_every_snapshot_is_of_an_operator(left_over: str | None) -> None:
    """No snapshot is left over from an operator that is no longer registered."""
    if left_over is not None:
        raise Finding(left_over)
