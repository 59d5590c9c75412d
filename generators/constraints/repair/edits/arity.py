"""Functions with too few or too many arguments, where the intended term is unambiguous."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import (
    ProgramDraft,
    RepairChange,
    RepairExample,
    edit_kind,
    insertion,
    replacement,
)
from generators.constraints.repair.syntax.name_usage import sorts_of
from generators.constraints.repair.syntax.operator_spellings import COMPARISONS, operator
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup
from harness.smtlib.symbols import BOOL, FUNCTIONS

_EMPTY = {"and": "true", "or": "false"}


@edit_kind(
    "arity",
    order=430,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (= (+ x) 3))\n(assert (not < x 2))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (= x 3))\n(assert (not (< x 2)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\n(assert (distinct (x y)))\n(assert (ite (> x 1) (> y 1)))\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (distinct x y))\n(assert (=> (> x 1) (> y 1)))\n(check-sat)\n",
            certain=False,
        ),
        RepairExample(
            "(declare-const a Bool)\n(declare-const b Bool)\n(assert (not a b))\n(check-sat)\n",
            "(declare-const a Bool)\n(declare-const b Bool)\n(assert (not a b))\n(check-sat)\n",
        ),
    ),
)
def arity(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Take a sum of one for itself, `(distinct (x y))` for a list, and `if` without `else` for an implication."""
    for fault in draft.faults(ScriptFaultKind.WRONG_ARITY, ScriptFaultKind.MALFORMED_TERM):
        node, path = draft.node(fault.at.offset), draft.path(fault.at.offset)
        node = path[-1] if isinstance(node, Atom) and path else node
        if isinstance(node, NodeGroup):
            yield from _intended(draft, node)


def _intended(draft: ProgramDraft, node: NodeGroup) -> Iterator[RepairChange]:
    name, nodes = node.head, node.arguments
    path = draft.path(node.at.offset)
    if name in {"+", "*"} and len(nodes) == 1:
        yield replacement(node, draft.source(nodes[0]))
    elif name in _EMPTY and not nodes:
        yield replacement(node, _EMPTY[name])
    elif name == "distinct" and len(nodes) == 1 and not isinstance(nodes[0], NodeGroup):
        yield replacement(node, "true", certain=False, note="one thing differs from no other")
    elif name == "not" and len(nodes) > 1 and isinstance(nodes[0], Atom) and operator(nodes[0].text) in COMPARISONS:
        yield insertion(nodes[0].at.offset, "(")
        yield insertion(nodes[-1].end, ")")
    elif name == "ite" and len(nodes) == 2 and sorts_of(draft, nodes) == [BOOL, BOOL]:
        yield replacement(node.items[0], "=>", certain=False, note="nothing said of the other case")
    elif path and len(path[-1].items) == 2 and path[-1].head in FUNCTIONS and _lists_constants(draft, node):
        yield RepairChange(node.at.offset, node.at.offset + 1, "")
        yield RepairChange(node.end - 1, node.end, "")


def _lists_constants(draft: ProgramDraft, node: NodeGroup) -> bool:
    """Tell whether a group only lists constants, two at least, the first of which it would apply."""
    known = draft.script.scope.symbols
    return len(node.items) > 1 and all(
        isinstance(item, Atom) and item.name in known and not known[item.name].sorts for item in node.items
    )
