"""One use of a declared name with a spelling error in one or two letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, assertions, atoms, replace_node, way
from generators.constraints.repair.edit_kind import ProgramDraft

if TYPE_CHECKING:
    from random import Random

SHORTEST = 4


@way(
    "misspelt_name",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples peears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
        ),
    ),
)
def misspelt_name(program: str, random: Random) -> str | None:
    """Misspell a declared name where it is used once: a letter left out, doubled, or swapped with the next."""
    draft = ProgramDraft(program)
    declared = {one.name for one in draft.script.declarations if len(one.name) > SHORTEST and one.name.isidentifier()}
    found = [atom for atom in atoms(assertions(draft)) if atom.text in declared]
    if not found:
        return None
    atom = random.choice(found)
    name = atom.text
    place = random.choice([one for one in range(1, len(name) - 1) if name[one].isalpha()] or [0])
    slips = (
        name[:place] + name[place + 1 :],
        name[:place] + name[place] + name[place:],
        name[:place] + name[place + 1] + name[place] + name[place + 2 :],
    )
    slip = random.choice(slips)
    return None if slip in draft.used or not place else replace_node(program, atom, slip)
