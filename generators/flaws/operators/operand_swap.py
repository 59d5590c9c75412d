"""Mutation operator: the operands of a difference or a quotient are swapped."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.quantity_confusion import value_reasons
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.step_nodes import operations, value_of
from harness.program import ir
from harness.solution.labels import ErrorType


@mutation_operator(
    "operand_swap",
    error_type=ErrorType.OPERAND_SWAP,
    explanation="The two numbers of this step are swapped. It should be {right}, not {wrong}.",
    examples=(
        MutationExample(
            "# L1\nmiles = 120 # 120 miles\nhours = 3 # 3 hours\nspeed = miles / hours\n# L2\ntwice = speed * 2",
            (("speed", "hours / miles"),),
        ),
        MutationExample(
            "# L1\nminutes = 120 # 120 minutes\nminutes_per_hour = 60\nhours = minutes / minutes_per_hour\n"
            "# L2\nhalf = hours + hours",
            (),
        ),
    ),
)
def operand_swap(source: FlawSource) -> Iterator[Mutant]:
    """Yield the differences and quotients with their sides swapped; conversions of units are another operator's."""
    for place in operations(source):
        node = place.node
        if node.operator not in {"-", "/"}:
            continue
        new = ir.Binary(node.operator, node.right, node.left)
        before, after = value_of(node, source.values), value_of(new, source.values)
        if before is not None and after is not None and before != after:
            reasons = (("the same numbers", 0.2), *value_reasons(before, after))
            yield place.mutant(new, *reasons, fractions=node.operator == "/")
