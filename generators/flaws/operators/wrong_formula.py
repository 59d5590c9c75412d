"""Mutation operator: a formula is replaced by another one that people confuse with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.flaws.knowledge.conversion_steps import conversions
from generators.flaws.knowledge.formula_patterns import fill_formula, match_formula
from generators.flaws.knowledge.formula_table import FORMULAS
from generators.flaws.knowledge.quantity_confusion import value_of
from generators.flaws.knowledge.quantity_roles import distinct_plausible_mutants, reader_text
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from harness.program import ir
from harness.program.expression_nodes import nodes, replaced
from harness.solution.labels import ErrorType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from generators.flaws.solution.source_solution import FlawSource
    from harness.program.expression_nodes import Path

_BY_OPERATOR = {
    operator: tuple(formula for formula in FORMULAS if operator in formula.operators) for operator in "+-*/"
}
EXAMPLES = (
    MutationExample(
        "# L1\nlength = 6  # 6 feet long\nwidth = 4  # 4 feet wide\narea = length * width\n"
        "# L2\nprice = 3  # $3 a square foot\ncost = area * price",
        (("area", "2 * (length + width)"), ("area", "length * width / 2")),
    ),
    MutationExample(
        "# L1\nprice = 80  # $80\npercent = 0.25  # 25% off\ndiscount = price * percent\n# L2\nsale_price = price - discount",
        (
            ("discount", "price * (1 - percent)"),
            ("discount", "price * (1 + percent)"),
            ("sale_price", "price / (1 + percent)"),
        ),
    ),
    MutationExample(
        "# L1\nadults = 2  # 2 adults\nadult_age = 40  # 40 years\nolder = adults * adult_age\n"
        "# L2\nkids = 6  # 6 kids\nkid_age = 8  # 8 years\nyounger = kids * kid_age\n"
        "# L3\nyears = older + younger\n# L4\npeople = adults + kids\n# L5\naverage = years / people",
        (("average", "(adult_age + kid_age) / 2"),),
    ),
    MutationExample(
        "# L1\nred = 2  # 2 parts red\nblue = 3  # 3 parts blue\nparts = red + blue\n"
        "# L2\nliters = 20  # 20 liters\npart = liters / parts\n# L3\nred_liters = part * red",
        (("red_liters", "liters * red / blue"), ("part", "liters / 2")),
    ),
)


@mutation_operator("wrong_formula", error_type=ErrorType.WRONG_FORMULA, examples=EXAMPLES)
def wrong_formula(source: FlawSource) -> Iterable[Mutant]:
    """Put in the place of each formula of the table those that people confuse with it."""
    return distinct_plausible_mutants(
        mutant
        for step in source.steps
        if not conversions(source, step.variable)
        for path, node in nodes(source.expression(step.variable))
        if isinstance(node, ir.Binary)
        for mutant in _confused(source, step.variable, path, node)
    )


def _confused(source: FlawSource, variable: str, path: Path, node: ir.Binary) -> Iterator[Mutant]:
    for formula in _BY_OPERATOR.get(node.operator, ()):
        binding = match_formula(source, variable, node, formula)
        if binding is None:
            continue
        for wrong in formula.mistaken:
            new = fill_formula(wrong, binding)
            if value_of(new, source.values) in {None, value_of(node, source.values)}:
                continue
            yield Mutant(
                variable,
                reader_text(source, node),
                reader_text(source, new),
                formula.phrases,
                expression=replaced(source.expression(variable), path, new),
                reasons=((formula.name, formula.weight),),
            )
