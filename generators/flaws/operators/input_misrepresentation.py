"""Mutation operator: a number of the question is misread or confused with another, or a known fact is misremembered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from generators.flaws.knowledge.conversion_steps import CONFUSED, conversions, is_conversion_factor
from generators.flaws.knowledge.quantity_confusion import OTHER_SIZE, number_text, size_reasons, units_clash
from generators.flaws.knowledge.world_knowledge import fact_of
from generators.flaws.mutants.step_node import StepNode, reads_a_result
from generators.flaws.mutation_operator import Mutant, MutationExample, Reason, mutation_operator
from generators.flaws.solution.source_solution import FlawSource
from harness.domain import Exact
from harness.program import ir
from harness.program.expression_nodes import Path, operands
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import explanation_phrases, partly_filled
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.numbers import mentions, read_cardinal, whole_as_int
from harness.text.world_facts import WorldFact

LARGEST = 10**7
MOST_MISREADINGS = 3
MOST_MIXED_UP = 2
_ALIKE = {"1": "7", "2": "7", "3": "8", "4": "9", "5": "6", "6": "9", "7": "1", "8": "3", "9": "4", "0": "6"}
_PHRASES = explanation_phrases("input_misrepresentation")


@mutation_operator(
    "input_misrepresentation",
    error_type=ErrorType.INPUT_MISREPRESENTATION,
    examples=(
        MutationExample(
            "# L1\nboxes = 15 # 15 boxes\npens = 24 # 24 pens\nall_pens = boxes * pens\n# L2\nhalf = all_pens / 2",
            (
                ("all_pens", "50 * pens"),
                ("all_pens", "51 * pens"),
                ("all_pens", "boxes * 42"),
                ("all_pens", "16 * pens"),
                ("all_pens", "boxes * 29"),
                ("all_pens", "boxes * 74"),
            ),
            question="Ann has 15 boxes of 24 pens and uses half.",
        ),
        MutationExample(
            "# L1\nprice = 80 # $80\nrate = 0.25 # 25% off\noff = price * rate\n# L2\nleft = price - off",
            (
                ("off", "price * 0.52"),
                ("off", "price * 0.26"),
                ("off", "price * 0.75"),
                ("off", "18 * rate"),
                ("left", "18 - off"),
                ("off", "30 * rate"),
                ("left", "30 - off"),
                ("off", "3 * rate"),
                ("left", "3 - off"),
            ),
            question="A coat of $80 is 25% off for 3 days. What is the price?",
        ),
        MutationExample(
            "# L1\ndozens = 3 # 3 dozen eggs\neggs_per_dozen = 12 # WK\neggs = dozens * eggs_per_dozen\n"
            "# L2\nused = 6 # 6 eggs\nleft = eggs - used",
            (
                ("eggs", "dozens * 10"),
                ("eggs", "dozens * 13"),
                ("eggs", "dozens * 14"),
                ("eggs", "dozens * 15"),
                ("eggs", "dozens * 11"),
                ("eggs", "dozens * 16"),
                ("eggs", "dozens * 18"),
                ("eggs", "dozens * 9"),
                ("left", "eggs - 9"),
            ),
            question="Ann buys 3 dozen eggs and uses 6.",
        ),
    ),
)
def input_misrepresentation(source: FlawSource) -> Iterator[Mutant]:
    """Yield the reads of inputs replaced with another number, once in a step.

    It is another number of the question, or the same with a digit misread, or what a person may take a well-known fact for.
    Factors that convert units are another operator's, unless they are known by heart.
    """
    given = {entry.variable: entry for entry in source.inputs}
    question = _question_numbers(source)
    for step in source.steps:
        expression = source.expression(step.variable)
        names = list(ir.names_in_order(expression))
        factors = {conversion.factor_path for conversion in conversions(source, step.variable)}
        for path, node in _written_leaves(expression):
            entry = given.get(node.name)
            if entry is None or names.count(entry.variable) > 1 or reads_a_result(source, step.variable, node.name):
                continue
            place = StepNode(source, step.variable, path, node)
            fact = _fact_of(source, entry) if _is_known(source, entry) else None
            if fact is not None:
                yield from _misremembered(place, entry, fact)
            elif entry.value in question.numbers and path not in factors and not is_conversion_factor(entry):
                yield from _misread(place, entry, question)


@dataclass(frozen=True, slots=True)
class _QuestionNumbers:
    """The numbers of a question in order, those of them that stand there in digits, and those in percent."""

    numbers: tuple[Exact, ...]
    digits: frozenset[Exact]
    percent: frozenset[Exact]


def _question_numbers(source: FlawSource) -> _QuestionNumbers:
    written = mentions(source.problem.question)
    plain = [number for number in written if number.text[0].isdigit() or read_cardinal(number.text.lower()) is not None]
    return _QuestionNumbers(
        tuple(dict.fromkeys(number.readings[0] for number in plain)),
        frozenset(number.readings[0] for number in written if number.text[0].isdigit()),
        frozenset(number.readings[0] for number in written if number.text.endswith("%") or "cent" in number.text),
    )


def _written_leaves(expression: ir.Expr, path: Path = ()) -> Iterator[tuple[Path, ir.Name]]:
    """Yield the variables that an equation in prose shows: those outside calls."""
    match expression:
        case ir.Name():
            yield path, expression
        case ir.Binary() | ir.Unary():
            for place, operand in enumerate(operands(expression)):
                yield from _written_leaves(operand, (*path, place))


def _is_known(source: FlawSource, entry: TraceEntry) -> bool:
    if entry.role is VariableRole.INPUT:
        return entry.value not in source.question_values
    return entry.role is VariableRole.WORLD_KNOWLEDGE_INPUT


def _fact_of(source: FlawSource, entry: TraceEntry) -> WorldFact | None:
    number = source.line_number(entry.variable)
    line = source.problem.solution.split("\n")[number - 1] if number else ""
    return (
        fact_of(entry, line, source.problem.question) if entry.value not in source.question_values else fact_of(entry)
    )


def _misremembered(place: StepNode[ir.Name], entry: TraceEntry, fact: WorldFact) -> Iterator[Mutant]:
    right = fact.said(entry.value)
    phrases = partly_filled(_PHRASES["misremembered"], {"known": right, "Known": right[0].upper() + right[1:]})
    taken = {known.value for known in place.source.in_scope(place.variable)}
    for conversion in conversions(place.source, place.variable):
        if conversion.factor_path == place.path:
            taken.update(CONFUSED[conversion.small, conversion.large])
    for wrong in fact.wrong:
        if wrong not in taken:
            yield place.mutant(
                ir.Const(wrong),
                phrases,
                ("a fact misremembered", 0.3),
                *size_reasons(entry.value, wrong),
                was=number_text(entry.value),
                now=number_text(wrong),
                error_type=ErrorType.WORLD_KNOWLEDGE,
            )


def _misread(place: StepNode[ir.Name], entry: TraceEntry, question: _QuestionNumbers) -> Iterator[Mutant]:
    """Yield the mutants in which one step reads an input of the question as another number."""
    source, right = place.source, entry.value
    usage: Reason = ("read once", 0.1) if len(source.readers(entry.variable)) == 1 else ("read elsewhere, too", -0.2)
    percent = right in question.percent
    misread: dict[Exact, Reason] = {}
    if right in question.digits:
        taken = {known.value for known in source.in_scope(place.variable)}
        possible = [(value, why) for value, why in misreadings(right) if value not in taken]
        misread = dict(possible[:MOST_MISREADINGS])
    mixed_up = [pair for pair in _mixed_up(place, entry, question.numbers) if pair[0] not in misread]
    for phrases, choices in ((_PHRASES["misread"], misread.items()), (_PHRASES["mixed_up"], mixed_up[:MOST_MIXED_UP])):
        for value, why in choices:
            was, now = _in_form(right, percent=percent), _in_form(value, percent=percent)
            reasons = (why, usage, *size_reasons(right, value))
            yield place.mutant(ir.Const(value), phrases, *reasons, was=was, now=now)


@lru_cache(maxsize=4096)
def misreadings(value: Exact) -> tuple[tuple[Exact, Reason], ...]:
    """Return the numbers that the digits of a number may be misread as, the likeliest first; a share is read in percent."""
    scale = 1 if value == int(value) else 100
    scaled = Fraction(value) * scale
    if scaled.denominator != 1 or not 1 <= scaled <= LARGEST:
        return ()
    readings: dict[Exact, Reason] = {}
    for digits, why in sorted(_misread_digits(str(scaled.numerator), whole=scale == 1), key=_unlikeliness):
        wrong = whole_as_int(Fraction(int(digits), scale))
        if digits[0] != "0" and wrong != value and (value > 1 or wrong < 1 or scale == 1):
            readings.setdefault(wrong, why)
    return tuple(readings.items())


def _misread_digits(digits: str, *, whole: bool) -> Iterator[tuple[str, Reason]]:
    number = int(digits)
    if whole and 13 <= number <= 19:
        yield f"{digits[1]}0", ("a teen for a ten", 0.3)
    if whole and 30 <= number <= 90 and digits[1] == "0":
        yield f"1{digits[0]}", ("a ten for a teen", 0.3)
    for place in range(len(digits) - 1):
        if digits[place] != digits[place + 1]:
            swapped = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
            yield swapped, ("two digits transposed", 0.25)
    if whole and number >= 100 and digits.endswith("0"):
        yield digits[:-1], ("a zero overlooked", 0.2)
    for place in {0, len(digits) - 1}:
        alike = _ALIKE[digits[place]]
        if not (digits[place] == "0" and place == len(digits) - 1):
            yield digits[:place] + alike + digits[place + 1 :], ("digits that look alike", 0.1)


def _unlikeliness(misread: tuple[str, Reason]) -> tuple[float, str]:
    return -misread[1][1], misread[0]


def _mixed_up(
    place: StepNode[ir.Name], entry: TraceEntry, numbers: tuple[Exact, ...]
) -> Iterator[tuple[Exact, Reason]]:
    """Yield the other numbers of the question, first those next to the right one; none that stands for the same kind."""
    source, right = place.source, entry.value
    own = numbers.index(right)
    read = set(source.trace.by_name[place.variable].reads)
    kin = {
        known.value
        for known in source.in_scope(place.variable)
        if known.variable in read or not units_clash(source.units[entry.variable], source.units[known.variable])
    }
    used = {given.value for given in source.inputs}
    for at in (own + step * sign for step in range(1, len(numbers)) for sign in (1, -1)):
        value = numbers[at] if 0 <= at < len(numbers) else 0
        if value in {*kin, 1} or value <= 0 or (value < 1) != (0 < right < 1):
            continue
        if value.denominator != 1 and right.denominator == 1:
            continue
        near = 0.1 if abs(at - own) == 1 else 0.0
        if value not in used:
            yield value, ("a number the solution does not need", 0.1 + near)
        elif OTHER_SIZE not in size_reasons(right, value):
            yield value, ("a number of something else", near - 0.1)


def _in_form(value: Exact, *, percent: bool) -> str:
    return f"{number_text(whole_as_int(Fraction(value) * 100))}%" if percent else number_text(value)
