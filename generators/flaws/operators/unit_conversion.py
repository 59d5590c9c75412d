"""Mutation operator: units are converted in the wrong direction, by the wrong factor, or not at all."""

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.mutation_operator import Mutant, MutationExample, StepNode, mutation_operator, step_nodes
from generators.flaws.plausibility import is_bare_factor
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import Conversion, confused_factors, conversions
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
            "# L1\nhours = 2 # 2 hours\nfactor = 60 # 60 minutes in an hour\nminutes = hours * factor\n"
            "# L2\npages = 3 # 3 pages a minute\nread = minutes * pages",
            (
                "minutes -> hours",
                "minutes = hours * 52",
                "minutes = hours * 48",
                "minutes = hours * 100",
                "minutes = hours * factor * factor",
                "minutes = hours / factor",
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
            yield from _misplaced_point(place, place.node.name)


def _mutants(source: FlawSource, variable: str, conversion: Conversion) -> Iterator[Mutant]:
    """Yield the conversion the wrong way round, done twice, left out, and with the factor of other units."""
    expression = source.expression(variable)
    operation = StepNode(source, variable, conversion.path, node_at(expression, conversion.path))
    factor = StepNode(source, variable, conversion.factor_path, node_at(expression, conversion.factor_path))
    other = node_at(expression, conversion.other_path)
    article = "an" if conversion.large[0] in "aeiou" or conversion.large == "hour" else "a"
    known = (
        f"There are {format_value(conversion.factor)} {plural_unit(conversion.small)} in {article} {conversion.large}"
    )
    cause = f"{known}. {_INSTEAD}"
    turned = ir.Binary("/" if conversion.operator == "*" else "*", other, factor.node)
    twice = ir.Binary(conversion.operator, operation.node, factor.node)
    yield from operation.mutants(turned, ("converted the wrong way", 0.2), cause=cause, fractions=True)
    yield from operation.mutants(twice, ("converted twice", 0.0), cause=cause, fractions=True)
    forgotten = ("conversion forgotten", 0.2)
    if conversion.path or not isinstance(other, ir.Name) or not source.readers(variable):
        yield from operation.mutants(other, forgotten, cause=cause, fractions=True)
    elif source.values[other.name] != source.values[variable]:
        cause_before = f"{known}, so {{right}} is needed before this step."
        was = ir.Name(variable)
        yield Mutant(variable, was, other, rewired=other.name, cause=cause_before, reasons=(forgotten,))
    for wrong in confused_factors(conversion):
        yield from factor.mutants(ir.Const(wrong), ("the factor of other units", 0.1), cause=cause, fractions=True)


def _misplaced_point(place: StepNode[ir.Expr], name: str) -> Iterator[Mutant]:
    """Yield a given percentage that the line writes as a decimal with its point in another place: 0.05 or 5 for 50%."""
    source = place.source
    entry = source.trace.by_name.get(name)
    if entry is None or not entry.role.is_input or not 0 < entry.value < 1 or not is_bare_factor(source, name):
        return
    line = source.text.lines[source.line_number(place.variable) - 1]
    forms = [part.form for part in line.parts if isinstance(part, PlacedVariable) and part.variable == name]
    if forms and all(form.kind is NumberKind.NUMERAL and form.scale == 1 for form in forms):
        cause = f"{format_value(100 * entry.value)} percent are {format_value(entry.value)}. {_INSTEAD}"
        for wrong in (Fraction(entry.value) / 10, Fraction(entry.value) * 10):
            new = ir.Const(whole_as_int(wrong))
            yield from place.mutants(new, ("the decimal point misplaced", 0.2), cause=cause, fractions=True)
