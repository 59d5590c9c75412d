"""Mutation operator: units are converted in the wrong direction, by the wrong factor, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.knowledge.conversion_steps import CONFUSED, Conversion, conversions
from generators.flaws.knowledge.linear_equations import leaf_value, step_expression
from generators.flaws.knowledge.quantity_confusion import size_reasons
from generators.flaws.knowledge.quantity_roles import leaves
from generators.flaws.mutants.step_node import NodeT_co, StepNode
from generators.flaws.mutation_operator import Mutant, MutationExample, Reason, mutation_operator
from generators.flaws.solution.expression_value import value_of
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.text.expression_text import write_out
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import Path, node_at, nodes
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import UNWRITTEN, explanation_phrases, operation_slots, partly_filled
from harness.solution.solution_text import PlacedVariable
from harness.text.names import variable_words
from harness.text.nouns import plural_unit
from harness.text.number_forms import NumberKind, format_value
from harness.text.numbers import mentions, whole_as_int

FORGOTTEN = ("conversion forgotten", 0.2)
ONE_PART = ("only one part converted", 0.1)
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
                ("minutes", "hours * 12"),
                ("minutes", "hours / minutes_per_hour"),
                ("minutes", "hours * minutes_per_hour * minutes_per_hour"),
                ("minutes", "hours * 3600"),
            ),
        ),
        MutationExample(
            "# L1\nblue = 30 # 30 inches\nred = 18 # 18 inches\nfeet = (blue + red) / 12\n"
            "# L2\ncost = 3 # $3\ntotal_cost = feet * cost",
            (
                ("feet", "blue + red"),
                ("feet", "(blue + red) * 12"),
                ("feet", "blue / 12 + red"),
                ("feet", "(blue + red) / 3"),
                ("feet", "(blue + red) / 16"),
                ("feet", "(blue + red) / 36"),
                ("feet", "(blue + red) / 100"),
                ("feet", "(blue + red) / 12 / 12"),
                ("feet", "12 / (blue + red)"),
            ),
        ),
        MutationExample(
            "# L1\nblue = 30 # 30 inches\nred = 18 # 18 inches\ninches_per_foot = 12 # WK\n"
            "length = (blue + red) / inches_per_foot\n# L2\ncost = 3 # $3\ntotal_cost = length * cost",
            (
                ("length", "blue + red"),
                ("length", "(blue + red) * inches_per_foot"),
                ("length", "blue / inches_per_foot + red"),
                ("length", "(blue + red) / 3"),
                ("length", "(blue + red) / 16"),
                ("length", "(blue + red) / 36"),
                ("length", "(blue + red) / 100"),
                ("length", "(blue + red) / inches_per_foot / inches_per_foot"),
                ("length", "inches_per_foot / (blue + red)"),
            ),
        ),
        MutationExample(
            "# L1\nprice = 80 # $80\nshare = 0.25 # 25% off\noff = price * share\n# L2\nleft = price - off",
            (
                ("off", "price * 0.025"),
                ("off", "price * 2.5"),
                ("off", "price * 0.0025"),
            ),
            question="A coat of $80 is 25% off.",
        ),
        MutationExample("# L1\nweeks = 5 # 5 weeks\npay = 7 # $7\nearned = weeks * pay\n# L2\nleft = earned - pay", ()),
    ),
)
def unit_conversion(source: FlawSource) -> Iterator[Mutant]:
    """Yield the errors in a step that converts units.

    It multiplies for dividing or the other way round, divides the wrong way round, takes the factor of other units, converts
    twice, or leaves the conversion out. Percents are converted into decimals, too.
    """
    for step in source.steps:
        for conversion in conversions(source, step.variable):
            yield from _mutants(source, step.variable, conversion)
        for path, node in nodes(source.expression(step.variable)):
            if isinstance(node, ir.Name):
                yield from _misplaced_point(StepNode(source, step.variable, path, node))
            elif isinstance(node, ir.Binary):
                yield from _undivided_percent(StepNode(source, step.variable, path, node))


def _mutants(source: FlawSource, variable: str, conversion: Conversion) -> Iterator[Mutant]:
    operation = _place(source, variable, conversion.path)
    factor = _place(source, variable, conversion.factor_path)
    other = node_at(source.expression(variable), conversion.other_path)
    fact, operator = _fact(conversion), conversion.operator
    skipped = partly_filled(_PHRASES["skip"], fact)
    opposite = "/" if operator == "*" else "*"
    swapped = ir.Binary(opposite, other, factor.node)
    phrases = partly_filled(_PHRASES["swap"], fact | operation_slots(operator, opposite))
    yield from _changed(
        operation, swapped, phrases, ("converted the wrong way", 0.4), was=operator, now=opposite, fractions=True
    )
    again = ir.Binary(operator, operation.node, factor.node)
    yield from _changed(operation, again, partly_filled(_PHRASES["twice"], fact), ("converted twice", 0.0))
    for part in _one_part(source, other, operator, factor.node):
        yield from _changed(operation, part, partly_filled(_PHRASES["one_part"], fact), ONE_PART)
    if conversion.path or not isinstance(other, ir.Name) or not source.readers(variable):
        yield from _changed(operation, other, skipped, FORGOTTEN)
    elif source.values[other.name] != source.values[variable]:
        was, now = variable_words(variable), variable_words(other.name)
        yield Mutant(variable, was, now, skipped, rewired=other.name, reasons=(FORGOTTEN,))
    if operator == "/":
        inverted = partly_filled(_PHRASES["inverted"], fact)
        yield from _changed(operation, ir.Binary("/", factor.node, other), inverted, ("inverted", 0.0), fractions=True)
    for wrong in CONFUSED[conversion.small, conversion.large]:
        was, now = format_value(conversion.factor), format_value(wrong)
        reason = ("the factor of other units", 0.0)
        phrases = partly_filled(_PHRASES["factor"], fact)
        yield from _changed(factor, ir.Const(wrong), phrases, reason, was=was, now=now)


def _one_part(source: FlawSource, other: ir.Expr, operator: str, factor: ir.Expr) -> Iterator[ir.Expr]:
    """Yield the conversion of one operand of a sum or difference, which stands there or is the step that is converted.

    Where it stands there, the second operand alone is what forgotten parentheses give, which is another operator's.
    """
    summed = step_expression(source, other)
    match summed:
        case ir.Binary("+" | "-" as sign, left, right):
            if isinstance(other, ir.Name):
                yield ir.Binary(sign, left, ir.Binary(operator, right, factor))
            if isinstance(left, ir.Name):
                yield ir.Binary(sign, ir.Binary(operator, left, factor), right)


def _misplaced_point(place: StepNode[ir.Name]) -> Iterator[Mutant]:
    """Yield a percentage that is written as a decimal with its point in another place: 0.05 or 5 for 50%."""
    source, name = place.source, place.node.name
    entry = source.trace.by_name.get(name)
    if entry is None or not entry.role.is_input or not 0 < entry.value < 1 or not _in_percent(source, entry.value):
        return
    line = source.text.lines[source.line_number(place.variable) - 1]
    forms = [part.form for part in line.parts if isinstance(part, PlacedVariable) and part.variable == name]
    if not forms or any(form.kind is not NumberKind.NUMERAL or form.scale != 1 for form in forms):
        return
    for wrong in (Fraction(entry.value) / 10, Fraction(entry.value) * 10, Fraction(entry.value) / 100):
        value = whole_as_int(wrong)
        reason = ("the decimal point misplaced", 0.2)
        was, now = format_value(entry.value), format_value(value)
        yield from _changed(place, ir.Const(value), _PHRASES["percent"], reason, was=was, now=now)


def _undivided_percent(place: StepNode[ir.Binary]) -> Iterator[Mutant]:
    """Yield a percentage that is not divided by 100, or by another number."""
    source, node = place.source, place.node
    if node.operator != "/" or leaf_value(source, node.right) != 100:
        return
    percents = [leaf for leaf in leaves(node.left) if isinstance(leaf, ir.Name) and leaf.name in source.trace.by_name]
    if not any(_in_percent(source, Fraction(source.values[leaf.name]) / 100) for leaf in percents):
        return
    if not isinstance(node.left, ir.Name):
        yield from _changed(place, node.left, _PHRASES["hundred"], ("not divided by 100", 0.2))
    hundred = StepNode(source, place.variable, (*place.path, 1), node.right)
    for wrong in (10, 1000):
        yield from _changed(
            hundred, ir.Const(wrong), _PHRASES["hundred"], ("hundredths mistaken", 0.2), was="100", now=str(wrong)
        )


def _in_percent(source: FlawSource, share: Exact) -> bool:
    """Tell whether the question gives a share in percent."""
    return any(
        mention.text.endswith("%") or source.problem.question[mention.end :].lstrip().startswith("percent")
        for mention in mentions(source.problem.question)
        if share in mention.readings or share * 100 in mention.readings
    )


def _place(source: FlawSource, variable: str, path: Path) -> StepNode[ir.Expr]:
    return StepNode(source, variable, path, node_at(source.expression(variable), path))


def _changed(
    place: StepNode[NodeT_co],
    new: ir.Expr,
    phrases: tuple[str, ...],
    reason: Reason,
    *,
    was: str = "",
    now: str = "",
    fractions: bool = False,
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
        yield place.mutant(new, phrases, *reasons, was=was, now=now, fractions=fractions)


def _written(expression: ir.Expr, source: FlawSource) -> str:
    return write_out(expression, source.values) or UNWRITTEN


def _fact(conversion: Conversion) -> dict[str, str]:
    small, large = conversion.small, conversion.large
    article = "an" if large[0] in "aeiou" or large == "hour" else "a"
    units = f"{plural_unit(small)} in {article} {large}"
    return {"fact": f"{format_value(conversion.factor)} {units}", "units": units}
