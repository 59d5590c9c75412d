"""Declared names that are reserved words or functions of SMT-LIB2."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_usage import free_name, occurrences
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom
from harness.smtlib.symbols import FUNCTIONS, WORDS


@edit_kind(
    "reserved_name",
    order=500,
    examples=(
        RepairExample(
            "(declare-const bag Int)\n(declare-const store Int)\n(assert (> bag store))\n(check-sat)\n",
            "(declare-const bag_2 Int)\n(declare-const store_2 Int)\n(assert (> bag_2 store_2))\n(check-sat)\n",
        ),
    ),
)
def reserved_name(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Give it another name wherever it stands, unless it is also used as what SMT-LIB2 means by it."""
    names = dict.fromkeys(atom.name for _, atom in draft.faulty(Atom, ScriptFaultKind.RESERVED_NAME))
    for name in names:
        if name not in FUNCTIONS.keys() | WORDS | {"true", "false", "ite"}:
            after = free_name(draft, f"{name}_2")
            yield from (replacement(atom, after) for atom in occurrences(draft, name))
