"""Enumerations that are declared in the syntax of old or other versions of SMT-LIB."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.code_matches import COMMENTS, code_matches
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup

_ALTERNATIVES = re.compile(
    r"\(\s*+(?:declare-)?(?:datatypes?|enum|type|sort)\s++(?P<name>[A-Za-z_]\w*+)\s*+(?::?=|::=)?\s*+[({]?\s*+"
    r"(?P<values>[A-Za-z_]\w*+(?:\s*+\|\s*+[A-Za-z_]\w*+)++)\s*+[)}]?\s*+\)",
    re.IGNORECASE,
)
"""An enumeration as functional languages write it."""


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
            "(declare-datatypes (Color) (((red) (green))))\n(declare-datatypes ((Size 0)) ((small) (large)))\n(declare-const c Color)\n(declare-const s Size)\n(assert (= (= c red) (= s small)))\n(check-sat)\n",
            "(declare-datatype Color ((red) (green)))\n(declare-datatype Size ((small) (large)))\n(declare-const c Color)\n(declare-const s Size)\n(assert (= (= c red) (= s small)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-datatype Color = red | green | blue)\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
            "(declare-datatype Color ((red) (green) (blue)))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-sort Color (red green))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
            "(declare-datatype Color ((red) (green)))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
        ),
    ),
)
def datatype_shape(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write enumerations as version 2.6 does."""
    for match in code_matches(_ALTERNATIVES, draft.text, COMMENTS):
        listed = " ".join(f"({value})" for value in re.findall(r"[A-Za-z_]\w*", match["values"]))
        yield RepairChange(match.start(), match.end(), f"(declare-datatype {match['name']} ({listed}))")
    for command in draft.script.commands:
        if any(
            match.start() <= command.at.offset < match.end()
            for match in code_matches(_ALTERNATIVES, draft.text, COMMENTS)
        ):
            continue
        inside = [
            fault
            for fault in draft.faults(
                ScriptFaultKind.MALFORMED_COMMAND, ScriptFaultKind.UNSUPPORTED, ScriptFaultKind.UNKNOWN_SORT
            )
            if command.at.offset <= fault.at.offset < command.end
        ]
        if not inside:
            continue
        for declaration in _from_old_syntax(command):
            yield replacement(command, declaration)
        for values in _value_lists(command):
            for value in values.items:
                if isinstance(value, Atom) and value.kind in {AtomKind.SYMBOL, AtomKind.QUOTED}:
                    yield replacement(value, f"({value.text})")


def _from_old_syntax(command: NodeGroup) -> Iterator[str]:
    """Yield a whole command anew: `(declare-datatypes () ((Color red green)))`, `(declare-sort Color (red green))`."""
    parts = command.arguments
    last = parts[-1] if parts else None
    if command.head == "declare-datatypes" and parts[:1] == (NodeGroup(()),) and isinstance(last, NodeGroup):
        rows = [row for row in last.items if isinstance(row, NodeGroup) and len(row.items) > 1 and row.head]
        if len(parts) == 2 and len(rows) == len(last.items):
            yield "\n".join(_written(row.items[0], row.items[1:]) for row in rows)
    match command.head, parts:
        case "declare-datatypes", (NodeGroup(items=(Atom() as sort,)), NodeGroup(items=values)) if _are_named(values):
            yield _written(sort, values)
        case "declare-datatypes", (
            NodeGroup(items=(NodeGroup(items=(Atom() as sort, Atom(kind=AtomKind.NUMERAL))),)),
            NodeGroup(items=(NodeGroup(items=members),)),
        ) if _are_single(members):
            yield _written(sort, members)
        case "declare-datatypes", (
            NodeGroup(items=(Atom() as sort,)),
            NodeGroup(items=(NodeGroup(items=members),)),
        ) if _are_single(members):
            yield _written(sort, members)
        case "declare-datatypes", (
            NodeGroup(items=(NodeGroup(items=(Atom() as sort, Atom(kind=AtomKind.NUMERAL))),)),
            NodeGroup(items=members),
        ) if _are_single(members) and len(members) > 1:
            yield _written(sort, members)
        case "declare-datatypes", (Atom() as sort, NodeGroup(items=values)) if _are_named(values):
            yield _written(sort, values)
        case "declare-datatypes", (
            NodeGroup(items=(NodeGroup(items=(NodeGroup(items=(Atom() as sort, Atom(kind=AtomKind.NUMERAL))),)),)),
            NodeGroup(items=(NodeGroup(items=(NodeGroup(items=values),)),)),
        ) if _are_named(values):
            yield _written(sort, values)
        case "define-sort", (Atom() as sort, NodeGroup(items=values)) if _are_named(values) and len(values) > 1:
            yield _written(sort, values)
    if command.head in {"declare-sort", "declare-datatype"} and len(parts) > 1:
        values = parts[1].items if len(parts) == 2 and isinstance(parts[1], NodeGroup) else parts[1:]
        if _are_named(values) and (command.head == "declare-sort" or len(parts) > 2):
            yield _written(parts[0], values)


def _are_named(values: tuple[Node, ...]) -> bool:
    """Tell whether these are names, one at least."""
    return bool(values) and all(
        isinstance(value, Atom) and value.kind in {AtomKind.SYMBOL, AtomKind.QUOTED} for value in values
    )


def _are_single(members: tuple[Node, ...]) -> bool:
    """Tell whether these are names with parentheses around each, one at least."""
    return bool(members) and all(
        isinstance(member, NodeGroup) and len(member.items) == 1 and isinstance(member.items[0], Atom)
        for member in members
    )


def _written(name: Node, values: tuple[Node, ...]) -> str:
    names = [value.items[0] if isinstance(value, NodeGroup) and value.items else value for value in values]
    listed = " ".join(f"({name.text})" for name in names if isinstance(name, Atom))
    return f"(declare-datatype {name.text if isinstance(name, Atom) else ''} ({listed}))"


def _value_lists(command: NodeGroup) -> Iterator[NodeGroup]:
    """Yield the groups in which a command lists values."""
    if len(command.items) == 3 and isinstance(command.items[2], NodeGroup):
        if command.head == "declare-datatype":
            yield command.items[2]
        elif command.head == "declare-datatypes":
            yield from (item for item in command.items[2].items if isinstance(item, NodeGroup))
