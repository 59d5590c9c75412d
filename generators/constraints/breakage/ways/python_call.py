"""One application that is written as a Python call, as in `And(a, b)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, assertions, groups, replace_node, way
from generators.constraints.repair.edit_kind import ProgramDraft

if TYPE_CHECKING:
    from random import Random

NAMES = {"and": "And", "or": "Or", "not": "Not", "=>": "Implies", "distinct": "Distinct", "ite": "If"}


@way(
    "python_call",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) Distinct(apples, pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
        ),
    ),
)
def python_call(program: str, random: Random) -> str | None:
    """Write one application as `And(a, b)` does, those inside it left as they are."""
    draft = ProgramDraft(program)
    found = [group for group in groups(assertions(draft), *NAMES) if len(group.items) > 1]
    if not found:
        return None
    group = random.choice(found)
    arguments = ", ".join(draft.source(item) for item in group.arguments)
    return replace_node(program, group, f"{NAMES[group.head]}({arguments})")
