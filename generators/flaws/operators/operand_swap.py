"""Mutation operator: the operands of a difference or a quotient are swapped."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.quantity_confusion import expression_in_words, value_reasons
from generators.flaws.mutants.step_node import operations_without_conversions
from generators.flaws.mutation_operator import Mutant, MutationExample, Reason, mutation_operator
from generators.flaws.solution.expression_value import value_of
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import explanation_phrases

_PHRASES = explanation_phrases("operand_swap")


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
def operand_swap(source: FlawSource) -> Iterator[Mutant]:
    """Yield the differences and quotients with their sides swapped; conversions of units are another operator's."""
    for place in operations_without_conversions(source):
        node = place.node
        if node.operator not in {"-", "/"}:
            continue
        new = ir.Binary(node.operator, node.right, node.left)
        before, after = value_of(node, source.values), value_of(new, source.values)
        if before is None or after is None or before == after:
            continue
        reasons: list[Reason] = [("the same numbers", 0.2), *value_reasons(before, after)]
        if before > 1 > after > 0:
            reasons.append(("less than one", -0.1))
        phrases = _PHRASES["difference"] if node.operator == "-" else _PHRASES["quotient"]
        yield place.mutant(
            new,
            phrases,
            *reasons,
            was=expression_in_words(node),
            now=expression_in_words(new),
            fractions=node.operator == "/",
        )
