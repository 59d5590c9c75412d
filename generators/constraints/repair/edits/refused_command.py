"""Commands that state nothing about the problem and must not reach a solver."""

from __future__ import annotations

from collections.abc import Iterator

from generators.constraints.repair.edit_kind import ProgramDraft, RepairChange, RepairExample, edit_kind
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import NodeGroup
from harness.text.lexicon import word_lists

# Without these a program asserts the same; `push`, `pop` and `reset` decide what holds where.
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
            "(declare-const x Int)\n(push)\n(assert (> x 3))\n(check-sat)\n(pop)\n",
            "(declare-const x Int)\n(push)\n(assert (> x 3))\n(check-sat)\n(pop)\n",
        ),
    ),
)
def refused_command(draft: ProgramDraft) -> Iterator[RepairChange]:
    """Leave out what asks a solver for something or sets it, and no assertion depends on."""
    for _, command in draft.faulty(NodeGroup, ScriptFaultKind.REFUSED_COMMAND, ScriptFaultKind.MALFORMED_COMMAND):
        if command.head in _IDLE:
            yield RepairChange(command.at.offset, draft.line_end(command), "")
