"""A declaration of a constant that is repeated later in the program."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, constants, drawn, way
from generators.constraints.repair.program_draft import ProgramDraft


@way("repeated_declaration", example=EXAMPLE.replace("Bool)\n", "Bool)\n(declare-const pears Int)\n"))
def repeated_declaration(draft: ProgramDraft, random: Random) -> str | None:
    """Declare a constant once more."""
    declaration = drawn(random, constants(draft))
    if declaration is None:
        return None
    commands = draft.script.commands
    end = commands[max(constant.command for constant in constants(draft))].end
    return f"{draft.text[:end]}\n{draft.source(commands[declaration.command])}{draft.text[end:]}"
