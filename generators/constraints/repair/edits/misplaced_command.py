"""Commands that stand before or after the place that SMT-LIB2 requires."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, insertion
from generators.constraints.repair.syntax.name_usage import undeclared_names
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import Atom, NodeGroup


@edit_kind(
    "misplaced_command",
    order=600,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(set-logic QF_LIA)\n(assert (> x 3))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(assert (> x 3))\n(declare-const x Int)\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const c Color)\n(declare-datatype Color ((red) (green)))\n(assert (= c red))\n(check-sat)\n",
            "(declare-datatype Color ((red) (green)))\n(declare-const c Color)\n(assert (= c red))\n(check-sat)\n",
        ),
        RepairExample(
            "(set-logic QF_LIA)\n(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3))\n(get-value (x))\n(check-sat)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-value (x))\n",
        ),
    ),
)
def misplaced_command(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Move a logic to the front, a declaration before its first use, and questions for values to the end."""
    moved = list(_sorts(draft)) or list(_declarations(draft))
    if moved:
        yield from moved
        return
    commands = draft.script.commands
    logics = [command for command in commands if command.head == "set-logic"]
    for _, node in draft.faulty(NodeGroup, ScriptFaultKind.MISPLACED_COMMAND):
        text = draft.source(node)
        if node.head in {"set-logic", "set-option"}:
            yield _removal(draft, node)
            if node.head != "set-logic" or node.at == logics[0].at:
                yield insertion(commands[0].at.offset, f"{text}\n")
            return
        if node.head in {"get-model", "get-value"} and any(command.head == "check-sat" for command in commands):
            yield _removal(draft, node)
            lead = "" if draft.text.endswith("\n") else "\n"
            yield insertion(len(draft.text), f"{lead}{text}\n")
            return


def _declarations(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Yield the move of a declaration that stands after the first use of its name."""
    used: dict[str, Atom] = {}
    for _, node in draft.faulty(Atom, ScriptFaultKind.UNDECLARED):
        if node.name not in undeclared_names(draft):
            used.setdefault(node.name, node)
    for name, node in used.items():
        declared = next((declaration for declaration in draft.script.declarations if declaration.name == name), None)
        path = draft.path(node.at.offset)
        if declared is not None and declared.body is None and path and declared.at.offset > node.at.offset:
            command = draft.script.commands[declared.command]
            yield insertion(path[0].at.offset, f"{draft.source(command)}\n")
            yield _removal(draft, command)


def _sorts(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Yield the move of a sort that is declared after the first declaration that needs it."""
    heads = {"declare-sort", "declare-datatype", "declare-datatypes", "define-sort"}
    later = {sort: command for command in draft.script.commands if command.head in heads for sort in _named(command)}
    moved: set[int] = set()
    for fault, node in draft.faulty(Atom, ScriptFaultKind.UNKNOWN_SORT):
        command, path = later.get(node.name), draft.path(fault.at.offset)
        if command is None or not path or command.at.offset < path[0].at.offset or command.at.offset in moved:
            continue
        moved.add(command.at.offset)
        yield insertion(path[0].at.offset, f"{draft.source(command)}\n")
        yield _removal(draft, command)


def _named(command: NodeGroup) -> Iterator[str]:
    """Yield the sorts that a command declares."""
    first = command.arguments[0] if command.arguments else None
    rows = first.items if command.head == "declare-datatypes" and isinstance(first, NodeGroup) else (first,)
    for row in rows:
        name = row.items[0] if isinstance(row, NodeGroup) and row.items else row
        if isinstance(name, Atom):
            yield name.name


def _removal(draft: ProgramDraft, command: NodeGroup) -> RepairChange:
    return RepairChange(command.at.offset, draft.line_end(command), "")
