"""Parentheses around a single term, which SMT-LIB2 would read as an application."""

from __future__ import annotations

from collections.abc import Iterable

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.term_rewrites import changes


@edit_kind(
    "needless_parentheses",
    order=415,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(declare-const p Bool)\n(assert (=> (p) ((> (x) (3)))))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const p Bool)\n(assert (=> p (> x 3)))\n(check-sat)\n",
        ),
    ),
)
def needless_parentheses(draft: ProgramDraft) -> Iterable[RepairChange]:
    """Leave out parentheses around a constant, a number or a whole term."""
    return changes(draft, "needless_parentheses")
