"""Negative numbers that are written with a minus sign, as in `-3`."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, assertions, groups, replaced, way
from generators.constraints.repair.program_draft import ProgramDraft
from harness.smtlib.s_expressions import Atom


@way("negative_literal", example=EXAMPLE.replace("(- 2)", "-2"))
def negative_literal(draft: ProgramDraft, random: Random) -> str | None:  # noqa: ARG001  # every way takes both
    """Write every negated number as `-3`."""
    changes = [
        (group, f"-{draft.source(number)}")
        for group in groups(assertions(draft), "-")
        if len(group.items) == 2 and isinstance(number := group.items[1], Atom) and number.text[0].isdigit()
    ]
    return replaced(draft, *changes) if changes else None
