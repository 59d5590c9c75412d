"""Mutation operator: a term or a factor of a calculation is left out."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.linear_equations import counts_the_unknown
from generators.flaws.knowledge.problem_conditions import overlooked_by_condition
from generators.flaws.knowledge.quantity_roles import is_bare_factor, leaves, reader_text, variables_clash
from generators.flaws.mutants.step_node import StepNode, operations_of_plain_steps
from generators.flaws.mutation_operator import Mutant, MutationExample, Reason, mutation_operator
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.program.expression_nodes import node_at, nodes
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import NOTHING, explanation_phrases

_PHRASES = explanation_phrases("dropped_term")
EXAMPLES = (
    MutationExample(
        "# L1\nred = 3  # 3 pens\nblue = 4  # 4 pens\ngreen = 5  # 5 pens\npens = red + blue + green\n"
        "# L2\nlost = 2  # 2 pens\nleft = pens - lost",
        (("pens", "red + blue"), ("pens", "red + green"), ("pens", "blue + green")),
    ),
    MutationExample(
        "# L1\nfee = 10  # a fee of $10\nhours = 3  # 3 hours\nrate = 5  # $5 an hour\nrent = fee + hours * rate\n"
        "# L2\ntip = 2  # $2\npaid = rent + tip",
        (
            ("rent", "hours * rate"),
            ("rent", "fee"),
            ("rent", "fee + rate"),
            ("paid", "rent"),
            ("rent", "fee + hours"),
            ("paid", "tip"),
        ),
    ),
    MutationExample(
        "# L1\nrows = 4  # 4 rows\nseats = 6  # 6 seats\nhalls = 2  # 2 halls\nplaces = rows * seats * halls\n"
        "# L2\ntaken = 9  # 9 seats\nfree = places - taken",
        (("places", "rows * seats"), ("places", "rows * halls"), ("places", "seats * halls")),
    ),
)


@mutation_operator("dropped_term", error_type=ErrorType.SKIPPED_STEP, examples=EXAMPLES)
def dropped_term(source: FlawSource) -> Iterator[Mutant]:
    """Yield each expression of three operands or more without a term or a factor, and each sum of two without either.

    Converted units, added percents and counted unknowns are left to other operators, and so is what a condition of the problem demands.
    """
    for place in operations_of_plain_steps(source):
        expression = source.expression(place.variable)
        if len(leaves(expression)) == 2 and place.node.operator != "+":
            continue
        above = (node_at(expression, place.path[:depth]) for depth in range(len(place.path) + 1))
        if any(_adds_a_part(source, node) for node in above):
            continue
        if counts_the_unknown(source, place.variable, place.node) or _divides_its_part(place):
            continue
        condition = overlooked_by_condition(source, place.variable, place.path, place.node)
        for dropped, kept in _droppable(place.node):
            if dropped is condition:
                continue
            yield _mutant(place, dropped, kept)


def _droppable(node: ir.Binary) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """Yield the operands that can be forgotten and the rest without them, the last operand first."""
    if node.operator in {"+", "-", "*", "/"} and not _compound(node.right, node.operator):
        yield node.right, node.left
    if node.operator in {"+", "*"} and not _compound(node.left, node.operator):
        yield node.left, node.right


def _compound(node: ir.Expr, operator: str) -> bool:
    """Tell whether an operand is more than one term of a sum or one factor of a product."""
    if not isinstance(node, ir.Binary):
        return not isinstance(node, ir.Name | ir.Const)
    return operator in "*/" or node.operator in "+-"


def _adds_a_part(source: FlawSource, node: ir.Expr) -> bool:
    """Tell whether the node adds to a quantity, or takes from it, a share of itself."""
    match node:
        case ir.Binary("+" | "-", left, ir.Binary("*" | "/", first, second)):
            return left in {first, second}
        case ir.Binary("*", _, ir.Binary("+" | "-", ir.Const(1), _)) | ir.Binary("+" | "-", ir.Const(1), _):
            return True
        case ir.Binary("+", ir.Name(name), right) if source.values[name] == 1:
            return isinstance(right, ir.Name) and is_bare_factor(source, right.name)
    return False


def _divides_its_part(place: StepNode[ir.Binary]) -> bool:
    """Tell whether the node is a whole that one of its parts is divided by."""
    if place.node.operator != "+" or not place.path or place.path[-1] != 1:
        return False
    match node_at(place.source.expression(place.variable), place.path[:-1]):
        case ir.Binary("/", part, _):
            return not set(leaves(part)).isdisjoint(leaves(place.node))
    return False


def _mutant(place: StepNode[ir.Binary], dropped: ir.Expr, kept: ir.Expr) -> Mutant:
    term = place.node.operator in "+-"
    reasons: list[Reason] = [("a term overlooked", 0.2) if term else ("a factor overlooked", 0.1)]
    if dropped is place.node.right:
        reasons.append(("the last one", 0.2))
    if isinstance(dropped, ir.Const):
        reasons.append(("a number that no quantity stands for", -0.1))
    expression = place.expression_with(kept)
    if not isinstance(expression, ir.Binary):
        reasons.append(("nothing is calculated any more", -0.3))
    if any(_unlike(place.source, node) for _, node in nodes(expression)):
        reasons.append(("unlike quantities added", -0.4))
    was = reader_text(place.source, dropped)
    return place.mutant(kept, _PHRASES["term"] if term else _PHRASES["factor"], *reasons, was=was, now=NOTHING)


def _unlike(source: FlawSource, node: ir.Expr) -> bool:
    """Tell whether the node adds or subtracts quantities of plainly different kinds."""
    match node:
        case ir.Binary("+" | "-", ir.Name(left), ir.Name(right)):
            return variables_clash(source, left, right)
    return False
