"""Negative numbers that are written with a minus sign, as in `-3`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, assertions, groups, replace_node, way
from generators.constraints.repair.edit_kind import ProgramDraft
from harness.smtlib.s_expressions import Atom

if TYPE_CHECKING:
    from random import Random


@way(
    "negative_literal",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears -2)))\n(check-sat)\n",
        ),
    ),
)
def negative_literal(program: str, random: Random) -> str | None:
    """Write every negated number as `-3`."""
    del random
    draft = ProgramDraft(program)
    found = [
        group
        for group in groups(assertions(draft), "-")
        if len(group.items) == 2 and isinstance(number := group.items[1], Atom) and number.text[0].isdigit()
    ]
    for group in reversed(found):
        program = replace_node(program, group, f"-{draft.source(group.items[1])}")
    return program if found else None
