"""Mutation operator: a term or a factor of a calculation is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.knowledge.linear_equations import counts_the_unknown
from generators.flaws.knowledge.quantity_roles import (
    distinct_plausible_mutants,
    is_factor,
    leaves,
    reader_text,
    variables_clash,
)
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from harness.program import ir
from harness.program.expression_nodes import node_at, nodes, replaced
from harness.solution.labels import ErrorType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generators.flaws.knowledge.quantity_confusion import Reason
    from generators.flaws.solution.source_solution import FlawSource
    from harness.program.expression_nodes import Path

TERM = (
    "The calculation is incomplete: it leaves out {was}. It should be {right}.",
    "One term is missing. The line has to be {right}.",
    "Not everything is taken into account; including {was}, it is {right}, not {wrong_value}.",
    "Finding {name} takes all of its parts: {right}. The solution forgot {was}.",
    "The solution overlooks {was}, so it gets {wrong_value} where {right_value} is correct.",
    "This leaves {was} out of the calculation. The full equation is {right}.",
)
FACTOR = (
    "The calculation is incomplete: a factor is missing. It should be {right}.",
    "The line says {wrong}, but it has to include {was} as well: {right}.",
    "The solution forgot {was}, so it gets {wrong_value} where {right_value} is correct.",
    "Finding {name} takes one more operation, with {was}: {right}.",
    "One step of this calculation is left out. The full equation is {right}, not {wrong}.",
    "This leaves {was} out of account; {right} is what should be written here.",
)
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
def dropped_term(source: FlawSource) -> Iterable[Mutant]:
    """Drop each term or factor of an expression of three operands or more, and either addend of two.

    Where units are converted, percents added and unknowns counted, other operators say what is forgotten.
    """
    return distinct_plausible_mutants(
        mutant
        for step in source.steps
        if not conversions(source, step.variable)
        for mutant in _dropped(source, step.variable)
    )


def _dropped(source: FlawSource, variable: str) -> Iterator[Mutant]:
    expression = source.expression(variable)
    count = len(leaves(expression))
    for path, node in nodes(expression):
        if not isinstance(node, ir.Binary) or (count == 2 and node.operator != "+"):
            continue
        if any(_adds_a_part(source, node_at(expression, path[:depth])) for depth in range(len(path) + 1)):
            continue
        if counts_the_unknown(source, variable, node) or _whole_of(expression, path, node):
            continue
        for dropped, kept in _droppable(node):
            yield _mutant(source, variable, path, node, dropped=dropped, kept=kept)


def _droppable(node: ir.Binary) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """Yield what can be forgotten and what is left then, the last operand first."""
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
            return isinstance(right, ir.Name) and is_factor(source, right.name)
    return False


def _whole_of(expression: ir.Expr, path: Path, node: ir.Binary) -> bool:
    """Tell whether the node is a whole that one of its parts is divided by."""
    if node.operator != "+" or not path or path[-1] != 1:
        return False
    above = node_at(expression, path[:-1])
    return (
        isinstance(above, ir.Binary) and above.operator == "/" and not set(leaves(above.left)).isdisjoint(leaves(node))
    )


def _mutant(
    source: FlawSource, variable: str, path: Path, node: ir.Binary, *, dropped: ir.Expr, kept: ir.Expr
) -> Mutant:
    term = node.operator in "+-"
    reasons: list[Reason] = [("a term overlooked", 0.2) if term else ("a factor overlooked", 0.1)]
    if dropped is node.right:
        reasons.append(("the last one", 0.2))
    if isinstance(dropped, ir.Const):
        reasons.append(("a number that no quantity stands for", -0.1))
    expression = replaced(source.expression(variable), path, kept)
    if not isinstance(expression, ir.Binary):
        reasons.append(("nothing is calculated any more", -0.3))
    if any(_unlike(source, one) for _, one in nodes(expression)):
        reasons.append(("unlike quantities added", -0.4))
    return Mutant(
        variable,
        reader_text(source, dropped),
        "nothing",
        TERM if term else FACTOR,
        expression=expression,
        reasons=tuple(reasons),
    )


def _unlike(source: FlawSource, node: ir.Expr) -> bool:
    """Tell whether the node adds or subtracts quantities of plainly different kinds."""
    match node:
        case ir.Binary("+" | "-", ir.Name(left), ir.Name(right)):
            return variables_clash(source, left, right)
    return False
