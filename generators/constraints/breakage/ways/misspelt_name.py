"""One use of a declared name with a spelling error in one or two letters."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, assertions, atoms, drawn, replaced, way
from generators.constraints.repair.program_draft import ProgramDraft

SHORTEST = 4


@way("misspelt_name", example=EXAMPLE.replace("apples pears)", "apples peears)"))
def misspelt_name(draft: ProgramDraft, random: Random) -> str | None:
    """Misspell a declared name where it is used once: a letter left out, doubled, or swapped with the next."""
    declared = {
        declaration.name
        for declaration in draft.script.declarations
        if len(declaration.name) > SHORTEST and declaration.name.isidentifier()
    }
    atom = drawn(random, (atom for atom in atoms(assertions(draft)) if atom.text in declared))
    if atom is None:
        return None
    name = atom.text
    place = random.choice([place for place in range(1, len(name) - 1) if name[place].isalpha()] or [0])
    slips = (
        name[:place] + name[place + 1 :],
        name[:place] + name[place] + name[place:],
        name[:place] + name[place + 1] + name[place] + name[place + 2 :],
    )
    slip = random.choice(slips)
    return None if slip in draft.used or not place else replaced(draft, (atom, slip))
