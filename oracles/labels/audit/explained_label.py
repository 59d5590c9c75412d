"""Checks that an explanation is about the labelled error: its line, its numbers, its operations and its type."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from harness.domain import Evidence
from harness.equations.line_reader import read_line
from harness.solution.labels import FINAL_ANSWER, ErrorClass, ErrorType
from harness.solution.phrases.explanation_phrases import (
    OPERATION_WORDS,
    filled_by_operator,
    operator_error_types,
)
from harness.solution.phrases.quantity_phrases import LINE_RESULT, QUOTATION
from harness.text.numbers import mentions
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.solution_lines import read_statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.corpora.labelled_solutions import StatedLabel
    from harness.domain import Exact
    from harness.text.numbers import NumberMention
    from oracles.labels.audit.solution_lines import AuditedSolution

LONGEST_EXPLANATION = 2_000
LINE_NAMED = re.compile(
    r"\b(?:lines? |(?:in|on|at|of) step |L)#?(?P<number>[1-9]\d{0,3})\b(?!\.\d|\s*[-+*/×=])", re.IGNORECASE | re.ASCII
)
_NAME = re.compile(r"'[^'\n]{1,80}'|\"[^\"\n]{1,80}\"|\b[a-z]+_[a-z0-9_]*\b|\b[a-z]+\d\w*\b")
_SIGN = re.compile(r"(?<=[\d)\s%])([-+*/×÷x–−])(?=[\s($.\d-])")
_SIGNS = {"×": "*", "x": "*", "÷": "/", "–": "-", "−": "-"}
_SLOT = re.compile(r"\{\w+\}")
_SMALLEST_NAMED, _LARGEST_SMALL = 0, 12
# Noise of floats, and decimals that a line shows fewer of.
_NEAR = Fraction(1, 100)
MOST_VALUES = 40
OPERATIONS = {word: sign for sign, words in OPERATION_WORDS.items() for word in words}


@dataclass(frozen=True)
class ExplainedLabel:
    """A flawed solution with its label, the place of the labelled line, the correct solution if known, and the question.

    `question` are the numbers of the question, which reads `question_text`.
    """

    solution: AuditedSolution
    stated: StatedLabel
    labelled: int | None
    reference: AuditedSolution | None
    question: frozenset[Exact]
    question_text: str = ""

    def findings(self) -> Iterator[Evidence]:
        """Yield the first statement of the explanation about another error than the labelled one."""
        for check in (
            self._another_line,
            self._another_type,
            self._another_operation,
            self._foreign_origin,
            self._foreign_number,
        ):
            evidence = next(check(), None)
            if evidence is not None:
                yield evidence
                return

    @property
    def text(self) -> str:
        """Return the explanation, as far as it is read."""
        return self.stated.explanation[:LONGEST_EXPLANATION]

    def _evidence(self, said: str, expected: str) -> Evidence:
        return Evidence(self.stated.line or FINAL_ANSWER, AuditCause.EXPLANATION_DISAGREES, said, expected)

    def _another_line(self) -> Iterator[Evidence]:
        """Yield the first line that is named where the labelled one is not; `the result of line 2 (24)` only tells where 24 comes from."""
        named = [f"L{int(match['number'])}" for match in LINE_NAMED.finditer(LINE_RESULT.sub("", self.text))]
        if named and self.stated.line not in {"", FINAL_ANSWER, *named}:
            yield self._evidence(named[0], self.stated.line)

    def _another_type(self) -> Iterator[Evidence]:
        """Yield the type of error that the sentence of the explanation belongs to, if the label has another type of the taxonomy."""
        if self.stated.error_type not in set(ErrorType):
            return
        types = _types_of(self.text)
        if types and ErrorType(self.stated.error_type) not in types:
            yield self._evidence(f"a sentence on {', '.join(sorted(types))}", self.stated.error_type)

    def _another_operation(self) -> Iterator[Evidence]:
        """Yield the operation that a known sentence calls wrong, if the labelled line has others only."""
        if self.labelled is None or self.labelled >= len(self.solution.statements):
            return
        signs = {_SIGNS.get(sign, sign) for sign in _SIGN.findall(self.solution.statements[self.labelled].text)}
        for slots in _slots_of(self.text):
            wrong = {
                OPERATIONS[word.lower()]
                for slot, word in slots
                if slot.startswith("wrong_") and word.lower() in OPERATIONS
            }
            if signs and wrong - signs:
                yield self._evidence(
                    f"the operation {' '.join(wrong)}", f"one of {' '.join(sorted(signs))} on {self.stated.line}"
                )
                return

    def _foreign_origin(self) -> Iterator[Evidence]:
        """Yield the first line that does not state the result that is said to be its own, and the first quotation of nothing."""
        for match in LINE_RESULT.finditer(self.text):
            place, result = int(match["line"]) - 1, mentions(match["result"])
            lines = self.solution.statements
            stated = (
                {reading for mention in mentions(lines[place].text) for reading in mention.readings}
                if place < len(lines)
                else set()
            )
            if not any(reading in stated for mention in result for reading in mention.readings[:1]):
                yield self._evidence(match[0], f"a result that line {match['line']} states")
                return
        if self._own and self.question_text:
            known = " ".join(self.question_text.split()).replace('"', "'").lower()
            for match in QUOTATION.finditer(self.text):
                if match[1].rstrip("…").lower() not in known:
                    yield self._evidence(match[0], "words of the question")
                    return

    def _foreign_number(self) -> Iterator[Evidence]:
        """Yield the first number that neither the question nor a solution has, and that no operation on their numbers gives.

        In a known sentence, the number that is called wrong is one of the labelled line, whatever else is known.
        """
        yield from self._wrong_number()
        if self._own:
            yield from (self._evidence(equation, "a true equation") for part in self._parts for equation in part.false)
        if self.reference is None and self.stated.error_class is not ErrorClass.COMPUTATIONAL:
            return
        for number in (number for part in self._parts for number in part.numbers):
            if any(_is_known(reading, self._known, small=not self._own) for reading in number.readings):
                continue
            if self._own or not any(self._is_result(reading) for reading in number.readings):
                yield self._evidence(number.text, "a number of the question or of a solution")
                return

    def _wrong_number(self) -> Iterator[Evidence]:
        place = len(self.solution.statements) if self.labelled is None else self.labelled
        line = (
            self.solution.statements[place].text if place < len(self.solution.statements) else f"{self.solution.answer}"
        )
        values = frozenset(reading for mention in mentions(line) for reading in mention.readings)
        for slots in _slots_of(self.text):
            told = [text for slot, text in slots if slot in {"wrong", "wrong_value"}]
            numbers = [mentions(text)[-1:] for text in told]
            if told and any(
                not any(_is_known(reading, values, small=False) for number in last for reading in number.readings)
                for last in numbers
                if last
            ):
                yield self._evidence(", ".join(told), f"a number of {self.stated.line}")
                return

    @cached_property
    def _own(self) -> bool:
        """Tell whether the explanation is a known sentence."""
        return bool(_read(self.text))

    @cached_property
    def _parts(self) -> tuple[_SaidPart, ...]:
        """Return the parts of the explanation: of a known sentence its own words and each slot, else the whole."""
        read = _read(self.text)
        if not read:
            return (_said(self.text),)
        filled = read[0][1]
        return (_said(_between_slots(filled.phrase)), *(_said(text) for _, text in filled.slots))

    @cached_property
    def _known(self) -> frozenset[Exact]:
        values: set[Exact] = set(self.question)
        known = () if self.reference is None else tuple(line.text for line in self.reference.statements)
        values |= _numbers_of_all(known)
        for line in self.solution.statements:
            # Most lines of a flawed solution are those of the correct one.
            if line.text not in known:
                values |= _numbers_of(line.text)
        for solution in (self.solution, self.reference):
            if solution is None:
                continue
            values.update(reading for mention in mentions(solution.answer or "") for reading in mention.readings)
        for part in self._parts:
            values |= part.lefts
        return frozenset(values)

    def _is_result(self, value: Exact) -> bool:
        """Tell whether one operation makes a number of two known ones."""
        known = self._known
        few = len(known) <= MOST_VALUES
        if few and any(value - other in known or other - value in known for other in known):
            return True
        return _is_known(value, self._results, small=True)

    @cached_property
    def _results(self) -> frozenset[Exact]:
        """Return the results of one operation on two known numbers, where these are few."""
        known = [Fraction(value) for value in self._known]
        pairs = [(left, right) for left in known for right in known] if len(known) <= MOST_VALUES else []
        results = {result for left, right in pairs for result in (left + right, abs(left - right), left * right)}
        return frozenset(results | {left / right for left, right in pairs if right})


def _is_known(value: Exact, known: frozenset[Exact], *, small: bool) -> bool:
    if small and value.denominator == 1 and (_SMALLEST_NAMED <= value <= _LARGEST_SMALL or value == 100):
        return True
    if value in known or -value in known or value * 100 in known or Fraction(value, 100) in known:
        return True
    if value.denominator == 1:
        return False
    number = Fraction(value)
    return any(abs(number - other) < _NEAR for other in known)


# Most lines of a flawed solution are those of other flawed solutions of its problem.
@lru_cache(maxsize=8_192)
def _numbers_of(line: str) -> frozenset[Exact]:
    """Return the numbers of a line, in digits and in words, and what the sides of its equations are."""
    statement = read_statement(line)
    sides = (side.value for equation in statement.equations for side in (equation.left, equation.right))
    readings = (reading for mention in mentions(line) for reading in mention.readings)
    return frozenset(value for value in (*statement.numbers, *readings, *sides) if value is not None)


@lru_cache(maxsize=256)
def _numbers_of_all(lines: tuple[str, ...]) -> frozenset[Exact]:
    """Return the numbers of the lines of a correct solution, which all its flawed ones share."""
    return frozenset(number for line in lines for number in _numbers_of(line))


@dataclass(frozen=True, slots=True)
class _SaidPart:
    """The numbers of a part of an explanation, names and lines left out, and its equations: false ones, and left sides."""

    numbers: tuple[NumberMention, ...]
    false: tuple[str, ...]
    lefts: frozenset[Exact]


# Most slots of an explanation are those of other flawed solutions of its problem.
@lru_cache(maxsize=8_192)
def _said(text: str) -> _SaidPart:
    reading = read_line(text)
    names = [match.span() for pattern in (_NAME, LINE_NAMED, LINE_RESULT) for match in pattern.finditer(text)]
    return _SaidPart(
        tuple(
            number
            for number in mentions(text)
            if number.text[0].isdigit() and not any(start <= number.start < end for start, end in names)
        ),
        tuple(text[equation.start : equation.end] for equation in reading.false),
        frozenset(equation.left.value for equation in reading.equations if equation.left.value is not None),
    )


@lru_cache(maxsize=1_024)
def _between_slots(phrase: str) -> str:
    """Return the words of a sentence without its slots."""
    return _SLOT.sub("…", phrase)


_read = filled_by_operator


def _types_of(text: str) -> frozenset[ErrorType]:
    """Return the error types of the operators that explain in this sentence; none for words of other origin."""
    return frozenset(kind for operator, _ in _read(text) for kind in operator_error_types(operator))


def _slots_of(text: str) -> list[tuple[tuple[str, str], ...]]:
    """Return the contents of the slots of the sentences that a text reads like."""
    return [filled.slots for _, filled in _read(text)]
