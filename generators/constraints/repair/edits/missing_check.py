"""A missing `check-sat` command, or assertions after the last one."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind, insertion
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import NodeGroup


@edit_kind(
    "missing_check",
    order=810,
    examples=(
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3))\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(assert (> x 3))\n(get-model)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n(get-model)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(check-sat)\n(assert (> x 3))\n",
            "(declare-const x Int)\n(check-sat)\n(assert (> x 3))\n(check-sat)\n",
        ),
    ),
)
def missing_check(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Ask after the last assertion."""
    asserts = [command for command in draft.script.commands if command.head == "assert"]
    if not asserts or not _lacks_check(draft, asserts[-1]):
        return
    start, end = asserts[-1].end, draft.end_of_line(asserts[-1].end)
    rest = draft.text[start:end].strip()
    if rest and not rest.startswith(";"):
        yield insertion(start, "\n(check-sat)\n")
    elif end == len(draft.text):
        yield insertion(end, "\n(check-sat)\n")
    else:
        yield insertion(end + 1, "(check-sat)\n")


def _lacks_check(draft: ProgramDraft, last: NodeGroup) -> bool:
    if draft.faults(ScriptFaultKind.NO_CHECK):
        return True
    misplaced = draft.faults(ScriptFaultKind.MISPLACED_COMMAND)
    checks = [command for command in draft.script.commands if command.head == "check-sat"]
    return bool(misplaced) and bool(checks) and checks[-1].at.offset < last.at.offset
