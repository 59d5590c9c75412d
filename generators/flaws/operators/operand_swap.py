"""Mutation operator: the operands of a difference or a quotient are swapped."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator, operations
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.solution.labels import ErrorType


@mutation_operator(
    "operand_swap",
    MutationExample(
        "# L1\nmiles = 120 # 120 miles\nhours = 3 # 3 hours\nspeed = miles / hours\n# L2\ntwice = speed * 2",
        ("speed = hours / miles",),
    ),
    MutationExample("# L1\nm = 120 # 120 minutes\nf = 60 # 60 minutes in an hour\nh = m / f\n# L2\nhalf = h + h", ()),
    error_type=ErrorType.OPERAND_SWAP,
    explanation="The two sides of the operation are swapped: {now} in the place of {was}. It should be {right}, not {wrong}.",
)
def operand_swap(source: FlawSource) -> Iterator[Mutant]:
    """Yield the differences and quotients with their sides swapped; conversions of units are another operator's."""
    for place in operations(source):
        node = place.node
        if node.operator in {"-", "/"}:
            new = ir.Binary(node.operator, node.right, node.left)
            yield from place.mutants(new, ("the same numbers", 0.2), fractions=node.operator == "/")
