"""The readable part of a program that cannot be repaired: its commands without a fault, as a program of their own."""

from __future__ import annotations

from bisect import bisect_right

from harness.smtlib.commands import DECLARING
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.logics import narrowest
from harness.smtlib.parser import LONGEST
from harness.smtlib.printer import write_script
from harness.smtlib.script import Script, read_script

MOST_ROUNDS = 20
NOTHING = "(set-logic QF_UF)\n(assert true)\n(check-sat)\n"
"""The program of a text in which no assertion can be read."""
_KEPT = DECLARING | {"assert"}
_OF_THE_WHOLE = frozenset(
    {
        ScriptFaultKind.NO_CHECK,
        ScriptFaultKind.NO_ASSERTION,
        ScriptFaultKind.EMPTY,
        ScriptFaultKind.TOO_LONG,
        ScriptFaultKind.UNKNOWN_LOGIC,
        ScriptFaultKind.NARROW_LOGIC,
    }
)
"""Faults that are no fault of the command at which they are placed."""


def partial_program(text: str) -> str:
    """Return a valid program of the declarations and assertions of a text that have no fault; `NOTHING` where there are none.

    What is left out may be what the problem turns on: such a program says less than the text.
    """
    script = read_script(text[:LONGEST])
    for _ in range(MOST_ROUNDS):
        program = _without_faults(script)
        script = read_script(program)
        if script.valid:
            return program
        if not script.assertions:
            break
    return NOTHING


def _without_faults(script: Script) -> str:
    """Return the commands in which no fault begins, under the narrowest logic for what they use."""
    starts = [command.at.offset for command in script.commands]
    faulty = {bisect_right(starts, fault.at.offset) - 1 for fault in script.faults if fault.kind not in _OF_THE_WHOLE}
    kept = [command for number, command in enumerate(script.commands) if number not in faulty and command.head in _KEPT]
    body = write_script(kept)
    features = read_script(f"(set-logic ALL)\n{body}(check-sat)\n").features
    return f"(set-logic {narrowest(features)})\n{body}(check-sat)\n"
