"""A constant or function that is used without its declaration."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, used_constant, way
from generators.constraints.repair.program_draft import ProgramDraft


@way("undeclared_name", example=EXAMPLE.replace("(declare-const pears Int)\n", ""))
def undeclared_name(draft: ProgramDraft, random: Random) -> str | None:
    """Leave out the declaration of a constant or function that is used."""
    command = used_constant(draft, random)
    return None if command is None else draft.text[: command.at.offset] + draft.text[draft.line_end(command) :]
