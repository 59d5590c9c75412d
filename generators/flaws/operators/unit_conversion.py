"""Mutation operator: units are converted in the wrong direction, by the wrong factor, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.knowledge.conversion_steps import Conversion, confused_factors, conversions
from generators.flaws.knowledge.quantity_confusion import is_bare_factor, value_reasons
from generators.flaws.mutation_operator import Mutant, MutationExample, Reason, mutation_operator
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.step_nodes import StepNode, step_nodes, value_of
from harness.program import ir
from harness.program.expression_nodes import node_at
from harness.solution.labels import ErrorType
from harness.solution.solution_text import PlacedVariable
from harness.text.nouns import plural_unit
from harness.text.number_forms import NumberKind, format_value
from harness.text.numbers import whole_as_int

_INSTEAD = "It should be {right}, not {wrong}."


@mutation_operator(
    "unit_conversion",
    error_type=ErrorType.UNIT_CONVERSION,
    explanation=_INSTEAD,
    examples=(
        MutationExample(
            "# L1\nhours = 2 # 2 hours\nminutes_per_hour = 60\nminutes = hours * minutes_per_hour\n"
            "# L2\npages = 3 # 3 pages a minute\nread = minutes * pages",
            (
                ("minutes", "-> hours"),
                ("minutes", "hours * 52"),
                ("minutes", "hours * 48"),
                ("minutes", "hours * 100"),
                ("minutes", "hours * minutes_per_hour * minutes_per_hour"),
                ("minutes", "hours / minutes_per_hour"),
            ),
        ),
        MutationExample("# L1\nweeks = 5 # 5 weeks\npay = 7 # $7\nearned = weeks * pay\n# L2\nleft = earned - pay", ()),
    ),
)
def unit_conversion(source: FlawSource) -> Iterator[Mutant]:
    """Yield the errors in a step that converts units, and percentages written as decimals with a misplaced point."""
    for step in source.steps:
        for conversion in conversions(source, step.variable):
            yield from _mutants(source, step.variable, conversion)
    for place in step_nodes(source):
        if isinstance(place.node, ir.Name):
            yield from _misplaced_point(StepNode(source, place.variable, place.path, place.node))


def _mutants(source: FlawSource, variable: str, conversion: Conversion) -> Iterator[Mutant]:
    """Yield the conversion the wrong way round, done twice, left out, and with the factor of other units."""
    expression = source.expression(variable)
    operation = StepNode(source, variable, conversion.path, node_at(expression, conversion.path))
    factor = StepNode(source, variable, conversion.factor_path, node_at(expression, conversion.factor_path))
    other = node_at(expression, conversion.other_path)
    article = "an" if conversion.large[0] in "aeiou" or conversion.large == "hour" else "a"
    units = f"{plural_unit(conversion.small)} in {article} {conversion.large}"
    cause = f"There are {format_value(conversion.factor)} {units}. {_INSTEAD}"
    turned = ir.Binary("/" if conversion.operator == "*" else "*", other, factor.node)
    twice = ir.Binary(conversion.operator, operation.node, factor.node)
    yield from _changed(operation, turned, cause, ("converted the wrong way", 0.2))
    yield from _changed(operation, twice, cause, ("converted twice", 0.0))
    if conversion.path or not isinstance(other, ir.Name) or not source.readers(variable):
        yield from _changed(operation, other, cause, ("conversion forgotten", 0.2))
    elif source.values[other.name] != source.values[variable]:
        skipped = f"There are {format_value(conversion.factor)} {units}, so {{right}} is needed before this step."
        reasons = (("conversion forgotten", 0.2),)
        yield Mutant(variable, ir.Name(variable), other, rewired=other.name, cause=skipped, reasons=reasons)
    for wrong in confused_factors(conversion):
        yield from _changed(factor, ir.Const(whole_as_int(Fraction(wrong))), cause, ("the factor of other units", 0.1))


def _misplaced_point(place: StepNode[ir.Name]) -> Iterator[Mutant]:
    """Yield a given percentage that the line writes as a decimal with its point in another place: 0.05 or 5 for 50%."""
    source, name = place.source, place.node.name
    entry = source.trace.by_name.get(name)
    if entry is None or not entry.role.is_input or not 0 < entry.value < 1 or not is_bare_factor(source, name):
        return
    line = source.text.lines[source.line_number(place.variable) - 1]
    forms = [part.form for part in line.parts if isinstance(part, PlacedVariable) and part.variable == name]
    if not forms or any(form.kind is not NumberKind.NUMERAL or form.scale != 1 for form in forms):
        return
    percent = format_value(100 * entry.value)
    cause = f"{percent} percent are {format_value(entry.value)}. {_INSTEAD}"
    for wrong in (Fraction(entry.value) / 10, Fraction(entry.value) * 10):
        yield from _changed(place, ir.Const(whole_as_int(wrong)), cause, ("the decimal point misplaced", 0.2))


def _changed(
    place: StepNode[ir.Expr] | StepNode[ir.Name], new: ir.Expr, cause: str, reason: Reason
) -> Iterator[Mutant]:
    """Yield the mutant with another node, unless the node then has no value or keeps its own."""
    values = place.source.values
    before, after = value_of(place.node, values), value_of(new, values)
    if before is not None and after is not None and before != after:
        yield place.mutant(new, reason, *value_reasons(before, after), cause=cause, fractions=True)
