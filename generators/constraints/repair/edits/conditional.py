"""Conditionals with the words `then` and `else`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.operator_spellings import operator
from harness.smtlib.s_expressions import Atom, Node, NodeGroup, walk

_WORDS = frozenset({"then", "else", "Then", "Else", "THEN", "ELSE"})


@edit_kind(
    "conditional",
    order=385,
    examples=(
        RepairExample(
            "(declare-const a Bool)\n(declare-const x Int)\n(assert (if a then (> x 3)))\n(assert (if a then (> x 4) else (< x 9)))\n(check-sat)\n",
            "(declare-const a Bool)\n(declare-const x Int)\n(assert (=> a (> x 3)))\n(assert (ite a (> x 4) (< x 9)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const a Bool)\n(declare-const x Int)\n(assert (=> a then (> x 3)))\n(check-sat)\n",
            "(declare-const a Bool)\n(declare-const x Int)\n(assert (=> a (> x 3)))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def conditional(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write an implication where there is no `else`, and a choice where there is one."""
    if draft.script.scope.symbols.keys() & _WORDS:
        return
    for command in draft.script.commands:
        for node in walk(command):
            if isinstance(node, NodeGroup) and any(_is_word(item) for item in node.items):
                yield from _written(node)


def _is_word(item: Node) -> bool:
    return isinstance(item, Atom) and item.text in _WORDS


def _written(node: NodeGroup) -> Iterator[RepairChange]:
    first = node.items[0]
    shape = [item.text.lower() if _is_word(item) and isinstance(item, Atom) else "" for item in node.items[1:]]
    name = operator(first.text) if isinstance(first, Atom) else None
    known = (name == "ite" and shape in (["", "then", ""], ["", "then", "", "else", ""])) or (
        name == "=>" and shape == ["", "then", ""]
    )
    if not known:
        return
    note = "" if name == "ite" else "then taken for a word between the two"
    if name == "ite":
        assert isinstance(first, Atom)  # noqa: S101  # it has a text
        yield RepairChange(first.at.offset, first.end, "=>" if len(shape) == 3 else "ite")
    for before, item in pairwise(node.items):
        if _is_word(item):
            yield RepairChange(before.end, item.end, "", not note, note)
