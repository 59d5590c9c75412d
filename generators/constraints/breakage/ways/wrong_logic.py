"""A logic that lacks what the program uses, or that does not exist."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, drawn, replaced, way
from generators.constraints.repair.program_draft import ProgramDraft
from harness.smtlib.script import read_script

LOGICS = ("QF_UF", "QF_LRA", "QF_LIA", "QF_BV", "LINEAR_INTEGER", "QF_INT", "SMT")


@way("wrong_logic", example=EXAMPLE.replace("QF_LIA", "QF_BV"))
def wrong_logic(draft: ProgramDraft, random: Random) -> str | None:
    """Set a logic the program does not fit."""
    commands = [command for command in draft.script.commands if command.head == "set-logic" and len(command.items) == 2]
    if not commands:
        return None
    # The reader decides which logic a program fits: numerals are reals where there are no integers.
    programs = (replaced(draft, (commands[0].items[1], name)) for name in LOGICS)
    return drawn(random, (text for text in programs if text != draft.text and not read_script(text).valid))
