"""One operator written between its arguments, as in `(a < b)`."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, assertions, drawn, groups, replaced, way
from generators.constraints.repair.program_draft import ProgramDraft

OPERATORS = ("<", "<=", ">", ">=", "=", "+", "-", "*")


@way("infix", example=EXAMPLE.replace("(= pears", "(pears ="))
def infix(draft: ProgramDraft, random: Random) -> str | None:
    """Write one comparison, or sum in one, as `(a < b)`."""
    group = drawn(random, (group for group in groups(assertions(draft), *OPERATORS) if len(group.items) == 3))
    if group is None:
        return None
    left, right = map(draft.source, group.arguments)
    return replaced(draft, (group, f"({left} {group.head} {right})"))
