"""The solvable variant that is the original problem without an edit, with its solution and answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.variants.variant_operator import VariantExample, VariantProposal, variant_operator
from harness.constraint_system import ProblemClass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from generators.variants.variant_source import VariantSubject

EXAMPLES = (
    VariantExample(
        """
# L1
crates = 4 # 4 crates
melons = 6 # 6 melons
stocked = crates * melons
# L2
sold = 9 # 9 are sold
left = stocked - sold
""",
        "A stall has 4 crates of 6 melons each. By noon 9 melons are sold. How many melons are left?",
        ("A stall has 4 crates of 6 melons each. By noon 9 melons are sold. How many melons are left?",),
    ),
)


@variant_operator("original", problem_class=ProblemClass.SOLVABLE, examples=EXAMPLES)
def original(subject: VariantSubject, random: Random) -> Iterator[VariantProposal]:  # noqa: ARG001  # every operator takes both
    """Yield the problem without an edit, with its solution and answer."""
    problem = subject.source.problem
    yield VariantProposal(
        subject,
        "original",
        ProblemClass.SOLVABLE,
        (),
        subject.system,
        solution=problem.solution,
        answer=(problem.gold or "").strip(),
    )
