"""A program without `check-sat` and the commands that follow it."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, way
from generators.constraints.repair.program_draft import ProgramDraft


@way("missing_check", example=EXAMPLE.replace("(check-sat)\n", ""))
def missing_check(draft: ProgramDraft, random: Random) -> str | None:  # noqa: ARG001  # every way takes both
    """Leave out `(check-sat)` and what follows it."""
    checks = (command.at.offset for command in draft.script.commands if command.head == "check-sat")
    end = next(checks, None)
    return None if end is None else draft.text[:end]
