"""Enumerations that are declared in the syntax of old or other versions of SMT-LIB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, NodeGroup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.smtlib.s_expressions import Node


@edit_kind(
    "datatype_shape",
    order=290,
    examples=(
        RepairExample(
            "(declare-datatypes () ((Color red green blue)))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
            "(declare-datatype Color ((red) (green) (blue)))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-datatype Color (red green))\n(declare-datatypes ((Size 0)) ((small large)))\n(declare-const c Color)\n(declare-const s Size)\n(assert (= (= c red) (= s small)))\n(check-sat)\n",
            "(declare-datatype Color ((red) (green)))\n(declare-datatypes ((Size 0)) (((small) (large))))\n(declare-const c Color)\n(declare-const s Size)\n(assert (= (= c red) (= s small)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-sort Color (red green))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
            "(declare-datatype Color ((red) (green)))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
        ),
    ),
)
def datatype_shape(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write enumerations as version 2.6 does."""
    for command in draft.script.commands:
        inside = [
            fault
            for fault in draft.faults(ScriptFaultKind.MALFORMED_COMMAND, ScriptFaultKind.UNSUPPORTED)
            if command.at.offset <= fault.at.offset < command.end
        ]
        if not inside:
            continue
        for old in _old(command):
            yield RepairChange(command.at.offset, command.end, old)
        for listed in _listed(command):
            for one in listed.items:
                if isinstance(one, Atom) and one.kind in {AtomKind.SYMBOL, AtomKind.QUOTED}:
                    yield RepairChange(one.at.offset, one.end, f"({one.text})")


def _old(command: NodeGroup) -> Iterator[str]:
    """Yield a whole command anew: `(declare-datatypes () ((Color red green)))`, `(declare-sort Color (red green))`."""
    parts = command.arguments
    if (
        command.head == "declare-datatypes"
        and len(parts) == 2
        and parts[0] == NodeGroup(())
        and isinstance(parts[1], NodeGroup)
    ):
        rows = [row for row in parts[1].items if isinstance(row, NodeGroup) and len(row.items) > 1 and row.head]
        if len(rows) == len(parts[1].items):
            yield "\n".join(_written(row.items[0], row.items[1:]) for row in rows)
    if command.head in {"declare-sort", "declare-datatype"} and len(parts) > 1:
        values = parts[1].items if len(parts) == 2 and isinstance(parts[1], NodeGroup) else parts[1:]
        named = all(isinstance(one, Atom) and one.kind in {AtomKind.SYMBOL, AtomKind.QUOTED} for one in values)
        if values and named and (command.head == "declare-sort" or len(parts) > 2):
            yield _written(parts[0], values)


def _written(name: Node, values: tuple[Node, ...]) -> str:
    names = [one.items[0] if isinstance(one, NodeGroup) and one.items else one for one in values]
    listed = " ".join(f"({one.text})" for one in names if isinstance(one, Atom))
    return f"(declare-datatype {name.text if isinstance(name, Atom) else ''} ({listed}))"


def _listed(command: NodeGroup) -> Iterator[NodeGroup]:
    """Yield the groups in which a command lists values."""
    if len(command.items) == 3 and isinstance(command.items[2], NodeGroup):
        if command.head == "declare-datatype":
            yield command.items[2]
        elif command.head == "declare-datatypes":
            yield from (one for one in command.items[2].items if isinstance(one, NodeGroup))
