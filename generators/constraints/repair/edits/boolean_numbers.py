"""Truth values that a program writes as the numbers 1 and 0 in its terms."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_usage import sorts_of
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, Node, NodeGroup
from harness.smtlib.symbols import BOOL, INT, REAL


@edit_kind(
    "boolean_numbers",
    order=690,
    examples=(
        RepairExample(
            "(declare-const a Bool)\n(declare-const b Bool)\n(assert (= a 1))\n(assert (or (= b 0) (distinct a 0)))\n(check-sat)\n",
            "(declare-const a Bool)\n(declare-const b Bool)\n(assert a)\n(assert (or (not b) a))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const a Bool)\n(declare-const b Bool)\n(assert (= (+ a b) 1))\n(check-sat)\n",
            "(declare-const a Bool)\n(declare-const b Bool)\n(assert (= (+ (ite a 1 0) (ite b 1 0)) 1))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const a Bool)\n(declare-const n Int)\n(assert (= n a))\n(assert (> n 3))\n(check-sat)\n",
            "(declare-const a Bool)\n(declare-const n Int)\n(assert (= n (ite a 1 0)))\n(assert (> n 3))\n(check-sat)\n",
            certain=False,
        ),
    ),
)
def boolean_numbers(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write the formula itself, its negation, or one and zero where it is added up."""
    for fault in draft.faults(ScriptFaultKind.WRONG_SORT):
        node = draft.node(fault.at.offset)
        if isinstance(node, NodeGroup) and node.head in {"=", "distinct"} and fault.expected == "arguments of one sort":
            yield from _compared(draft, node)
        elif node is not None and fault.expected in {"numbers", INT} and sorts_of(draft, [node]) == [BOOL]:
            text = draft.source(node)
            yield replacement(node, f"(ite {text} 1 0)", certain=text not in {"true", "false"})


def _compared(draft: ProgramDraft, node: NodeGroup) -> Iterator[RepairChange]:
    sorts = sorts_of(draft, node.arguments)
    if len(sorts) != 2 or BOOL not in sorts or not set(sorts) <= {BOOL, INT, REAL}:
        return
    formula, number = node.arguments if sorts[0] == BOOL else node.arguments[::-1]
    text = draft.source(formula)
    if _digit(number):
        holds = (_digit(number) == "1") == (node.head == "=")
        yield replacement(node, text if holds else f"(not {text})")
    elif INT in sorts:
        yield replacement(formula, f"(ite {text} 1 0)", certain=False, note="true taken for 1")


def _digit(node: Node) -> str:
    """Return 0 or 1 where a node is that number, else nothing."""
    text = node.text.removesuffix(".0") if isinstance(node, Atom) else ""
    return text if text in {"0", "1"} else ""
