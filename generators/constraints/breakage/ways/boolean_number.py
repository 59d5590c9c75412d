"""Comparison of a constant of sort Bool with 0 or 1 in place of the constant itself."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, assertions, drawn, groups, replaced, way
from generators.constraints.repair.program_draft import ProgramDraft
from harness.smtlib.s_expressions import Atom


@way("boolean_number", example=EXAMPLE.replace("=> ripe", "=> (= ripe 1)"))
def boolean_number(draft: ProgramDraft, random: Random) -> str | None:
    """Compare a constant of sort Bool with 0 or 1 where it stands for itself."""
    booleans = {
        declaration.name
        for declaration in draft.script.declarations
        if declaration.sort == "Bool" and not declaration.sorts
    }
    use = drawn(
        random,
        (
            (item, group)
            for group in groups(assertions(draft), "and", "or", "not", "=>", "assert")
            for item in group.arguments
            if isinstance(item, Atom) and item.name in booleans
        ),
    )
    if use is None:
        return None
    item, group = use
    return replaced(draft, (group, f"(= {item.text} 0)") if group.head == "not" else (item, f"(= {item.text} 1)"))
