"""A whole number written as a real one, or the reverse, where the sorts do not allow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, assertions, atoms, replace_node, way
from generators.constraints.repair.edit_kind import ProgramDraft
from harness.smtlib.faults import ScriptFaultKind
from harness.smtlib.s_expressions import AtomKind

if TYPE_CHECKING:
    from random import Random


@way(
    "mixed_numbers",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2.0))))\n(check-sat)\n",
        ),
    ),
)
def mixed_numbers(program: str, random: Random) -> str | None:
    """Write a whole number as a real one, or the reverse, where the sorts do not allow it."""
    draft = ProgramDraft(program)
    numerals = [atom for atom in atoms(assertions(draft)) if atom.kind in {AtomKind.NUMERAL, AtomKind.DECIMAL}]
    if not numerals:
        return None
    atom = random.choice(numerals)
    after = f"{atom.text}.0" if atom.kind is AtomKind.NUMERAL else atom.text.removesuffix(".0")
    changed = replace_node(program, atom, after)
    before = len(draft.faults(ScriptFaultKind.WRONG_SORT, ScriptFaultKind.NARROW_LOGIC))
    return (
        changed
        if len(ProgramDraft(changed).faults(ScriptFaultKind.WRONG_SORT, ScriptFaultKind.NARROW_LOGIC)) > before
        else None
    )
