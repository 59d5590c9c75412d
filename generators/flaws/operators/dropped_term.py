"""Mutation operator: a term or a factor of a calculation is left out."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, leaves, mutation_operator, operations
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.program.evaluation.evaluator import value_of
from harness.solution.labels import ErrorType


@mutation_operator(
    "dropped_term",
    MutationExample(
        "# L1\nred = 3  # 3 pens\nblue = 4  # 4 pens\ngreen = 5  # 5 pens\npens = red + blue + green\n"
        "# L2\nlost = 2  # 2 pens\nleft = pens - lost",
        ("pens = red + blue", "pens = red + green", "pens = blue + green"),
    ),
    error_type=ErrorType.SKIPPED_STEP,
    explanation="The calculation leaves out {was}. It should be {right}, not {wrong}.",
)
def dropped_term(source: FlawSource) -> Iterator[Mutant]:
    """Yield each expression of three operands or more without a term or a factor, and each sum of two without either.

    Converted units are left to another operator, and so are a quantity and a share or a multiple of itself.
    """
    for place in operations(source, plain_steps=True):
        node, operands = place.node, leaves(source.expression(place.variable))
        if (len(operands) == 2 and node.operator != "+") or len(set(operands)) < len(operands):
            continue
        if node.operator not in "+-" and any(value_of(operand, source.values) == 1 for operand in operands):
            continue
        overlooked = ("a term overlooked", 0.2) if node.operator in "+-" else ("a factor overlooked", 0.1)
        alone = () if len(operands) > 2 else (("nothing is calculated any more", -0.3),)
        if node.operator in {"+", "-", "*", "/"} and not _is_compound(node.right, node.operator):
            yield place.mutant(node.left, overlooked, ("the last one", 0.2), *alone, was=node.right, now="nothing")
        if node.operator in {"+", "*"} and not _is_compound(node.left, node.operator):
            yield place.mutant(node.right, overlooked, *alone, was=node.left, now="nothing")


def _is_compound(node: ir.Expr, operator: str) -> bool:
    """Tell whether an operand is more than one term of a sum or one factor of a product."""
    if isinstance(node, ir.Binary):
        return operator in "*/" or node.operator in "+-"
    return not isinstance(node, ir.Name | ir.Const)
