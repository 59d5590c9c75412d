"""Rules of the order and completeness of commands: what is misplaced, several formulas in one assertion, the logic and the question."""

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
from harness.smtlib.s_expressions import Atom, NodeGroup, walk
from harness.smtlib.symbols import BOOL

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
_DECLARING = ("declare-const", "declare-fun", "declare-sort", "declare-datatype", "declare-datatypes", "define-sort")


@repair_rule(ScriptFaultKind.MALFORMED_COMMAND)
def several_formulas(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Assert each formula of an assertion that holds several; it may be a function that was closed early."""
    for _, command in draft.faulty(NodeGroup, ScriptFaultKind.MALFORMED_COMMAND):
        nodes = command.arguments
        if command.head == "assert" and len(nodes) > 1 and draft.sorts_of(nodes) == [BOOL] * len(nodes):
            text = "\n".join(f"(assert {draft.source(node)})" for node in nodes)
            yield replacement(command, text, "a function may have been closed early")


@repair_rule(ScriptFaultKind.UNKNOWN_SORT, ScriptFaultKind.UNDECLARED)
def late_declaration(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Move the declaration of a name or sort before the first command that needs it."""
    declaring: dict[str, NodeGroup] = {}
    for command in draft.commands(*_DECLARING):
        first = next((part for node in command.arguments[:1] for part in walk(node) if isinstance(part, Atom)), None)
        if first is not None:
            declaring.setdefault(first.name, command)
    moved: set[int] = set()
    for fault, node in draft.faulty(Atom, *late_declaration.faults):
        declaration, path = declaring.get(node.name), draft.path(fault.at.offset)
        if declaration is None or not path or declaration.at.offset <= path[0].at.offset:
            continue
        if declaration.at.offset not in moved:
            moved.add(declaration.at.offset)
            yield insertion(path[0].at.offset, f"{draft.source(declaration)}\n")
            yield draft.without(declaration)
            if fault.kind is ScriptFaultKind.UNKNOWN_SORT:
                return


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
