"""Rules of the order and completeness of commands: what is misplaced, several formulas in one assertion, the logic and the question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.repair.program_draft import ProgramDraft, RepairChange, RepairRule, insertion, replacement
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.logics import LogicFeature, features_of, narrowest
from harness.smtlib.s_expressions import Atom, NodeGroup
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


def several_formulas(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Assert each formula of an assertion that holds several; it may be a function that was closed early."""
    for _, command in draft.faulty(NodeGroup, ScriptFaultKind.MALFORMED_COMMAND):
        nodes = command.arguments
        if command.head == "assert" and len(nodes) > 1 and draft.sorts_of(nodes) == [BOOL] * len(nodes):
            text = "\n".join(f"(assert {draft.source(node)})" for node in nodes)
            yield replacement(command, text, certain=False, note="a function may have been closed early")


def late_declaration(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Move the declaration of a name or sort before the first command that needs it."""
    heads = {"declare-const", "declare-fun", "declare-sort", "declare-datatype", "declare-datatypes", "define-sort"}
    declaring: dict[str, NodeGroup] = {}
    for command in draft.script.commands:
        if command.head in heads:
            for name in _declared_names(command):
                declaring.setdefault(name, command)
    moved: set[int] = set()
    for fault, node in draft.faulty(Atom, ScriptFaultKind.UNKNOWN_SORT, ScriptFaultKind.UNDECLARED):
        declaration, path = declaring.get(node.name), draft.path(fault.at.offset)
        if declaration is None or not path or declaration.at.offset <= path[0].at.offset:
            continue
        if declaration.at.offset in moved:
            continue
        moved.add(declaration.at.offset)
        yield insertion(path[0].at.offset, f"{draft.source(declaration)}\n")
        yield RepairChange(declaration.at.offset, draft.line_end(declaration), "")
        if fault.kind is ScriptFaultKind.UNKNOWN_SORT:
            return


def _declared_names(command: NodeGroup) -> Iterator[str]:
    first = command.arguments[0] if command.arguments else None
    rows = first.items if command.head == "declare-datatypes" and isinstance(first, NodeGroup) else (first,)
    for row in rows:
        name = row.items[0] if isinstance(row, NodeGroup) and row.items else row
        if isinstance(name, Atom):
            yield name.name


def misplaced_command(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Move a logic or an option to the front; of several logics the first counts."""
    commands = draft.script.commands
    logics = [command for command in commands if command.head == "set-logic"]
    for _, node in draft.faulty(NodeGroup, ScriptFaultKind.MISPLACED_COMMAND):
        if node.head in {"set-logic", "set-option"}:
            yield RepairChange(node.at.offset, draft.line_end(node), "")
            if node.head != "set-logic" or node.at == logics[0].at:
                yield insertion(commands[0].at.offset, f"{draft.source(node)}\n")
            return


def logic(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Set the narrowest logic that holds all that is used, once nothing else is wrong."""
    if any(fault.kind not in _LATE for fault in draft.script.faults):
        return
    for _, name in draft.faulty(Atom, ScriptFaultKind.UNKNOWN_LOGIC, ScriptFaultKind.NARROW_LOGIC):
        used, offered = draft.script.features, features_of(name.name) or ()
        # Numerals were read as reals under a logic without integers.
        reals = LogicFeature.REALS in offered and LogicFeature.INTEGERS not in offered
        yield replacement(name, "ALL" if reals and LogicFeature.INTEGERS in used else narrowest(used))


def missing_check(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Ask after the last assertion."""
    asserts = [command for command in draft.script.commands if command.head == "assert"]
    checks = [command.at.offset for command in draft.script.commands if command.head == "check-sat"]
    if not asserts or (checks and checks[-1] > asserts[-1].at.offset):
        return
    start, end = asserts[-1].end, draft.end_of_line(asserts[-1].end)
    rest = draft.text[start:end].strip()
    if rest and not rest.startswith(";"):
        yield insertion(start, "\n(check-sat)\n")
    elif end == len(draft.text):
        yield insertion(end, "\n(check-sat)\n")
    else:
        yield insertion(end + 1, "(check-sat)\n")


SEVERAL_FORMULAS = RepairRule("several_formulas", frozenset({ScriptFaultKind.MALFORMED_COMMAND}), several_formulas)
LATE_DECLARATION = RepairRule(
    "late_declaration", frozenset({ScriptFaultKind.UNKNOWN_SORT, ScriptFaultKind.UNDECLARED}), late_declaration
)
MISPLACED_COMMAND = RepairRule("misplaced_command", frozenset({ScriptFaultKind.MISPLACED_COMMAND}), misplaced_command)
LOGIC = RepairRule("logic", frozenset({ScriptFaultKind.UNKNOWN_LOGIC, ScriptFaultKind.NARROW_LOGIC}), logic)
MISSING_CHECK = RepairRule(
    "missing_check", frozenset({ScriptFaultKind.NO_CHECK, ScriptFaultKind.MISPLACED_COMMAND}), missing_check
)
