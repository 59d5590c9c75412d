"""One formula that stands at the top level without the command `assert`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.constraints.breakage.breakage import BreakingExample, assertions, replace_node, way
from generators.constraints.repair.edit_kind import ProgramDraft
from harness.smtlib.s_expressions import NodeGroup

if TYPE_CHECKING:
    from random import Random


@way(
    "missing_assert",
    examples=(
        BreakingExample(
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(assert (=> ripe (= pears (- 2))))\n(check-sat)\n",
            "(set-logic QF_LIA)\n(declare-const apples Int)\n(declare-const pears Int)\n(declare-const ripe Bool)\n(assert (and (> apples 3) (distinct apples pears)))\n(=> ripe (= pears (- 2)))\n(check-sat)\n",
        ),
    ),
)
def missing_assert(program: str, random: Random) -> str | None:
    """Leave out the `assert` around one formula."""
    draft = ProgramDraft(program)
    found = [command for command in assertions(draft) if isinstance(command.items[1], NodeGroup)]
    if not found:
        return None
    command = random.choice(found)
    return replace_node(program, command, draft.source(command.items[1]))
