"""Formulas at the top level of a program without the command `assert`."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from generators.constraints.repair.syntax.name_usage import sorts_of
from generators.constraints.repair.syntax.operator_spellings import operator
from generators.constraints.repair.syntax.stray_formulas import stray_formula
from generators.constraints.repair.syntax.term_rewrites import weight
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.printer import write_node
from harness.smtlib.s_expressions import Atom, NodeGroup
from harness.smtlib.symbols import BOOL, FUNCTIONS

_FORMULAS = {name for name, function in FUNCTIONS.items() if function.sort == BOOL} | {"forall", "exists"}


@edit_kind(
    "missing_assert",
    order=420,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(> x 3)\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(declare-const y Int)\nx > 3\n2. x + y == 7\n(check-sat)\n",
            "(declare-const x Int)\n(declare-const y Int)\n(assert (> x 3))\n(assert (= (+ x y) 7))\n(check-sat)\n",
        ),
    ),
)
def missing_assert(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Assert a formula that stands by itself."""
    for fault in draft.faults(ScriptFaultKind.UNKNOWN_COMMAND, ScriptFaultKind.STRAY_TEXT):
        node = draft.node(fault.at.offset)
        if isinstance(node, NodeGroup) and _is_formula(draft, node):
            yield replacement(node, f"(assert {draft.source(node)})")
        elif isinstance(node, Atom):
            end = draft.end_of_line(node.at.offset)
            formula = stray_formula(draft, node.at.offset, end)
            if formula is not None:
                yield RepairChange(node.at.offset, end, f"(assert {write_node(formula)})")


def _is_formula(draft: ProgramDraft, node: NodeGroup) -> bool:
    if operator(node.head) in _FORMULAS or node.head in {"forall", "exists"}:
        return True
    return not weight(draft, node) and sorts_of(draft, [node]) == [BOOL]
