"""Applications that are written as Python calls, as in `And(a, b)`."""

from __future__ import annotations

from collections.abc import Iterable

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.term_rewrites import changes


@edit_kind(
    "python_call",
    order=405,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert Or(x == 1, And(y > 2, Not(x < y))))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (or (= x 1) (and (> y 2) (not (< x y)))))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-fun f (Int) Int)\n(assert (= f(2) 3))\n(check-sat)\n",
            "(declare-fun f (Int) Int)\n(assert (= (f 2) 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert (Distinct [x, y]))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (distinct x y))\n(check-sat)\n",
        ),
    ),
)
def python_call(draft: ProgramDraft) -> Iterable[RepairChange]:
    """Write the function inside the parentheses."""
    return changes(draft, "python_call")
