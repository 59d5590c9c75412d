"""One operator that is written as in C or Python wherever it occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, assertions, groups, replace_node, way
from generators.constraints.repair.edit_kind import ProgramDraft

if TYPE_CHECKING:
    from random import Random

SIGNS = {
    "and": ("&&", "And", "AND"),
    "or": ("||", "Or", "OR"),
    "not": ("!", "Not"),
    "=": ("==",),
    "distinct": ("!=", "AllDifferent", "Distinct", "neq"),
    "=>": ("->", "implies", "==>", "Implies"),
}


@way(
    "operator_signs",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (&& (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
        ),
    ),
)
def operator_signs(program: str, random: Random) -> str | None:
    """Write one operator, wherever it stands, as another language does."""
    draft = ProgramDraft(program)
    found = {group.head for group in groups(assertions(draft), *SIGNS)}
    if not found:
        return None
    head = random.choice(sorted(found))
    sign = random.choice(SIGNS[head])
    for group in sorted(groups(assertions(draft), head), key=lambda one: -one.at.offset):
        program = replace_node(program, group.items[0], sign)
    return program
