"""Declarations of constants in the form of another language or of an older solver."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, replaced, way
from generators.constraints.repair.program_draft import ProgramDraft
from harness.smtlib.s_expressions import Atom

FORMS = (
    "(declare-var {name} {sort})",
    "(declare {name} {sort})",
    "(declare-const ({name} {sort}))",
    "(declare-const {name} () {sort})",
    "(declare-fun {name} {sort})",
)


@way(
    "declaration_form",
    example=EXAMPLE.replace("apples Int)", "(apples Int))")
    .replace("t pears Int)", "t (pears Int))")
    .replace("ripe Bool)", "(ripe Bool))"),
)
def declaration_form(draft: ProgramDraft, random: Random) -> str | None:
    """Write every declaration of a constant in one other form."""
    declarations = [
        command
        for command in draft.script.commands
        if command.head == "declare-const"
        and all(isinstance(item, Atom) for item in command.items)
        and len(command.items) == 3
    ]
    if not declarations:
        return None
    form = random.choice(FORMS)
    changes = []
    for command in declarations:
        name, sort = map(draft.source, command.arguments)
        changes.append((command, form.format(name=name, sort=sort)))
    return replaced(draft, *changes)
