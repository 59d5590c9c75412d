"""A program between code fences, explanatory sentences, or both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, way
from generators.constraints.repair.edit_kind import ProgramDraft

if TYPE_CHECKING:
    from random import Random

LEADS = (
    "Here is the SMT-LIB program for the problem:",
    "Sure! We (1) declare the constants and (2) assert what the text says.",
    "Program:",
)
TAILS = (
    "This program declares all variables and checks whether the constraints can hold.",
    "The solver answers sat (see the model).",
    "Let me know if you need anything else!",
)


@way(
    "wrapped",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "```\n(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n```\n",
        ),
    ),
)
def wrapped(program: str, random: Random) -> str | None:
    """Put the program between fences and sentences, or only the one or the other."""
    if "```" in program or not ProgramDraft(program).script.commands:
        return None
    lead, tail = random.choice(LEADS), random.choice(TAILS)
    match random.randrange(3):
        case 0:
            return f"{lead}\n\n```smt2\n{program}```\n\n{tail}\n"
        case 1:
            return f"```\n{program}```\n"
    return f"{lead}\n{program}{tail}\n"
