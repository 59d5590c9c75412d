"""The computation steps of a solution: their operands, the sources of the operands, and the use of the results."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.equations.equation import Negative, Number, Operation, ParenthesizedExpression
from harness.equations.truth import numbers
from harness.text.number_mentions import mentions
from harness.text.units import factor
from harness.text.world_facts import KNOWN_CONSTANTS
from oracles.labels.audit.solution_lines import read_statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.domain import Exact
    from harness.equations.equation import Expression, StatedEquation
    from harness.text.number_mentions import NumberMention
    from sft.samples.items import Item

MOST_STEPS = 60
MOST_MENTIONS = 60
MOST_LEAVES = 40
LONGEST_QUESTION = 4_000
"""Limits: what exceeds them is not looked at."""
_MINUTES = factor("minute", "hour")
_CONVERSIONS = (factor("month", "year"), _MINUTES, factor("day", "week"))
_ASKING = re.compile(r"\b(?:how|what|which|calculate|find|determine|who|when)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.?!]+(?:[.?!](?=\d)[^.?!]*)*[.?!]*")
_YEAR = range(1900, 2101)


class OperandSource(enum.StrEnum):
    """Where an operand can come from, the likeliest first."""

    QUESTION = "question"
    RESULT = "result"
    EITHER = "either"
    KNOWN = "known"
    DERIVED = "derived"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class QuestionText:
    """A question as it was read: its numbers, and from which character to which it asks."""

    text: str
    mentions: tuple[NumberMention, ...]
    start: int
    end: int

    @property
    def sentence(self) -> str:
        """Return the part that asks."""
        return self.text[self.start : self.end]

    def idle(self, number: int) -> bool:
        """Tell whether a number may well not be meant as one: `one`, `once`, a year."""
        mention = self.mentions[number]
        value = mention.readings[0]
        word = not any(character.isdigit() for character in mention.text)
        return value == 1 or (word and value == 0) or (value in _YEAR and "," not in mention.text)


@dataclass(frozen=True, slots=True)
class Operand:
    """A number that is computed with: `given` and `made` are the mentions and the steps it can come from."""

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
    """An equation that computes: `place` is its line from zero, `text` the line, `value` what is stated as its result."""

    place: int
    text: str
    equation: StatedEquation
    operands: tuple[Operand, ...]
    value: Exact | None

    def operations(self) -> Iterator[Operation]:
        """Yield the operations of the left side, the outermost first."""
        return operations(self.equation.left)


@dataclass(frozen=True, slots=True)
class SolutionSteps:
    """The question and the steps of a solution."""

    asked: QuestionText
    steps: tuple[SolutionStep, ...]

    def used(self) -> set[int]:
        """Return the numbers of the question that some step can have used."""
        return {given for step in self.steps for operand in step.operands for given in operand.given}

    def dangling(self) -> list[int]:
        """Return the steps, but for the last, whose result no later step uses and no later result repeats."""
        last = len(self.steps) - 1
        made = {one for step in self.steps for operand in step.operands for one in operand.made}
        values = [step.value for step in self.steps]
        return [number for number in range(last) if number not in made and values[number] not in values[number + 1 :]]


def operations(expression: Expression) -> Iterator[Operation]:
    """Yield the operations of an expression, the outermost first."""
    stack = [expression]
    while stack:
        one = stack.pop()
        if isinstance(one, Operation):
            yield one
            stack += [one.right, one.left]
        elif isinstance(one, ParenthesizedExpression | Negative):
            stack.append(one.inner)


@lru_cache(maxsize=512)
def question_text(question: str) -> QuestionText:
    """Return the numbers of a question and where it asks; where no sentence does, the last one is taken for it."""
    text = question[:LONGEST_QUESTION]
    found = tuple(mentions(text)[:MOST_MENTIONS])
    spans = [(match.start(), match.end()) for match in _SENTENCE.finditer(text) if match.group().strip()]
    asking = [span for span in spans if "?" in text[slice(*span)]] or [
        span for span in spans if _ASKING.search(text[slice(*span)])
    ]
    start, end = (asking or spans or [(0, 0)])[-1]
    return QuestionText(text, found, start, end)


@lru_cache(maxsize=64)
def steps_of(item: Item) -> SolutionSteps:
    """Return what a solution computes, read from its lines without annotations, so that the form says nothing.

    Every kind of evidence asks for it, so the last ones are remembered.
    """
    question = question_text(item.question)
    found: list[SolutionStep] = []
    for place, line in enumerate(item.lines):
        previous: StatedEquation | None = None
        for equation in read_statement(line).equations:
            goes_on = previous is not None and equation.left.start == previous.right.start
            previous = equation
            if goes_on and found and found[-1].place == place:
                # In `2 + 3*4 = 2 + 12 = 14` what is computed is the first, its result the last.
                last = found[-1]
                found[-1] = SolutionStep(place, line, last.equation, last.operands, equation.right.value)
                continue
            if len(found) < MOST_STEPS and next(operations(equation.left), None) is not None:
                found.append(_step(place, line, equation, question, found))
    return SolutionSteps(question, tuple(found))


def _step(
    place: int, line: str, equation: StatedEquation, question: QuestionText, before: list[SolutionStep]
) -> SolutionStep:
    leaves = [one for one in numbers(equation.left) if one.value is not None][:MOST_LEAVES]
    operands = tuple(_operand(one, question, before) for one in leaves)
    return SolutionStep(place, line, equation, operands, equation.right.value)


def _operand(number: Number, question: QuestionText, before: list[SolutionStep]) -> Operand:
    value = number.value or 0
    meant = {value, value * 100} if number.percent else {value}
    given = tuple(place for place, one in enumerate(question.mentions) if not meant.isdisjoint(one.readings))
    made = tuple(place for place, step in enumerate(before) if step.value in meant)
    if given and made:
        source = OperandSource.EITHER
    elif given or made:
        source = OperandSource.QUESTION if given else OperandSource.RESULT
    elif value in KNOWN_CONSTANTS:
        source = OperandSource.KNOWN
    else:
        source = OperandSource.DERIVED if _derived(value, question, before) else OperandSource.NOWHERE
    return Operand(number, source, given, made)


def _derived(value: Exact, question: QuestionText, before: list[SolutionStep]) -> bool:
    """Tell whether a value is a small conversion away: the rest of a share, a hundredth, minutes in hours, a count of two."""
    if value in _conversions(question):
        return True
    made = [step.value for step in before if step.value is not None]
    return any(
        value in {one * 100, one + 1, one - 1, 100 - one, 1 - one, one * _MINUTES} or value * _MINUTES == one
        for one in made
    )


@lru_cache(maxsize=512)
def _conversions(question: QuestionText) -> frozenset[Exact]:
    values = [reading for mention in question.mentions for reading in mention.readings]
    found: set[Exact] = set()
    for one in values:
        found |= {
            1 - one,
            1 + one,
            100 - one,
            100 + one,
            one * 100,
            one + 1,
            one - 1,
            one * 2,
            *(one * size for size in _CONVERSIONS),
        }
        found |= {Fraction(one, 100), Fraction(one, 2), *(Fraction(one, size) for size in _CONVERSIONS)}
        if one:
            found.add(1 / Fraction(one))
    firsts = [mention.readings[0] for mention in question.mentions]
    for place, one in enumerate(firsts):
        for other in firsts[:place]:
            found |= {one + other, one - other, other - one, one * other}
    return frozenset(found)
