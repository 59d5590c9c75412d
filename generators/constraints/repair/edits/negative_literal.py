"""Numbers written with a minus sign, which SMT-LIB2 reads as names."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.operator_spellings import operator
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup


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
    for fault, atom in draft.faulty(Atom, ScriptFaultKind.ODD_ATOM):
        path = draft.path(fault.at.offset)
        # `(x -3)` may be a difference: then what stands before is no function.
        if fault.expected == f"(- {atom.text[1:]})" and path and _takes_arguments(draft, path):
            yield replacement(atom, fault.expected)


def _takes_arguments(draft: ProgramDraft, path: tuple[NodeGroup, ...]) -> bool:
    """Tell whether the innermost group applies a function, or is a binding of `let`."""
    declared = draft.script.scope.symbols.get(path[-1].head)
    bound = len(path) > 2 and path[-3].head == "let" and len(path[-1].items) == 2
    return bound or operator(path[-1].head) is not None or (declared is not None and bool(declared.sorts))
