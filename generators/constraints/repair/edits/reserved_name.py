"""Declared names that are reserved words or functions of SMT-LIB2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.name_usage import free_name, occurrences
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom
from harness.smtlib.symbols import FUNCTIONS, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator


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
    done: set[str] = set()
    for fault in draft.faults(ScriptFaultKind.RESERVED_NAME):
        node = draft.node(fault.at.offset)
        if isinstance(node, Atom) and node.name not in FUNCTIONS.keys() | WORDS | done | {"true", "false", "ite"}:
            done.add(node.name)
            after = free_name(draft, f"{node.name}_2")
            yield from (RepairChange(atom.at.offset, atom.end, after) for atom in occurrences(draft, node.name))
