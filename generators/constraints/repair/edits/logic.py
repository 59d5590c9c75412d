"""A missing or unknown logic, or a logic that lacks what the program uses."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, replacement
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.logics import LogicFeature, features_of, narrowest
from harness.smtlib.s_expressions import Atom

_LATE = frozenset(
    {
        ScriptFaultKind.UNKNOWN_LOGIC,
        ScriptFaultKind.NARROW_LOGIC,
        ScriptFaultKind.NO_CHECK,
        ScriptFaultKind.MISPLACED_COMMAND,
    }
)


@edit_kind(
    "logic",
    order=800,
    examples=(
        RepairExample(
            "(set-logic QF_LIA)\n(declare-const x Real)\n(assert (> x 2.5))\n(check-sat)\n",
            "(set-logic QF_LRA)\n(declare-const x Real)\n(assert (> x 2.5))\n(check-sat)\n",
        ),
        RepairExample(
            "(set-logic LINEAR)\n(declare-fun f (Int) Int)\n(assert (> (f 1) 2))\n(check-sat)\n",
            "(set-logic QF_UFLIA)\n(declare-fun f (Int) Int)\n(assert (> (f 1) 2))\n(check-sat)\n",
        ),
    ),
)
def logic(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Set the narrowest logic that holds all that is used, once nothing else is wrong."""
    if any(fault.kind not in _LATE for fault in draft.script.faults):
        return
    for _, name in draft.faulty(Atom, ScriptFaultKind.UNKNOWN_LOGIC, ScriptFaultKind.NARROW_LOGIC):
        used, offered = draft.script.features, features_of(name.name) or ()
        # Numerals were read as reals under a logic without integers.
        reals = LogicFeature.REALS in offered and LogicFeature.INTEGERS not in offered
        yield replacement(name, "ALL" if reals and LogicFeature.INTEGERS in used else narrowest(used))
