"""One operator written between its arguments, as in `(a < b)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, assertions, groups, replace_node, way
from generators.constraints.repair.edit_kind import ProgramDraft

if TYPE_CHECKING:
    from random import Random

OPERATORS = ("<", "<=", ">", ">=", "=", "+", "-", "*")


@way(
    "infix",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (pears = (- 2))))\n(check-sat)\n",
        ),
    ),
)
def infix(program: str, random: Random) -> str | None:
    """Write one comparison, or sum in one, as `(a < b)`."""
    draft = ProgramDraft(program)
    found = [group for group in groups(assertions(draft), *OPERATORS) if len(group.items) == 3]
    if not found:
        return None
    group = random.choice(found)
    left, right = (draft.source(item) for item in group.items[1:])
    return replace_node(program, group, f"({left} {group.head} {right})")
