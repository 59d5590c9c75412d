"""Operators of other languages in place of the operators of SMT-LIB2."""

from __future__ import annotations

from collections.abc import Iterable

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.term_rewrites import changes


@edit_kind(
    "operator_spelling",
    order=400,
    examples=(
        RepairExample(
            "(declare-const a Bool)\n(assert (&& a (! a)))\n(check-sat)\n",
            "(declare-const a Bool)\n(assert (and a (not a)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (!= x 3))\n(assert (== x 4))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (distinct x 3))\n(assert (= x 4))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert (AllDifferent x y 3))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (distinct x y 3))\n(check-sat)\n",
        ),
    ),
)
def operator_spelling(draft: ProgramDraft) -> Iterable[RepairChange]:
    """Write the operators SMT-LIB2 has."""
    return changes(draft, "operator_spelling")
