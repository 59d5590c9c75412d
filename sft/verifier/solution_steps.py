"""The computation steps of a solution: their operands, the sources of the operands, and the use of the results."""

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from harness.domain import Exact
from harness.equations.equation import Number, Operation, StatedEquation, Truth, numbers, operations
from harness.equations.false_equations import claim_doubt
from harness.text.nouns import phrase_at
from harness.text.numbers import NumberMention, mentions
from harness.text.sentences import HOW_MANY, sentences_of
from harness.text.units import KNOWN_CONSTANTS, factor, is_counted
from oracles.labels.audit.solution_lines import read_statement
from sft.samples.items import Item

MOST_STEPS = 60
MOST_MENTIONS = 60
MOST_LEAVES = 40
LONGEST_QUESTION = 4_000
"""Limits; the rest of a longer text is not read."""
_MINUTES = factor("minute", "hour")
_CONVERSIONS = (factor("month", "year"), _MINUTES, factor("day", "week"))
_YEAR = range(1900, 2101)


class OperandSource(enum.StrEnum):
    """The possible origin of an operand, the most likely first."""

    QUESTION = "question"
    RESULT = "result"
    EITHER = "either"
    KNOWN = "known"
    DERIVED = "derived"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class QuestionText:
    """A question, its numbers, and the span of characters that asks."""

    text: str
    mentions: tuple[NumberMention, ...]
    start: int
    end: int

    @property
    def sentence(self) -> str:
        """Return the part that asks."""
        return self.text[self.start : self.end]

    @property
    def counts(self) -> bool:
        """Tell whether it asks how many things there are; of inches, dollars or degrees there may be a half, and less than none."""
        place = HOW_MANY.search(self.sentence)
        phrase = None if place is None else phrase_at(self.sentence, place.end())
        if place is None or phrase is None:
            return False
        return is_counted(self.sentence[place.end() : phrase.end].lower().split())

    def idle(self, number: int) -> bool:
        """Tell whether a number may have another meaning than a quantity: `one`, `once`, a year."""
        mention = self.mentions[number]
        value = mention.readings[0]
        word = not any(character.isdigit() for character in mention.text)
        return value == 1 or (word and value == 0) or (value in _YEAR and "," not in mention.text)


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand: `given` and `made` are the mentions and the steps that it can come from."""

    number: Number
    source: OperandSource
    given: tuple[int, ...]
    made: tuple[int, ...]

    @property
    def value(self) -> Exact:
        """Return its value."""
        return self.number.value or 0


@dataclass(frozen=True, slots=True)
class SolutionStep:
    """An equation with an operation: `place` is its line from zero, `text` its part of the line, `value` the stated result."""

    place: int
    text: str
    equation: StatedEquation
    operands: tuple[Operand, ...]
    value: Exact | None

    @property
    def line(self) -> str:
        """Return the name of the line."""
        return f"L{self.place + 1}"

    def operations(self) -> Iterator[Operation]:
        """Yield the operations of the left side, the outermost first."""
        return operations(self.equation.left)


@dataclass(frozen=True, slots=True)
class SolutionSteps:
    """The question and the steps of a solution."""

    asked: QuestionText
    steps: tuple[SolutionStep, ...]

    def used(self) -> set[int]:
        """Return the numbers of the question that a step may use."""
        return {given for step in self.steps for operand in step.operands for given in operand.given}

    def dangling(self) -> list[int]:
        """Return the steps, except the last, whose result no later step uses and no later result repeats."""
        last = len(self.steps) - 1
        used = {number for step in self.steps for operand in step.operands for number in operand.made}
        values = [step.value for step in self.steps]
        return [number for number in range(last) if number not in used and values[number] not in values[number + 1 :]]


@lru_cache(maxsize=512)
def question_text(question: str) -> QuestionText:
    """Return the numbers of a question and its asking sentence; if no sentence asks, the last one counts as asking."""
    text = question[:LONGEST_QUESTION]
    numbers_in = tuple(mentions(text)[:MOST_MENTIONS])
    sentences = sentences_of(text)
    asking = [sentence for sentence in sentences if sentence.asks] or sentences
    start, end = (asking[-1].start, asking[-1].end) if asking else (0, 0)
    return QuestionText(text, numbers_in, start, end)


@lru_cache(maxsize=64)
def steps_of(item: Item) -> SolutionSteps:
    """Return the steps of a solution, read from its lines without annotations, so that the form gives no hint; what the author rejects is none.

    Every kind of evidence reads the steps, so the last ones are cached.
    """
    question = question_text(item.question)
    steps: list[SolutionStep] = []
    for place, line in enumerate(item.lines):
        previous: StatedEquation | None = None
        stated = read_statement(line).equations
        equations = [own for own in stated if own.truth is not Truth.FALSE or not claim_doubt(own, line)]
        for equation in equations:
            goes_on = previous is not None and equation.left.start == previous.right.start
            previous = equation
            if goes_on and steps and steps[-1].place == place:
                # In `2 + 3*4 = 2 + 12 = 14` the first term is the step, and the last term its result.
                steps[-1] = replace(steps[-1], value=equation.right.value)
                continue
            if len(steps) < MOST_STEPS and next(operations(equation.left), None) is not None:
                leaves = [number for number in numbers(equation.left) if number.value is not None][:MOST_LEAVES]
                operands = tuple(_operand(number, question, steps) for number in leaves)
                text = _part_of(line, equation, equations)
                steps.append(SolutionStep(place, text, equation, operands, equation.right.value))
    return SolutionSteps(question, tuple(steps))


def _part_of(line: str, equation: StatedEquation, equations: Sequence[StatedEquation]) -> str:
    """Return the sentence of an equation with those before it that have none, and behind the last equation the rest: what would be a line of its own."""
    if len(equations) == 1:
        return line
    holding = [each.end for each in sentences_of(line) if any(each.start <= own.start < each.end for own in equations)]
    ends = [0, *holding[:-1], len(line)]
    after = next(place for place, end in enumerate(ends) if equation.start < end)
    return line[ends[after - 1] : ends[after]].strip()


def _operand(number: Number, question: QuestionText, before: list[SolutionStep]) -> Operand:
    value = number.value or 0
    meant = {value, value * 100} if number.percent else {value}
    given = tuple(place for place, mention in enumerate(question.mentions) if not meant.isdisjoint(mention.readings))
    step_numbers = tuple(place for place, step in enumerate(before) if step.value in meant)
    if given and step_numbers:
        source = OperandSource.EITHER
    elif given or step_numbers:
        source = OperandSource.QUESTION if given else OperandSource.RESULT
    elif value in KNOWN_CONSTANTS:
        source = OperandSource.KNOWN
    else:
        source = OperandSource.DERIVED if _derived(value, question, before) else OperandSource.NOWHERE
    return Operand(number, source, given, step_numbers)


def _derived(value: Exact, question: QuestionText, before: list[SolutionStep]) -> bool:
    """Tell whether a small conversion of a known number gives a value: the rest of a share, a hundredth, minutes in hours."""
    if value in _conversions(question):
        return True
    results = [step.value for step in before if step.value is not None]
    return any(
        value in {result * 100, result + 1, result - 1, 100 - result, 1 - result, result * _MINUTES}
        or value * _MINUTES == result
        for result in results
    )


@lru_cache(maxsize=512)
def _conversions(question: QuestionText) -> frozenset[Exact]:
    converted: set[Exact] = set()
    for value in (reading for mention in question.mentions for reading in mention.readings):
        converted |= {1 - value, 1 + value, 100 - value, 100 + value, value * 100, value - 1, value * 2}
        converted |= {value * size for size in _CONVERSIONS}
        converted |= {Fraction(value, size) for size in (2, 100, *_CONVERSIONS)}
        if value:
            converted.add(1 / Fraction(value))
    firsts = [mention.readings[0] for mention in question.mentions]
    for place, value in enumerate(firsts):
        for other in firsts[:place]:
            converted |= {value + other, value - other, other - value, value * other}
    return frozenset(converted)
