"""Operators that stand between their arguments, as in `a < b`."""

from __future__ import annotations

from collections.abc import Iterable

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.term_rewrites import changes


@edit_kind(
    "infix",
    order=410,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (x > 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert x + 2*y == 3 && x != y)\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (and (= (+ x (* 2 y)) 3) (distinct x y)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (1 <= x <= 5))\n(assert (or (= x 1) (x > 3)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (<= 1 x 5))\n(assert (or (= x 1) (> x 3)))\n(check-sat)\n",
        ),
    ),
)
def infix(draft: ProgramDraft) -> Iterable[RepairChange]:
    """Write the operator first."""
    return changes(draft, "infix")
