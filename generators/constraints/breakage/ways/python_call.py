"""One application that is written as a Python call, as in `And(a, b)`."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, assertions, drawn, groups, replaced, way
from generators.constraints.repair.program_draft import ProgramDraft

NAMES = {"and": "And", "or": "Or", "not": "Not", "=>": "Implies", "distinct": "Distinct", "ite": "If"}


@way("python_call", example=EXAMPLE.replace("(distinct apples pears)", "Distinct(apples, pears)"))
def python_call(draft: ProgramDraft, random: Random) -> str | None:
    """Write one application as `And(a, b)` does, those inside it left as they are."""
    group = drawn(random, (group for group in groups(assertions(draft), *NAMES) if len(group.items) > 1))
    if group is None:
        return None
    return replaced(draft, (group, f"{NAMES[group.head]}({', '.join(map(draft.source, group.arguments))})"))
