"""One surplus closing parenthesis in an assertion, as after a miscount."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, closing_parentheses, drawn, way
from generators.constraints.repair.program_draft import ProgramDraft


@way("extra_parenthesis", example=EXAMPLE.replace("(- 2))))", "(- 2)))))"))
def extra_parenthesis(draft: ProgramDraft, random: Random) -> str | None:
    """Write one closing parenthesis of an assertion twice."""
    place = drawn(random, closing_parentheses(draft))
    return None if place is None else f"{draft.text[:place]}){draft.text[place:]}"
