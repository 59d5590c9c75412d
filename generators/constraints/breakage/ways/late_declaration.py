"""A declaration of a constant that stands after its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, assertions, atoms, way
from generators.constraints.repair.edit_kind import ProgramDraft

if TYPE_CHECKING:
    from random import Random


@way(
    "late_declaration",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(declare-const pears Int)\n(check-sat)\n",
        ),
    ),
)
def late_declaration(program: str, random: Random) -> str | None:
    """Move the declaration of a constant that is used to the end of the assertions."""
    draft = ProgramDraft(program)
    used = {atom.name for atom in atoms(assertions(draft))}
    found = [one for one in draft.script.declarations if one.body is None and one.name in used]
    if not found:
        return None
    command = draft.script.commands[random.choice(found).command]
    last = assertions(draft)[-1]
    if last.end < command.at.offset:
        return None
    end = command.end + (program[command.end : command.end + 1] == "\n")
    # Parentheses too many stay with the assertion they belong to.
    place = len(program) - len(program[last.end :].lstrip(")"))
    moved = f"{program[:place]}\n{draft.source(command)}{program[place:]}"
    return moved[: command.at.offset] + moved[end:]
