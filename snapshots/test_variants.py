"""The suite of variant snapshots: the problem variants of each operator are those that people reviewed.

One item is one operator, whose snapshot is one file: a fixed sample of its variants of the bundled problems, each
variant with its near-twin. `make snapshots` shows what changed and updates what is accepted.
"""

from __future__ import annotations

import pytest

from harness.plugin import Finding

pytestmark = pytest.mark.variant


def test_variants(mismatch: str | None) -> None:
    """The operator's variants, their classes, reasons and proofs are those of its snapshot."""
    if mismatch is not None:
        raise Finding(mismatch)


def test_every_snapshot_is_of_a_variant_operator(left_over: str | None) -> None:
    """No snapshot is left over from an operator that is no longer registered."""
    if left_over is not None:
        raise Finding(left_over)
