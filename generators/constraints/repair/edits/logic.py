"""Which logic does a program need that sets none there is, or one that lacks what it uses?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.repair.edit_kind import Change, Draft, Example, edit_kind
from harness.smtlib.faults import FaultKind
from harness.smtlib.logics import Feature, features_of, narrowest
from harness.smtlib.s_expressions import Atom

if TYPE_CHECKING:
    from collections.abc import Iterator

_LATE = frozenset({FaultKind.UNKNOWN_LOGIC, FaultKind.NARROW_LOGIC, FaultKind.NO_CHECK, FaultKind.MISPLACED_COMMAND})


@edit_kind(
    "logic",
    order=800,
    examples=(
        Example(
            "(set-logic QF_LIA)\n(declare-const x Real)\n(assert (> x 2.5))\n(check-sat)\n",
            "(set-logic QF_LRA)\n(declare-const x Real)\n(assert (> x 2.5))\n(check-sat)\n",
        ),
        Example(
            "(set-logic LINEAR)\n(declare-fun f (Int) Int)\n(assert (> (f 1) 2))\n(check-sat)\n",
            "(set-logic QF_UFLIA)\n(declare-fun f (Int) Int)\n(assert (> (f 1) 2))\n(check-sat)\n",
        ),
    ),
)
def logic(draft: Draft) -> Iterator[Change]:
    """Set the narrowest logic that holds all that is used, once nothing else is wrong."""
    if any(fault.kind not in _LATE for fault in draft.script.faults):
        return
    for fault in draft.faults(FaultKind.UNKNOWN_LOGIC, FaultKind.NARROW_LOGIC):
        node = draft.node(fault.at.offset)
        if isinstance(node, Atom):
            used = draft.script.features
            real = features_of(node.name)
            if real is not None and Feature.REALS in real and Feature.INTEGERS not in real and Feature.INTEGERS in used:
                # Numerals were read as reals under the old logic.
                yield Change(node.at.offset, node.end, "ALL")
            else:
                yield Change(node.at.offset, node.end, narrowest(used))
