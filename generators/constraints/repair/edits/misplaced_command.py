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
    moved = list(_declarations(draft))
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
    """Yield the move of a declaration that stands behind the first use of its name."""
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


def _removal(draft: ProgramDraft, command: NodeGroup) -> RepairChange:
    return RepairChange(command.at.offset, draft.line_end(command), "")
