"""One operator that is written as in C or Python wherever it occurs."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, assertions, drawn, groups, replaced, way
from generators.constraints.repair.program_draft import ProgramDraft

SIGNS = {
    "and": ("&&", "And", "AND"),
    "or": ("||", "Or", "OR"),
    "not": ("!", "Not"),
    "=": ("==",),
    "distinct": ("!=", "AllDifferent", "Distinct", "neq"),
    "=>": ("->", "implies", "==>", "Implies"),
}


@way("operator_signs", example=EXAMPLE.replace("(and", "(&&"))
def operator_signs(draft: ProgramDraft, random: Random) -> str | None:
    """Write one operator, wherever it stands, as another language does."""
    head = drawn(random, sorted({group.head for group in groups(assertions(draft), *SIGNS)}))
    if head is None:
        return None
    sign = random.choice(SIGNS[head])
    return replaced(draft, *((group.items[0], sign) for group in groups(assertions(draft), head)))
