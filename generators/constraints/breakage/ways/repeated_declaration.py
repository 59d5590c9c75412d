"""A declaration of a constant that is repeated later in the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, way
from generators.constraints.repair.edit_kind import ProgramDraft

if TYPE_CHECKING:
    from random import Random


@way(
    "repeated_declaration",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(declare-const pears Int)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
        ),
    ),
)
def repeated_declaration(program: str, random: Random) -> str | None:
    """Declare a constant once more."""
    draft = ProgramDraft(program)
    found = [one for one in draft.script.declarations if one.body is None]
    if not found:
        return None
    command = draft.script.commands[random.choice(found).command]
    last = draft.script.commands[max(one.command for one in found)]
    return f"{program[: last.end]}\n{draft.source(command)}{program[last.end :]}"
