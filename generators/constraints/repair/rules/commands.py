"""Rules of the order and completeness of commands: what is misplaced, the logic and the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.repair.program_draft import (
    ProgramDraft,
    RepairChange,
    insertion,
    repair_rule,
    replacement,
)
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.logics import LogicFeature, features_of, narrowest
from harness.smtlib.s_expressions import Atom, NodeGroup

if TYPE_CHECKING:
    from collections.abc import Iterator

_LATE = frozenset(
    {
        ScriptFaultKind.UNKNOWN_LOGIC,
        ScriptFaultKind.NARROW_LOGIC,
        ScriptFaultKind.NO_CHECK,
        ScriptFaultKind.MISPLACED_COMMAND,
    }
)


@repair_rule(ScriptFaultKind.MISPLACED_COMMAND)
def misplaced_command(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Move a logic or an option to the front; of several logics the first counts."""
    for _, node in draft.faulty(NodeGroup, ScriptFaultKind.MISPLACED_COMMAND):
        if node.head in {"set-logic", "set-option"}:
            yield draft.without(node)
            if node.head == "set-option" or node.at == draft.commands("set-logic")[0].at:
                yield insertion(draft.script.commands[0].at.offset, f"{draft.source(node)}\n")
            return


@repair_rule(ScriptFaultKind.UNKNOWN_LOGIC, ScriptFaultKind.NARROW_LOGIC)
def logic(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Set the narrowest logic that holds all that is used, once nothing else is wrong."""
    if any(fault.kind not in _LATE for fault in draft.script.faults):
        return
    for _, name in draft.faulty(Atom, *logic.faults):
        used, offered = draft.script.features, features_of(name.name) or ()
        # Numerals were read as reals under a logic without integers.
        reals = LogicFeature.REALS in offered and LogicFeature.INTEGERS not in offered
        yield replacement(name, "ALL" if reals and LogicFeature.INTEGERS in used else narrowest(used))


@repair_rule(ScriptFaultKind.NO_CHECK, ScriptFaultKind.MISPLACED_COMMAND)
def missing_check(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Ask after the last assertion."""
    last = draft.commands("assert", "check-sat")[-1:]
    if last and last[0].head == "assert":
        place = draft.place_after(last[0])
        yield insertion(place, "(check-sat)\n" if draft.text[place - 1] == "\n" else "\n(check-sat)\n")
