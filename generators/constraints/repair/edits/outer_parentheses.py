"""Parentheses around a whole program."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.commands import ALLOWED, REFUSED
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup


@edit_kind(
    "outer_parentheses",
    order=111,
    examples=(
        RepairExample(
            "(\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n)\n",
            "\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n\n",
        ),
        RepairExample(
            "(begin\n(declare-const x Int)\n(assert (> x 3))\n(check-sat))\n",
            "\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
    ),
)
def outer_parentheses(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Leave out the parenthesis in which all commands stand, and a word after it; the closing one is surplus then."""
    first = draft.nodes[0] if draft.nodes else None
    if not isinstance(first, NodeGroup) or len(first.items) > 1 or first.head in ALLOWED | REFUSED:
        return
    if all(fault.at.offset != first.at.offset for fault in draft.faults(ScriptFaultKind.UNCLOSED)):
        return
    if all(isinstance(item, Atom) for item in first.items):
        yield RepairChange(first.at.offset, first.items[0].end if first.items else first.at.offset + 1, "")
