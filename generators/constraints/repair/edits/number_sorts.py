"""Terms that mix whole numbers with real numbers where the sorts do not allow it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_usage import sorts_of
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, AtomKind, Node, NodeGroup
from harness.smtlib.symbols import INT, NUMBERS, REAL

_WHOLE = re.compile(r"(\d+)\.0+")
_MIXED = {"arguments of one sort", "branches of one sort"}


@edit_kind(
    "number_sorts",
    order=700,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(declare-const r Real)\n(assert (< x 2.5))\n(assert (= r (* x r)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const r Real)\n(assert (< (to_real x) 2.5))\n(assert (= r (* (to_real x) r)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (= (mod x 2.0) 1.0))\n(assert (> (/ x 2) 1.5))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (= (mod x 2) 1))\n(assert (> (/ (to_real x) 2) 1.5))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-fun f (Real) Real)\n(declare-const p Bool)\n(assert (= (f 1) (ite p 1 0.5)))\n(check-sat)\n",
            "(declare-fun f (Real) Real)\n(declare-const p Bool)\n(assert (= (f 1.0) (ite p 1.0 0.5)))\n(check-sat)\n",
        ),
    ),
)
def number_sorts(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write whole numbers as real ones, or the reverse where a real one is written out and whole."""
    for fault in draft.faults(ScriptFaultKind.WRONG_SORT):
        node = draft.node(fault.at.offset)
        if node is None:
            continue
        if fault.expected in _MIXED and isinstance(node, NodeGroup):
            yield from _mixed(draft, node)
        elif fault.expected in NUMBERS and (sort := sorts_of(draft, [node])[0]) in NUMBERS and sort != fault.expected:
            yield from _converted(draft, node, fault.expected)


def _mixed(draft: ProgramDraft, group: NodeGroup) -> Iterator[RepairChange]:
    nodes = group.items[2:] if group.head == "ite" else group.arguments
    sorts = sorts_of(draft, nodes)
    if not set(sorts) <= NUMBERS:
        return
    reals = [node for node, sort in zip(nodes, sorts, strict=True) if sort == REAL]
    whole = all(isinstance(node, Atom) and _WHOLE.fullmatch(node.text) for node in reals)
    for node, sort in zip(nodes, sorts, strict=True):
        if whole and sort == REAL:
            yield from _converted(draft, node, INT)
        elif not whole and sort == INT:
            yield from _converted(draft, node, REAL)


def _converted(draft: ProgramDraft, node: Node, sort: str) -> Iterator[RepairChange]:
    text = draft.source(node)
    if sort == REAL:
        number = isinstance(node, Atom) and node.kind is AtomKind.NUMERAL
        yield replacement(node, f"{text}.0" if number else f"(to_real {text})")
    elif whole := _WHOLE.fullmatch(text):
        yield replacement(node, whole[1])
    elif isinstance(node, NodeGroup) and node.head == "-" and len(node.items) == 2:
        yield from _converted(draft, node.items[1], INT)
    elif isinstance(node, NodeGroup) and node.head == "to_real" and len(node.items) == 2:
        yield replacement(node, draft.source(node.items[1]))
