"""One formula that stands at the top level without the command `assert`."""

from __future__ import annotations

from random import Random

from generators.constraints.breakage.breakage import EXAMPLE, assertions, drawn, replaced, way
from generators.constraints.repair.program_draft import ProgramDraft
from harness.smtlib.s_expressions import NodeGroup


@way("missing_assert", example=EXAMPLE.replace("(assert (=> ripe (= pears (- 2))))", "(=> ripe (= pears (- 2)))"))
def missing_assert(draft: ProgramDraft, random: Random) -> str | None:
    """Leave out the `assert` around one formula."""
    command = drawn(random, (command for command in assertions(draft) if isinstance(command.items[1], NodeGroup)))
    return None if command is None else replaced(draft, (command, draft.source(command.items[1])))
