"""One sort that is spelt as in a programming language in all declarations."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, atoms, drawn, replaced, way
from generators.constraints.repair.program_draft import ProgramDraft

SORTS = {
    "Int": ("int", "Integer", "integer"),
    "Bool": ("bool", "Boolean", "boolean"),
    "Real": ("real", "float", "Float"),
}


@way("sort_spelling", example=EXAMPLE.replace("Int)", "int)"))
def sort_spelling(draft: ProgramDraft, random: Random) -> str | None:
    """Write one sort, wherever it is declared, as another language does."""
    declarations = [command for command in draft.script.commands if command.head.startswith("declare-")]
    sort = drawn(random, sorted({atom.text for atom in atoms(declarations) if atom.text in SORTS}))
    if sort is None:
        return None
    name = random.choice(SORTS[sort])
    return replaced(draft, *((atom, name) for atom in atoms(declarations) if atom.text == sort))
