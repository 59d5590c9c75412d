"""Declarations of constants in the form of another language or of an older solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, replace_node, way
from generators.constraints.repair.edit_kind import ProgramDraft
from harness.smtlib.s_expressions import Atom

if TYPE_CHECKING:
    from random import Random

FORMS = (
    "(declare-var {name} {sort})",
    "(declare {name} {sort})",
    "(declare-const ({name} {sort}))",
    "(declare-const {name} () {sort})",
    "(declare-fun {name} {sort})",
)


@way(
    "declaration_form",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const (apples Int))\n(declare-const (pears Int))\n(declare-const (ripe Bool))\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
        ),
    ),
)
def declaration_form(program: str, random: Random) -> str | None:
    """Write every declaration of a constant in one other form."""
    draft = ProgramDraft(program)
    found = [
        command
        for command in draft.script.commands
        if command.head == "declare-const"
        and all(isinstance(item, Atom) for item in command.items)
        and len(command.items) == 3
    ]
    if not found:
        return None
    form = random.choice(FORMS)
    for command in reversed(found):
        name, sort = (draft.source(item) for item in command.arguments)
        program = replace_node(program, command, form.format(name=name, sort=sort))
    return program
