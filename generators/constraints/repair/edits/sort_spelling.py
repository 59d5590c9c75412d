"""Sorts that are spelt as in other languages, or that are used without a declaration."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import (
    ProgramDraft,
    RepairChange,
    RepairExample,
    edit_kind,
    insertion,
    replacement,
)
from generators.constraints.repair.syntax.sort_names import sort_name
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind
from harness.smtlib.symbols import OTHER_SORTS

_DITTO = frozenset({"ditto", "idem", "do", "〃", "″", '""', "''", "same", "id"})
_BOUNDED = ("nat", "unsigned", "uint", "pos")


@edit_kind(
    "sort_spelling",
    order=310,
    examples=(
        RepairExample(
            "(declare-const x int)\n(declare-fun p (integer) boolean)\n(assert (p x))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-fun p (Int) Bool)\n(assert (p x))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Nat)\n(assert (< x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (< x 3))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const ann Person)\n(declare-fun likes (Person Person) Bool)\n(assert (likes ann ann))\n(check-sat)\n",
            "(declare-sort Person 0)\n(declare-const ann Person)\n(declare-fun likes (Person Person) Bool)\n(assert (likes ann ann))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y ditto)\n(assert (< x y))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (< x y))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const x :Int)\n(assert (< x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (< x 3))\n(check-sat)\n",
        ),
    ),
)
def sort_spelling(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the sort there is; a capitalised name that is used as a sort and is none is declared as one."""
    new: dict[str, Atom] = {}
    yield from _dittos(draft)
    for fault, name in draft.faulty(Atom, ScriptFaultKind.UNKNOWN_SORT, ScriptFaultKind.UNSUPPORTED):
        if name.kind not in {AtomKind.SYMBOL, AtomKind.KEYWORD, AtomKind.ODD} or not fault.expected.startswith(
            "Bool, Int"
        ):
            continue
        known = sort_name(draft, name.text.removeprefix(":"))
        if known is not None:
            bounded = name.text.lower().startswith(_BOUNDED)
            note = f"{name.text} may be without negative numbers" if bounded else ""
            yield replacement(name, known, certain=not note, note=note)
        elif re.fullmatch(r"[A-Z]\w*", name.text) and name.text not in OTHER_SORTS | draft.script.scope.symbols.keys():
            new.setdefault(name.text, name)
    for sort, name in new.items():
        yield insertion(draft.path(name.at.offset)[0].at.offset, f"(declare-sort {sort} 0)\n")


def _dittos(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Yield the sort of the declaration before for `ditto` and its signs."""
    before: str | None = None
    for command in draft.script.commands:
        last = command.items[-1] if command.head == "declare-const" and len(command.items) == 3 else None
        if not isinstance(last, Atom):
            before = None
        elif last.text.lower().strip(".") in _DITTO and before is not None:
            yield replacement(last, before, certain=False, note=f"{last.text} may say something else")
        else:
            before = sort_name(draft, last.text)
