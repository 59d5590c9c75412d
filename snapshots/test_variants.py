"""The suite of variant snapshots: the problem variants of each operator read as people reviewed them.

One item is one operator, whose snapshot is one file: a fixed sample of what it makes of the bundled problems, each
variant with its near-twin. `make snapshots` shows what changed and updates what is accepted.
"""

from __future__ import annotations

import pytest

from harness.plugin import Finding

pytestmark = pytest.mark.variant


def test_variants(mismatch: str | None) -> None:
    """The operator's variants, their classes, reasons and what is proved of them are what its snapshot says."""
    if mismatch is not None:
        raise Finding(mismatch)


def test_every_snapshot_is_of_a_variant_operator(left_over: str | None) -> None:
    """No snapshot is left over from an operator that is no longer registered."""
    if left_over is not None:
        raise Finding(left_over)
