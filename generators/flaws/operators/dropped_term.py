"""Mutation operator: a term or a factor of a calculation is left out."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.quantity_confusion import leaves, variables_clash
from generators.flaws.mutation_operator import Mutant, MutationExample, Reason, mutation_operator
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.step_nodes import StepNode, operations, value_of
from harness.program import ir
from harness.program.expression_nodes import nodes, replaced
from harness.solution.labels import ErrorType


@mutation_operator(
    "dropped_term",
    error_type=ErrorType.SKIPPED_STEP,
    explanation="The calculation leaves out {was}. It should be {right}, not {wrong}.",
    examples=(
        MutationExample(
            "# L1\nred = 3  # 3 pens\nblue = 4  # 4 pens\ngreen = 5  # 5 pens\npens = red + blue + green\n"
            "# L2\nlost = 2  # 2 pens\nleft = pens - lost",
            (("pens", "red + blue"), ("pens", "red + green"), ("pens", "blue + green")),
        ),
        MutationExample(
            "# L1\nrows = 4  # 4 rows\nseats = 6  # 6 seats\nhalls = 2  # 2 halls\nplaces = rows * seats * halls\n"
            "# L2\ntaken = 9  # 9 seats\nfree = places - taken",
            (("places", "rows * seats"), ("places", "rows * halls"), ("places", "seats * halls")),
        ),
    ),
)
def dropped_term(source: FlawSource) -> Iterator[Mutant]:
    """Yield each expression of three operands or more without a term or a factor, and each sum of two without either.

    Converted units are left to another operator, and so are a quantity and a share or a multiple of itself.
    """
    for place in operations(source, plain_steps=True):
        expression = source.expression(place.variable)
        operands = leaves(expression)
        if (len(operands) == 2 and place.node.operator != "+") or len(set(operands)) < len(operands):
            continue
        if not any(value_of(operand, source.values) == 1 for operand in operands):
            for dropped, kept in _droppable(place.node):
                yield _mutant(place, dropped, kept)


def _droppable(node: ir.Binary) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """Yield the operands that can be forgotten and the rest without them, the last operand first."""
    if node.operator in {"+", "-", "*", "/"} and not _is_compound(node.right, node.operator):
        yield node.right, node.left
    if node.operator in {"+", "*"} and not _is_compound(node.left, node.operator):
        yield node.left, node.right


def _is_compound(node: ir.Expr, operator: str) -> bool:
    """Tell whether an operand is more than one term of a sum or one factor of a product."""
    if not isinstance(node, ir.Binary):
        return not isinstance(node, ir.Name | ir.Const)
    return operator in "*/" or node.operator in "+-"


def _mutant(place: StepNode[ir.Binary], dropped: ir.Expr, kept: ir.Expr) -> Mutant:
    source = place.source
    reasons: list[Reason] = [
        ("a term overlooked", 0.2) if place.node.operator in "+-" else ("a factor overlooked", 0.1)
    ]
    if dropped is place.node.right:
        reasons.append(("the last one", 0.2))
    expression = replaced(source.expression(place.variable), place.path, kept)
    if not isinstance(expression, ir.Binary):
        reasons.append(("nothing is calculated any more", -0.3))
    for _, node in nodes(expression):
        match node:
            case ir.Binary("+" | "-", ir.Name(left), ir.Name(right)) if variables_clash(source, left, right):
                reasons.append(("unlike quantities added", -0.4))
    return place.mutant(kept, *reasons, was=dropped, now="nothing")
