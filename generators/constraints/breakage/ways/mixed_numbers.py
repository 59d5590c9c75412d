"""A whole number written as a real one, or the reverse, where the sorts do not allow it."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, assertions, atoms, drawn, replaced, way
from generators.constraints.repair.program_draft import ProgramDraft
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import AtomKind


@way("mixed_numbers", example=EXAMPLE.replace("(- 2)", "(- 2.0)"))
def mixed_numbers(draft: ProgramDraft, random: Random) -> str | None:
    """Write a whole number as a real one, or the reverse, where the sorts do not allow it."""
    numbers = (atom for atom in atoms(assertions(draft)) if atom.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL})
    atom = drawn(random, numbers)
    if atom is None:
        return None
    after = f"{atom.text}.0" if atom.kind is AtomKind.NUMERAL else atom.text.removesuffix(".0")
    changed = replaced(draft, (atom, after))
    return changed if _sort_faults(ProgramDraft(changed)) > _sort_faults(draft) else None


def _sort_faults(draft: ProgramDraft) -> int:
    return len(draft.faults(ScriptFaultKind.WRONG_SORT, ScriptFaultKind.NARROW_LOGIC))
