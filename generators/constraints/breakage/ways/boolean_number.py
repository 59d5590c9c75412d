"""Comparison of a constant of sort Bool with 0 or 1 in place of the constant itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, assertions, groups, replace_node, way
from generators.constraints.repair.edit_kind import ProgramDraft
from harness.smtlib.s_expressions import Atom

if TYPE_CHECKING:
    from random import Random


@way(
    "boolean_number",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> (= ripe 1) (= pears (- 2))))\n(check-sat)\n",
        ),
    ),
)
def boolean_number(program: str, random: Random) -> str | None:
    """Compare a constant of sort Bool with 0 or 1 where it stands for itself."""
    draft = ProgramDraft(program)
    booleans = {one.name for one in draft.script.declarations if one.sort == "Bool" and not one.sorts}
    found = [
        (item, group)
        for group in groups(assertions(draft), "and", "or", "not", "=>", "assert")
        for item in group.arguments
        if isinstance(item, Atom) and item.name in booleans
    ]
    if not found:
        return None
    item, group = random.choice(found)
    if group.head == "not":
        return replace_node(program, group, f"(= {item.text} 0)")
    return replace_node(program, item, f"(= {item.text} 1)")
