"""Mutation operator: a formula is replaced by another one that people confuse with it."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.formula_patterns import fill_formula, match_formula
from generators.flaws.knowledge.formula_table import FORMULAS
from generators.flaws.mutants.step_node import operations_of_plain_steps
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.solution.expression_value import value_of
from generators.flaws.solution.source_solution import FlawSource
from harness.solution.labels import ErrorType

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
        (
            ("average", "(adult_age + kid_age) / 2"),
            ("average", "years / (people - 1)"),
            ("average", "years / (people + 1)"),
        ),
    ),
    MutationExample(
        "# L1\nlow = 30  # $30 a month\nfirst = 4  # 4 months\nspring = low * first\n"
        "# L2\nhigh = 24  # $24 a month\nlast = 2  # 2 months\nsummer = high * last\n"
        "# L3\nyear = spring + summer\n# L4\nall_months = 6  # 6 months\nmean = year / all_months",
        (
            ("mean", "(low + high) / 2"),
            ("mean", "year / (all_months - 1)"),
            ("mean", "year / (all_months + 1)"),
        ),
    ),
    MutationExample(
        "# L1\nred = 2  # 2 parts red\nblue = 3  # 3 parts blue\nparts = red + blue\n"
        "# L2\nliters = 20  # 20 liters\npart = liters / parts\n# L3\nred_liters = part * red",
        (("red_liters", "liters * red / blue"), ("part", "liters / 2")),
    ),
)


@mutation_operator("wrong_formula", error_type=ErrorType.WRONG_FORMULA, examples=EXAMPLES)
def wrong_formula(source: FlawSource) -> Iterator[Mutant]:
    """Yield each formula of the table that a step uses replaced with those that people confuse with it."""
    for place in operations_of_plain_steps(source):
        for formula in _BY_OPERATOR.get(place.node.operator, ()):
            binding = match_formula(source, place.variable, place.node, formula)
            if binding is None:
                continue
            for mistaken in formula.mistaken:
                new = fill_formula(mistaken, binding)
                if value_of(new, source.values) not in {None, value_of(place.node, source.values)}:
                    yield place.mutant(new, formula.phrases, (formula.name, formula.weight))
