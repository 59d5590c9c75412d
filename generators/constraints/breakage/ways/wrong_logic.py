"""A logic that lacks what the program uses, or that does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, replace_node, way
from generators.constraints.repair.edit_kind import ProgramDraft
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from random import Random

LOGICS = ("QF_UF", "QF_LRA", "QF_LIA", "QF_BV", "LINEAR_INTEGER", "QF_INT", "SMT")


@way(
    "wrong_logic",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_BV)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
        ),
    ),
)
def wrong_logic(program: str, random: Random) -> str | None:
    """Set a logic the program does not fit."""
    draft = ProgramDraft(program)
    commands = [command for command in draft.script.commands if command.head == "set-logic" and len(command.items) == 2]
    if not commands:
        return None
    # Which logic a program fits is for the reader to say: numerals are reals where there are no integers.
    texts = [replace_node(program, commands[0].items[1], name) for name in LOGICS]
    found = [text for text in texts if text != program and not read_script(text).valid]
    return random.choice(found) if found else None
