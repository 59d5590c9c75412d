"""A missing `check-sat` command, or assertions after the last one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.faults import ScriptFaultKind

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """Ask behind the last assertion."""
    asserts = [command for command in draft.script.commands if command.head == "assert"]
    if not asserts or not _missing(draft, asserts[-1]):
        return
    end = draft.text.find("\n", asserts[-1].end)
    line = draft.text[asserts[-1].end : end if end >= 0 else len(draft.text)]
    if line.strip() and not line.strip().startswith(";"):
        yield RepairChange(asserts[-1].end, asserts[-1].end, "\n(check-sat)\n")
    elif end < 0:
        yield RepairChange(len(draft.text), len(draft.text), "\n(check-sat)\n")
    else:
        yield RepairChange(end + 1, end + 1, "(check-sat)\n")


def _missing(draft: ProgramDraft, last: NodeGroup) -> bool:
    if draft.faults(ScriptFaultKind.NO_CHECK):
        return True
    misplaced = draft.faults(ScriptFaultKind.MISPLACED_COMMAND)
    checks = [command for command in draft.script.commands if command.head == "check-sat"]
    return bool(misplaced) and bool(checks) and checks[-1].at.offset < last.at.offset
