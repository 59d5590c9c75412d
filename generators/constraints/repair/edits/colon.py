"""Names and sorts that a colon joins, as in `x: Int` and `x::int`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.sort_names import sort_name
from harness.smtlib.s_expressions import Atom, NodeGroup

_JOINED = re.compile(r"([^\W\d][^\s:,]*)\s*(?:::?|,)([^\s:,]*)")


@edit_kind(
    "colon",
    order=145,
    examples=(
        RepairExample(
            "(declare-const x: Int)\n(declare-const y:Int)\n(define z::int)\n(assert (> x (+ y z)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(declare-const z int)\n(assert (> x (+ y z)))\n(check-sat)\n".replace(
                "int)", "Int)"
            ),
        ),
        RepairExample(
            "(declare-const a: b: Int)\n(assert (> a 3))\n(check-sat)\n",
            "(declare-const a Int)\n(declare-const b Int)\n(assert (> a 3))\n(check-sat)\n",
        ),
    ),
)
def colon(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write a blank between the name and its sort; Yices' `define` without a value declares."""
    for command in draft.script.commands:
        first = command.items[0] if command.items else None
        if not isinstance(first, Atom) or not first.text.lower().startswith(("declare", "define", "var", "const")):
            continue
        parts = list(_parts(command))
        for atom in parts:
            match = _JOINED.fullmatch(atom.text)
            if match and (not match[2] or sort_name(draft, match[2]) is not None):
                yield replacement(atom, f"{match[1]} {match[2]}".rstrip())
        if first.text.lower() == "define" and _is_declaration(draft, command):
            yield replacement(first, "declare-const")


def _parts(command: NodeGroup) -> Iterator[Atom]:
    for item in command.arguments:
        if isinstance(item, Atom):
            yield item
        elif not item.head.startswith(("(", "assert")):
            yield from (part for part in item.items if isinstance(part, Atom))


def _is_declaration(draft: ProgramDraft, command: NodeGroup) -> bool:
    """Tell whether a `define` gives a name and a sort alone."""
    words = " ".join(item.text if isinstance(item, Atom) else "(" for item in command.arguments).replace(":", " ")
    parts = words.split()
    return len(parts) == 2 and parts[0] != "(" and sort_name(draft, parts[1]) is not None
