"""Mutation operator: units are converted in the wrong direction, by the wrong factor, or not at all."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, StepNode, mutation_operator
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import Conversion, confused_factors, conversions
from harness.program import ir
from harness.program.expression_nodes import node_at
from harness.solution.labels import ErrorType
from harness.text.nouns import article_of, inflection
from harness.text.number_forms import format_value

_INSTEAD = "It should be {right}, not {wrong}."


@mutation_operator(
    "unit_conversion",
    MutationExample(
        "# L1\nhours = 2 # 2 hours\nfactor = 60 # 60 minutes in an hour\nminutes = hours * factor\n"
        "# L2\npages = 3 # 3 pages a minute\nread = minutes * pages",
        tuple(f"minutes = hours{rest}" for rest in ("", " * 52", " * 48", " * 100", " * factor * factor", " / factor")),
    ),
    MutationExample("# L1\nweeks = 5 # 5 weeks\npay = 7 # $7\nearned = weeks * pay\n# L2\nleft = earned - pay", ()),
    error_type=ErrorType.UNIT_CONVERSION,
    explanation=_INSTEAD,
)
def unit_conversion(source: FlawSource) -> Iterator[Mutant]:
    """Yield each conversion of units the wrong way round, done twice, left out, and with the factor of other units."""
    for step in source.steps:
        for conversion in conversions(source, step.variable):
            yield from _mutants(source, step.variable, conversion)


def _mutants(source: FlawSource, variable: str, conversion: Conversion) -> Iterator[Mutant]:
    expression = source.expression(variable)
    operation = StepNode(source, variable, conversion.path, node_at(expression, conversion.path))
    factor = StepNode(source, variable, conversion.factor_path, node_at(expression, conversion.factor_path))
    other = node_at(expression, (*conversion.path, 1 - conversion.side))
    amount, large = f"{format_value(conversion.factor)} {inflection().plural_noun(conversion.small)}", conversion.large
    cause = f"There are {amount} in {article_of(large)} {large}. {_INSTEAD}"
    turned = ir.Binary("/" if conversion.operator == "*" else "*", other, factor.node)
    twice = ir.Binary(conversion.operator, operation.node, factor.node)
    yield from operation.mutants(turned, ("converted the wrong way", 0.2), cause=cause, fractions=True)
    yield from operation.mutants(twice, ("converted twice", 0.0), cause=cause, fractions=True)
    yield from operation.mutants(other, ("conversion forgotten", 0.2), cause=cause, fractions=True)
    for wrong in confused_factors(conversion):
        yield from factor.mutants(ir.Const(wrong), ("the factor of other units", 0.1), cause=cause, fractions=True)
