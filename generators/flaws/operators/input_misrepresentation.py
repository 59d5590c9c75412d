"""Mutation operator: a number of the question is misread or confused with another, or a known fact is misremembered."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from generators.flaws.mutation_operator import (
    Mutant,
    MutationExample,
    StepNode,
    mutation_operator,
    reads_a_result,
    single_reads,
)
from generators.flaws.plausibility import OTHER_SIZE, Reason, size_reasons, telling_words
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import confused_factors, conversions, is_conversion_factor
from harness.domain import Exact
from harness.program import ir
from harness.solution.labels import ErrorType
from harness.solution.trace import TraceEntry, VariableRole
from harness.text.number_forms import format_value
from harness.text.numbers import mentions, whole_as_int
from harness.text.units import FACTS, WorldFact

LARGEST = 10**7
MOST_MISREADINGS = 3
MOST_MIXED_UP = 2
_ALIKE = {"1": "7", "2": "7", "3": "8", "4": "9", "5": "6", "6": "9", "7": "1", "8": "3", "9": "4", "0": "6"}


@mutation_operator(
    "input_misrepresentation",
    MutationExample(
        "# L1\nboxes = 15 # 15 boxes\npens = 24 # 24 pens\nall_pens = boxes * pens\n# L2\nhalf = all_pens / 2",
        (
            *("all_pens = 51 * pens", "all_pens = boxes * 42", "all_pens = 16 * pens"),
            *("all_pens = 75 * pens", "all_pens = boxes * 29", "all_pens = boxes * 74"),
        ),
        question="Ann has 15 boxes of 24 pens and uses half.",
    ),
    MutationExample(
        "# L1\ndozens = 3 # 3 dozen eggs\neggs_per_dozen = 12 # WK\neggs = dozens * eggs_per_dozen\n"
        "# L2\nused = 6 # 6 eggs\nleft = eggs - used",
        (*(f"eggs = dozens * {wrong}" for wrong in (13, 14, 15, 11, 16, 18, 9)), "left = eggs - 9"),
        question="Ann buys 3 dozen eggs and uses 6.",
    ),
    error_type=ErrorType.INPUT_MISREPRESENTATION,
    explanation="The step uses {now} where the problem gives {was}. It should be {right}, not {wrong}.",
)
def input_misrepresentation(source: FlawSource) -> Iterator[Mutant]:
    """Yield the reads of inputs replaced with another number, once in a step.

    It is another number of the question, or the same with a digit misread, or what a person may take a well-known fact for.
    """
    given = {entry.variable: entry for entry in source.inputs}
    for place in single_reads(source, factors=True):
        entry = given.get(place.node.name)
        if entry is None or reads_a_result(source, place.variable, entry.variable):
            continue
        asked = entry.value in source.question_values
        unasked = entry.role is VariableRole.INPUT and not asked
        known = entry.role is VariableRole.WORLD_KNOWLEDGE_INPUT or unasked
        fact = _fact_of(source, entry) if known else None
        if fact is not None:
            yield from _wrong_facts(place, entry, fact)
        elif asked and not is_conversion_factor(entry):
            yield from _wrong_numbers(place, entry)


def _fact_of(source: FlawSource, entry: TraceEntry) -> WorldFact | None:
    """Return the fact that an input states, by its value and the words of its name and comment or of its line."""
    number = source.line_number(entry.variable)
    line = source.problem.solution.split("\n")[number - 1] if number else ""
    texts = (f"{entry.variable} {entry.comment}", line)
    for text in texts[:1] if entry.value in source.question_values else texts:
        words = telling_words(text.replace("%", " percent "))
        for fact in FACTS:
            if fact.wrong and fact.value == entry.value and any(required <= words for required in fact.alternatives):
                return fact
    return None


def _wrong_facts(place: StepNode[ir.Name], entry: TraceEntry, fact: WorldFact) -> Iterator[Mutant]:
    known = fact.said(entry.value)
    cause = f"{known[0].upper()}{known[1:]}. It should be {{right}}, not {{wrong}}."
    taken = {known.value for known in place.source.in_scope(place.variable)}
    for conversion in conversions(place.source, place.variable):
        # The factor of other units is another operator's.
        taken |= set(confused_factors(conversion)) if conversion.factor_path == place.path else set()
    for wrong in fact.wrong:
        if wrong not in taken:
            reasons = (("a fact misremembered", 0.3), *size_reasons(entry.value, wrong))
            yield place.mutant(ir.Const(wrong), *reasons, cause=cause, error_type=ErrorType.WORLD_KNOWLEDGE)


def _wrong_numbers(place: StepNode[ir.Name], entry: TraceEntry) -> Iterator[Mutant]:
    """Yield the mutants in which one step reads an input of the question as another number."""
    source, right = place.source, entry.value
    usage: Reason = ("read once", 0.1) if len(source.readers(entry.variable)) == 1 else ("read elsewhere, too", -0.2)
    taken = {known.value for known in source.in_scope(place.variable)}
    digits = {mention.readings[0] for mention in mentions(source.problem.question) if mention.text[0].isdigit()}
    possible = misreadings(right) if right in digits else ()
    misread = [(value, why) for value, why in possible if value not in taken][:MOST_MISREADINGS]
    values = {value for value, _ in misread}
    mixed_up = [(value, why) for value, why in _other_numbers(place, entry) if value not in values][:MOST_MIXED_UP]
    written = source.places.get(entry.variable)
    for value, why in (*misread, *mixed_up):
        percent = written is not None and 100 * right in written.readings and 0 < value < 1
        now = f"{format_value(100 * value)}%" if percent else format_value(value)
        yield place.mutant(ir.Const(value), why, usage, *size_reasons(right, value), now=now)


@lru_cache(maxsize=4096)
def misreadings(value: Exact) -> tuple[tuple[Exact, Reason], ...]:
    """Return the numbers that the digits of a number may be misread as, the likeliest first; a share is read in percent."""
    scale = 1 if value == int(value) else 100
    scaled = Fraction(value) * scale
    if scaled.denominator != 1 or not 1 <= scaled <= LARGEST:
        return ()
    readings: dict[Exact, Reason] = {}
    misread = sorted(_digit_slips(str(scaled.numerator)), key=lambda read: (-read[1][1], read[0]))
    for digits, why in misread:
        wrong = whole_as_int(Fraction(int(digits), scale))
        if digits[0] != "0" and wrong != value and (value > 1 or wrong < 1 or scale == 1):
            readings.setdefault(wrong, why)
    return tuple(readings.items())


def _digit_slips(digits: str) -> Iterator[tuple[str, Reason]]:
    for place in range(len(digits) - 1):
        if digits[place] != digits[place + 1]:
            swapped = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
            yield swapped, ("two digits transposed", 0.25)
    if len(digits) > 2 and digits.endswith("0"):
        yield digits[:-1], ("a zero overlooked", 0.2)
    for place in {0, len(digits) - 1}:
        if not (digits[place] == "0" and place == len(digits) - 1):
            yield digits[:place] + _ALIKE[digits[place]] + digits[place + 1 :], ("digits that look alike", 0.1)


def _other_numbers(place: StepNode[ir.Name], entry: TraceEntry) -> Iterator[tuple[Exact, Reason]]:
    """Yield the other numbers of the question, first those next to the right one; none that stands for the same kind."""
    source, right, numbers = place.source, entry.value, place.source.question_values
    own = numbers.index(right)
    read = set(source.trace.by_name[place.variable].reads)
    unit, scope = source.units[entry.variable], source.in_scope(place.variable)
    kin = {known.value for known in scope if known.variable in read or not unit.clashes(source.units[known.variable])}
    used = {given.value for given in source.inputs}
    by_distance = sorted(enumerate(numbers), key=lambda numbered: (abs(numbered[0] - own), -numbered[0]))
    for at, value in by_distance[1:]:
        share = (value < 1) != (0 < right < 1) or (value.denominator != 1 and right.denominator == 1)
        if value in {*kin, 1} or value <= 0 or share:
            continue
        near = 0.1 if abs(at - own) == 1 else 0.0
        if value not in used:
            yield value, ("a number the solution does not need", 0.1 + near)
        elif OTHER_SIZE not in size_reasons(right, value):
            yield value, ("a number of something else", near - 0.1)
