"""Mutation operator: the operands of a difference or a quotient are swapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.knowledge.quantity_confusion import (
    Reason,
    expression_in_words,
    most_plausible,
    size_reasons,
    value_of,
)
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from harness.program import ir
from harness.program.expression_nodes import Path, nodes, replaced
from harness.solution.labels import ErrorType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generators.flaws.solution.source_solution import FlawSource

_DIFFERENCE = (
    "The subtraction is the wrong way round: it should be {right}, not {wrong}.",
    "The order of a subtraction matters. Here {right} is needed, but the solution writes {wrong}.",
    "The solution takes away the number that it should take from. The correct equation is {right}.",
    "The two numbers of the difference are swapped; it should be {right}.",
    "What is taken away and what it is taken from are mixed up: the result should be {right_value}, not {wrong_value}.",
    "The numbers of this subtraction were reversed, which gives {wrong_value} instead of {right_value}.",
)
_QUOTIENT = (
    "The division is upside down: it should be {right}, not {wrong}.",
    "Dividend and divisor are swapped. The line should read {right}.",
    "The order of a division matters. Here {right} is needed, but the solution writes {wrong}.",
    "The solution divides the wrong number by the other: {wrong} should be {right}.",
    "The numbers of this division were reversed, which gives {wrong_value} instead of {right_value}.",
    "The quotient is inverted; dividing the right way round gives {right_value}, not {wrong_value}.",
)


@mutation_operator(
    "operand_swap",
    error_type=ErrorType.OPERAND_SWAP,
    examples=(
        MutationExample(
            "# L1\nmiles = 120 # 120 miles\nhours = 3 # 3 hours\nspeed = miles / hours\n# L2\ntwice = speed * 2",
            (("speed", "hours / miles"),),
        ),
        MutationExample(
            "# L1\nstart = 9 # 9 pens\nlost = 4 # 4 pens\nlent = 2 # 2 pens\nleft = start - lost - lent\n"
            "# L2\nshare = left / lent",
            (("share", "lent / left"), ("left", "lent - (start - lost)"), ("left", "lost - start - lent")),
        ),
        MutationExample(
            "# L1\nminutes = 120 # 120 minutes\nminutes_per_hour = 60\nhours = minutes / minutes_per_hour\n"
            "# L2\nhalf = hours + hours",
            (),
        ),
    ),
)
def operand_swap(source: FlawSource) -> Iterable[Mutant]:
    """Enumerate the differences and quotients of all steps with their sides swapped; conversions are another operator's."""
    return most_plausible(_mutants(source))


def _mutants(source: FlawSource) -> Iterator[Mutant]:
    for step in source.steps:
        converting = {one.path for one in conversions(source, step.variable)}
        for path, node in nodes(source.expression(step.variable)):
            match node:
                case ir.Binary("-" | "/") if path not in converting and node.left != node.right:
                    yield from _swapped(source, step.variable, path, node)


def _swapped(source: FlawSource, variable: str, path: Path, node: ir.Binary) -> Iterator[Mutant]:
    new = ir.Binary(node.operator, node.right, node.left)
    before, after = value_of(node, source.values), value_of(new, source.values)
    if before is None or after is None or before == after:
        return
    reasons: list[Reason] = [("the same numbers", 0.2), *size_reasons(before, after)]
    if after < 0 <= before:
        reasons.append(("negative", -0.5))
    if before.denominator == 1 != after.denominator:
        reasons.append(("no longer whole", -0.2))
    if before > 1 > after > 0:
        reasons.append(("less than one", -0.1))
    yield Mutant(
        variable,
        expression_in_words(node),
        expression_in_words(new),
        _DIFFERENCE if node.operator == "-" else _QUOTIENT,
        expression=replaced(source.expression(variable), path, new),
        reasons=tuple(reasons),
    )
