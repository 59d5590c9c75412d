"""One missing closing parenthesis in an assertion, as after a miscount."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, closing_parentheses, way
from generators.constraints.repair.edit_kind import ProgramDraft

if TYPE_CHECKING:
    from random import Random


@way(
    "missing_parenthesis",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2)))\n(check-sat)\n",
        ),
    ),
)
def missing_parenthesis(program: str, random: Random) -> str | None:
    """Leave out one closing parenthesis of an assertion."""
    places = closing_parentheses(ProgramDraft(program), program)
    if not places:
        return None
    place = random.choice(places)
    return program[:place] + program[place + 1 :]
