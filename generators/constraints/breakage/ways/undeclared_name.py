"""A constant or function that is used without its declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, assertions, atoms, way
from generators.constraints.repair.edit_kind import ProgramDraft

if TYPE_CHECKING:
    from random import Random


@way(
    "undeclared_name",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
        ),
    ),
)
def undeclared_name(program: str, random: Random) -> str | None:
    """Leave out the declaration of a constant or function that is used."""
    draft = ProgramDraft(program)
    used = {atom.name for atom in atoms(assertions(draft))}
    found = [one for one in draft.script.declarations if one.body is None and one.name in used]
    if not found:
        return None
    command = draft.script.commands[random.choice(found).command]
    end = command.end + (program[command.end : command.end + 1] == "\n")
    return program[: command.at.offset] + program[end:]
