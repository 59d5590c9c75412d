"""A program without `check-sat` and the commands that follow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, way
from generators.constraints.repair.edit_kind import ProgramDraft

if TYPE_CHECKING:
    from random import Random


@way(
    "missing_check",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n",
        ),
    ),
)
def missing_check(program: str, random: Random) -> str | None:
    """Leave out `(check-sat)` and what follows it."""
    del random
    draft = ProgramDraft(program)
    found = [command for command in draft.script.commands if command.head == "check-sat"]
    return program[: found[0].at.offset] if found else None
