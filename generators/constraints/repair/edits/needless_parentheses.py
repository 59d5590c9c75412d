"""Parentheses around a single term, which SMT-LIB2 would read as an application."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.term_rewrites import changes
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup
from harness.smtlib.symbols import FUNCTIONS


@edit_kind(
    "needless_parentheses",
    order=415,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(declare-const p Bool)\n(assert (=> (p) ((> (x) (3)))))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const p Bool)\n(assert (=> p (> x 3)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const p Bool)\n(assert ((_ or) p ((_ not) p)))\n(check-sat)\n",
            "(declare-const p Bool)\n(assert (or p (not p)))\n(check-sat)\n",
        ),
    ),
)
def needless_parentheses(draft: ProgramDraft) -> Iterable[RepairChange]:
    """Leave out parentheses around a constant, a number or a whole term, and those of an index that is not there."""
    yield from _without_index(draft)
    yield from changes(draft, "needless_parentheses")


def _without_index(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Yield the function of `(_ and)`."""
    for _, group in draft.faulty(NodeGroup, ScriptFaultKind.MALFORMED_TERM):
        match group.items:
            case (Atom(text="_"), Atom(text=name)) if name in FUNCTIONS:
                yield replacement(group, name)
