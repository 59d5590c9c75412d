"""Which numbers are written with a sign, which SMT-LIB2 takes for names?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.repair.editing import Change, Draft, Example, edit_kind
from generators.repair.operators import operator
from harness.smtlib.faults import FaultKind
from harness.smtlib.tree import Atom

if TYPE_CHECKING:
    from collections.abc import Iterator


@edit_kind(
    "negative_literal",
    order=390,
    examples=(
        Example(
            "(declare-const x Int)\n(assert (> x -3))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x (- 3)))\n(check-sat)\n",
        ),
        Example(
            "(declare-const x Real)\n(assert (= x -0.5))\n(check-sat)\n",
            "(declare-const x Real)\n(assert (= x (- 0.5)))\n(check-sat)\n",
        ),
    ),
)
def negative_literal(draft: Draft) -> Iterator[Change]:
    """Write a negative number as the negation of a number, where it is an argument of its own."""
    for fault in draft.faults(FaultKind.ODD_ATOM):
        node, path = draft.node(fault.at.offset), draft.path(fault.at.offset)
        # `(x -3)` may be a difference: then what stands before is no function.
        if (
            isinstance(node, Atom)
            and fault.expected == f"(- {node.text[1:]})"
            and path
            and _applies(draft, path[-1].head)
        ):
            yield Change(node.at.offset, node.end, fault.expected)


def _applies(draft: Draft, head: str) -> bool:
    declared = draft.script.scope.symbols.get(head)
    return operator(head) is not None or (declared is not None and bool(declared.sorts))
