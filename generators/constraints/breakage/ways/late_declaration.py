"""A declaration of a constant that stands after its first use."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, assertions, used_constant, way
from generators.constraints.repair.program_draft import ProgramDraft

_MOVED = "(declare-const pears Int)\n"


@way("late_declaration", example=EXAMPLE.replace(_MOVED, "").replace("(check-sat)", f"{_MOVED}(check-sat)"))
def late_declaration(draft: ProgramDraft, random: Random) -> str | None:
    """Move the declaration of a constant that is used to the end of the assertions."""
    command = used_constant(draft, random)
    if command is None or (last := assertions(draft)[-1]).end < command.at.offset:
        return None
    program = draft.text
    # Parentheses too many stay with the assertion they belong to.
    place = len(program) - len(program[last.end :].lstrip(")"))
    moved = f"{program[:place]}\n{draft.source(command)}{program[place:]}"
    return moved[: command.at.offset] + moved[draft.line_end(command) :]
