"""Mutation operator: units are converted in the wrong direction, by the wrong factor, or not at all."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.conversion_steps import CONFUSED, Conversion, conversions
from generators.flaws.knowledge.quantity_confusion import size_reasons
from generators.flaws.mutation_operator import Mutant, MutationExample, Reason, mutation_operator
from generators.flaws.solution.expression_value import value_of
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.step_node import StepNode
from generators.flaws.text.expression_text import write_out
from harness.program import ir
from harness.program.expression_nodes import Path, node_at
from harness.solution.explanation_phrases import UNWRITTEN, explanation_phrases, operation_slots, partly_filled
from harness.solution.labels import ErrorType
from harness.text.names import variable_words
from harness.text.noun_forms import plural_unit
from harness.text.number_forms import format_value

FORGOTTEN = ("conversion forgotten", 0.2)
_PHRASES = explanation_phrases("unit_conversion")


@mutation_operator(
    "unit_conversion",
    error_type=ErrorType.UNIT_CONVERSION,
    examples=(
        MutationExample(
            "# L1\nhours = 2 # 2 hours\nminutes_per_hour = 60\nminutes = hours * minutes_per_hour\n"
            "# L2\npages = 3 # 3 pages a minute\nread = minutes * pages",
            (
                ("minutes", "-> hours"),
                ("minutes", "hours * 24"),
                ("minutes", "hours / minutes_per_hour"),
            ),
        ),
        MutationExample(
            "# L1\nblue = 30 # 30 inches\nred = 18 # 18 inches\nfeet = (blue + red) / 12\n"
            "# L2\ncost = 3 # $3\ntotal_cost = feet * cost",
            (
                ("feet", "blue + red"),
                ("feet", "(blue + red) * 12"),
                ("feet", "(blue + red) / 3"),
                ("feet", "(blue + red) / 36"),
                ("feet", "12 / (blue + red)"),
            ),
        ),
        MutationExample(
            "# L1\nblue = 30 # 30 inches\nred = 18 # 18 inches\ninches_per_foot = 12 # WK\n"
            "length = (blue + red) / inches_per_foot\n# L2\ncost = 3 # $3\ntotal_cost = length * cost",
            (
                ("length", "blue + red"),
                ("length", "(blue + red) * inches_per_foot"),
                ("length", "(blue + red) / 3"),
                ("length", "(blue + red) / 36"),
                ("length", "inches_per_foot / (blue + red)"),
            ),
        ),
        MutationExample("# L1\nweeks = 5 # 5 weeks\npay = 7 # $7\nearned = weeks * pay\n# L2\nleft = earned - pay", ()),
    ),
)
def unit_conversion(source: FlawSource) -> Iterator[Mutant]:
    """Yield what can go wrong where a step converts units.

    It multiplies for dividing or the other way round, divides the wrong way round, takes the factor of other units, or
    leaves the conversion out.
    """
    for step in source.steps:
        for conversion in conversions(source, step.variable):
            yield from _mutants(source, step.variable, conversion)


def _mutants(source: FlawSource, variable: str, conversion: Conversion) -> Iterator[Mutant]:
    operation = _place(source, variable, conversion.path)
    factor = _place(source, variable, conversion.factor_path)
    other = node_at(source.expression(variable), conversion.other_path)
    fact, operator = _fact(conversion), conversion.operator
    skipped = partly_filled(_PHRASES["skip"], fact)
    opposite = "/" if operator == "*" else "*"
    swapped = ir.Binary(opposite, other, factor.node)
    phrases = partly_filled(_PHRASES["swap"], fact | operation_slots(operator, opposite))
    yield from _changed(operation, swapped, phrases, ("converted the wrong way", 0.4), was=operator, now=opposite)
    if conversion.path or not isinstance(other, ir.Name):
        yield from _changed(operation, other, skipped, FORGOTTEN)
    elif source.readers(variable) and source.values[other.name] != source.values[variable]:
        was, now = variable_words(variable), variable_words(other.name)
        yield Mutant(variable, was, now, skipped, rewired=other.name, reasons=(FORGOTTEN,))
    if operator == "/":
        inverted = partly_filled(_PHRASES["inverted"], fact)
        yield from _changed(operation, ir.Binary("/", factor.node, other), inverted, ("inverted", 0.0))
    for wrong in CONFUSED[conversion.small, conversion.large]:
        was, now = format_value(conversion.factor), format_value(wrong)
        reason = ("the factor of other units", 0.0)
        phrases = partly_filled(_PHRASES["factor"], fact)
        yield from _changed(factor, ir.Const(wrong), phrases, reason, was=was, now=now)


def _place(source: FlawSource, variable: str, path: Path) -> StepNode[ir.Expr]:
    return StepNode(source, variable, path, node_at(source.expression(variable), path))


def _changed(
    place: StepNode[ir.Expr], new: ir.Expr, phrases: tuple[str, ...], reason: Reason, *, was: str = "", now: str = ""
) -> Iterator[Mutant]:
    """Yield the mutant with another node, unless the step then has no value or keeps its own."""
    source = place.source
    before = value_of(source.expression(place.variable), source.values)
    after = value_of(place.expression_with(new), source.values)
    if before is not None and after is not None and before != after:
        reasons = [reason, *size_reasons(before, after)]
        if before.denominator == 1 != after.denominator:
            reasons.append(("no longer whole", -0.1))
        was, now = was or _written(place.node, source), now or _written(new, source)
        yield place.mutant(new, phrases, *reasons, was=was, now=now)


def _written(expression: ir.Expr, source: FlawSource) -> str:
    return write_out(expression, source.values) or UNWRITTEN


def _fact(conversion: Conversion) -> dict[str, str]:
    small, large = conversion.small, conversion.large
    article = "an" if large[0] in "aeiou" or large == "hour" else "a"
    units = f"{plural_unit(small)} in {article} {large}"
    return {"fact": f"{format_value(conversion.factor)} {units}", "units": units}
