"""Numbers written with a minus sign, which SMT-LIB2 reads as names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from generators.constraints.repair.syntax.operator_spellings import operator
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.smtlib.s_expressions import NodeGroup


@edit_kind(
    "negative_literal",
    order=390,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (let ((y -3)) (> x y)))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (let ((y (- 3))) (> x y)))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Real)\n(assert (= x -0.5))\n(check-sat)\n",
            "(declare-const x Real)\n(assert (= x (- 0.5)))\n(check-sat)\n",
        ),
    ),
)
def negative_literal(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Write a negative number as the negation of a number, where it is an argument of its own."""
    for fault in draft.faults(ScriptFaultKind.ODD_ATOM):
        node, path = draft.node(fault.at.offset), draft.path(fault.at.offset)
        # `(x -3)` may be a difference: then what stands before is no function.
        if isinstance(node, Atom) and fault.expected == f"(- {node.text[1:]})" and path and _argument(draft, path):
            yield RepairChange(node.at.offset, node.end, fault.expected)


def _argument(draft: ProgramDraft, path: tuple[NodeGroup, ...]) -> bool:
    """Tell whether the innermost group applies a function, or is a binding of `let`."""
    declared = draft.script.scope.symbols.get(path[-1].head)
    bound = len(path) > 2 and path[-3].head == "let" and len(path[-1].items) == 2
    return bound or operator(path[-1].head) is not None or (declared is not None and bool(declared.sorts))
