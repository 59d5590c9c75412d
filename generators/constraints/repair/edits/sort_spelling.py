"""Sorts that are spelt as in other languages, or that are used without a declaration."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.sort_names import sort_name
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind
from harness.smtlib.symbols import OTHER_SORTS

if TYPE_CHECKING:
    from collections.abc import Iterator


@edit_kind(
    "sort_spelling",
    order=310,
    examples=(
        RepairExample(
            "(declare-const x int)\n(declare-fun p (integer) boolean)\n(assert (p x))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-fun p (Int) Bool)\n(assert (p x))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const ann Person)\n(declare-fun likes (Person Person) Bool)\n(assert (likes ann ann))\n(check-sat)\n",
            "(declare-sort Person 0)\n(declare-const ann Person)\n(declare-fun likes (Person Person) Bool)\n(assert (likes ann ann))\n(check-sat)\n",
        ),
    ),
)
def sort_spelling(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the sort there is; a capitalised name that is used as a sort and is none is declared as one."""
    new: dict[str, Atom] = {}
    for fault in draft.faults(ScriptFaultKind.UNKNOWN_SORT, ScriptFaultKind.UNSUPPORTED):
        node = draft.node(fault.at.offset)
        if not isinstance(node, Atom) or node.kind is not AtomKind.SYMBOL or not fault.expected.startswith("Bool, Int"):
            continue
        known = sort_name(draft, node.text)
        if known is not None:
            yield RepairChange(node.at.offset, node.end, known)
        elif (
            re.fullmatch(r"[A-Z]\w*", node.text)
            and node.text not in OTHER_SORTS
            and node.text not in draft.script.scope.symbols
        ):
            new.setdefault(node.text, node)
    for name, node in new.items():
        command = draft.path(node.at.offset)[0]
        yield RepairChange(command.at.offset, command.at.offset, f"(declare-sort {name} 0)\n")
