"""Conversions of other languages to numbers, as in `(int p)` and `(bool2int p)`."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_usage import sorts_of
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.symbols import BOOL, INT

_CONVERSIONS = frozenset(
    {"int", "bool2int", "bool-to-int", "bool_to_int", "booltoint", "b2i", "toint", "btoi", "to-int"}
)


@edit_kind(
    "conversion",
    order=605,
    examples=(
        RepairExample(
            "(declare-const p Bool)\n(declare-const x Int)\n(assert (= (+ (int p) (int x)) (int 3)))\n(check-sat)\n",
            "(declare-const p Bool)\n(declare-const x Int)\n(assert (= (+ (ite p 1 0) x) 3))\n(check-sat)\n",
        ),
    ),
)
def conversion(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write 1 or 0 for a formula, and a whole number as it is."""
    for fault in draft.faults(ScriptFaultKind.UNDECLARED):
        path = draft.path(fault.at.offset)
        group = path[-1] if path else None
        if group is None or group.head.lower() not in _CONVERSIONS or len(group.items) != 2:
            continue
        source, sorts = draft.source(group.items[1]), sorts_of(draft, group.arguments)
        if sorts == [BOOL]:
            yield replacement(group, f"(ite {source} 1 0)")
        elif sorts == [INT]:
            yield replacement(group, source)
