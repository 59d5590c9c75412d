"""The readable part of a program that cannot be repaired: its commands without a fault, as a program of their own."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from harness.smtlib.commands import DECLARING
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.logics import narrowest
from harness.smtlib.printer import write_script
from harness.smtlib.script import read_script

if TYPE_CHECKING:
    from harness.smtlib.s_expressions import NodeGroup
    from harness.smtlib.script import Script

MOST_ROUNDS, FEWEST_ROUNDS = 20, 4
MOST_READ = 120_000
"""Characters that are read in all rounds."""
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


def partial_program(script: Script) -> str:
    """Return a valid program of the declarations and assertions that have no fault; `NOTHING` where there are none.

    The omitted part may be the essential one: such a program says less than the text.
    """
    for _ in range(min(MOST_ROUNDS, max(FEWEST_ROUNDS, MOST_READ // (len(script.text) + 1)))):
        body = write_script(_without_faults(script))
        script = read_script(f"(set-logic ALL)\n{body}(check-sat)\n")
        if script.valid:
            # Under the narrowest logic it has no further fault, which is decided by the same features.
            return f"(set-logic {narrowest(script.features)})\n{body}(check-sat)\n"
        if not script.assertions:
            break
    return NOTHING


def _without_faults(script: Script) -> list[NodeGroup]:
    """Return the declarations and assertions in which no fault begins."""
    starts = [command.at.offset for command in script.commands]
    faulty = {bisect_right(starts, fault.at.offset) - 1 for fault in script.faults if fault.kind not in _OF_THE_WHOLE}
    return [command for number, command in enumerate(script.commands) if number not in faulty and command.head in _KEPT]
