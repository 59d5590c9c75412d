"""Programs in the form of SMT-LIB 1.2, one benchmark with attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup

_STATING = frozenset({":assumption", ":formula"})
_DECLARING = frozenset({":extrafuns", ":extrapreds", ":extrasorts"})
_TELLING = frozenset({":status", ":source", ":notes", ":category", ":difficulty", ":theory", ":author"})
"""Attributes that say nothing of the constants."""


@edit_kind(
    "benchmark_form",
    order=101,
    examples=(
        RepairExample(
            "(benchmark clue\n:logic QF_LIA\n:extrafuns ((x Int) (y Int))\n:extrapreds ((p))\n:assumption (> x y)\n:formula (implies p (> y 3))\n)\n",
            "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n(declare-const p Bool)\n(assert (> x y))\n(assert (=> p (> y 3)))\n(check-sat)\n",
        ),
        RepairExample(
            "(benchmark clue\n:extrafuns ((f Int Int))\n:assumption (> (f 3) 3)\n:objective (f 4)\n)\n",
            "(benchmark clue\n:extrafuns ((f Int Int))\n:assumption (> (f 3) 3)\n:objective (f 4)\n)\n",
        ),
    ),
)
def benchmark_form(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write each attribute as the command that replaced it in version 2; a benchmark with another attribute is left."""
    for node in draft.nodes:
        if isinstance(node, NodeGroup) and node.head == "benchmark" and len(node.items) > 3:
            commands = _commands(draft, node.items[2:])
            if commands is not None:
                yield RepairChange(node.at.offset, node.end, "\n".join([*commands, "(check-sat)"]))


def _commands(draft: ProgramDraft, items: Sequence[Node]) -> list[str] | None:
    """Return the commands that the attributes stand for; `None` where one is not known or has no value."""
    commands: list[str] = []
    if len(items) % 2:
        return None
    for name, value in zip(items[::2], items[1::2], strict=True):
        if not isinstance(name, Atom) or name.kind is not AtomKind.KEYWORD:
            return None
        attribute = name.text.lower()
        if attribute == ":logic":
            commands.insert(0, f"(set-logic {draft.source(value)})")
        elif attribute in _STATING:
            commands.append(f"(assert {draft.source(value)})")
        elif attribute in _DECLARING and isinstance(value, NodeGroup):
            commands += [_declaration(draft, attribute, row) for row in _rows(attribute, value)]
        elif attribute not in _TELLING:
            return None
    return commands


def _rows(attribute: str, value: NodeGroup) -> Sequence[Sequence[Node]]:
    """Return the parts of each declaration; one alone may lack its own parentheses."""
    if attribute == ":extrasorts":
        return [(item,) for item in value.items]
    if value.items and isinstance(value.items[0], Atom):
        return [value.items]
    return [item.items for item in value.items if isinstance(item, NodeGroup) and item.items]


def _declaration(draft: ProgramDraft, attribute: str, row: Sequence[Node]) -> str:
    name, *sorts = map(draft.source, row)
    if attribute == ":extrasorts":
        return f"(declare-sort {name} 0)"
    result = "Bool" if attribute == ":extrapreds" else sorts.pop() if sorts else "Int"
    return f"(declare-fun {name} ({' '.join(sorts)}) {result})" if sorts else f"(declare-const {name} {result})"
