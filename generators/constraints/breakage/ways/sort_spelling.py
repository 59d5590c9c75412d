"""One sort that is spelt as in a programming language in all declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, atoms, replace_node, way
from generators.constraints.repair.edit_kind import ProgramDraft

if TYPE_CHECKING:
    from random import Random

SORTS = {
    "Int": ("int", "Integer", "integer"),
    "Bool": ("bool", "Boolean", "boolean"),
    "Real": ("real", "float", "Float"),
}


@way(
    "sort_spelling",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples int)\n(declare-const pears int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
        ),
    ),
)
def sort_spelling(program: str, random: Random) -> str | None:
    """Write one sort, wherever it is declared, as another language does."""
    draft = ProgramDraft(program)
    declared = [command for command in draft.script.commands if command.head.startswith("declare-")]
    found = [atom for atom in atoms(declared) if atom.text in SORTS]
    if not found:
        return None
    sort = random.choice(sorted({atom.text for atom in found}))
    name = random.choice(SORTS[sort])
    for atom in sorted(found, key=lambda one: -one.at.offset):
        if atom.text == sort:
            program = replace_node(program, atom, name)
    return program
