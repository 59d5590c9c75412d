"""Names that are declared more than once, where the later declaration repeats the earlier one."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import AmbiguousError, ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup

_WHOLE = frozenset({"declare-datatype", "declare-datatypes", "define-fun", "define-const"})
"""Declarations that say the same as another only where all of them does."""


@edit_kind(
    "duplicate_declaration",
    order=510,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(declare-fun x () Int)\n(assert (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const x Bool)\n(assert (> x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const x Bool)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-datatype Color ((red) (green)))\n(declare-datatype Color ((red) (green)))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
            "(declare-datatype Color ((red) (green)))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-datatype Color ((red) (green)))\n(declare-const red Color)\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
            "(declare-datatype Color ((red) (green)))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
        ),
    ),
)
def duplicate_declaration(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Leave out a declaration that only says again what an earlier one says."""
    clash = ""
    again: dict[int, NodeGroup] = {}
    for fault, name in draft.faulty(Atom, ScriptFaultKind.DUPLICATE):
        path = draft.path(fault.at.offset)
        if path and path[0].head in _WHOLE and _is_said_before(draft, path[0]):
            again[path[0].at.offset] = path[0]
        if len(path) != 1 or path[0].head not in {"declare-const", "declare-fun", "declare-sort"}:
            continue
        if _repeats(draft, path[0], name):
            yield RepairChange(path[0].at.offset, draft.line_end(path[0]), "")
        else:
            clash = clash or name.name
    for command in again.values():
        yield RepairChange(command.at.offset, draft.line_end(command), "")
    if clash:
        raise AmbiguousError(f"{clash} is declared in two ways")


def _is_said_before(draft: ProgramDraft, command: NodeGroup) -> bool:
    """Tell whether an earlier command is the same, term by term."""
    return any(other == command for other in draft.script.commands if other.at.offset < command.at.offset)


def _repeats(draft: ProgramDraft, command: NodeGroup, name: Atom) -> bool:
    """Tell whether a declaration of a name says the same as the one before it."""
    if command.head == "declare-sort":
        return name.name in draft.script.scope.sorts
    known = draft.script.scope.symbols.get(name.name)
    sorts = command.items[2] if command.head == "declare-fun" and len(command.items) == 4 else NodeGroup(())
    if known is None or not isinstance(sorts, NodeGroup):
        return False
    written = tuple(item.name if isinstance(item, Atom) else "" for item in sorts.items)
    own = command.items[-1]
    alias = draft.script.scope.aliases
    return known.sorts == written and isinstance(own, Atom) and known.sort == alias.get(own.name, own.name)
