"""Commands that state nothing about the problem and must not reach a solver."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import NodeGroup
from harness.text.lexicon import word_lists

# Without these a program asserts the same; `reset` decides what holds where, and so may `push` and `pop`.
_IDLE = word_lists(__file__).words("idle")


@edit_kind(
    "refused_command",
    order=170,
    examples=(
        RepairExample(
            '(set-option :timeout 5000)\n(declare-const x Int)\n(assert (> x 3))\n(echo "now")\n(check-sat)\n(exit)\n',
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(pop 1)\n(push 1)\n(assert (> x 3))\n(check-sat)\n(pop 1)\n",
            "(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n",
        ),
        RepairExample(
            "(declare-const x Int)\n(push)\n(assert (> x 3))\n(check-sat)\n(pop)\n(assert (< x 3))\n(check-sat)\n",
            "(declare-const x Int)\n(push)\n(assert (> x 3))\n(check-sat)\n(pop)\n(assert (< x 3))\n(check-sat)\n",
        ),
    ),
)
def refused_command(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Leave out commands that ask a solver for something or set an option, and on which no assertion depends."""
    levels = _idle_levels(draft)
    for _, command in draft.faulty(NodeGroup, ScriptFaultKind.REFUSED_COMMAND, ScriptFaultKind.MALFORMED_COMMAND):
        if command.head in _IDLE or command in levels:
            yield RepairChange(command.at.offset, draft.line_end(command), "")


def _idle_levels(draft: ProgramDraft) -> list[NodeGroup]:
    """Return all `push` and `pop` of a program where none of them withdraws an assertion before the last question."""
    levels = [command for command in draft.script.commands if command.head in {"push", "pop"}]
    depth = 0
    for number, command in enumerate(draft.script.commands):
        if command.head == "push":
            depth += 1
        elif command.head == "pop" and depth:
            depth -= 1
            later = draft.script.commands[number + 1 :]
            if any(
                other.head in {"assert", "check-sat"} or other.head.startswith(("declare", "define")) for other in later
            ):
                return []
    return levels
