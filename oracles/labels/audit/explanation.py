"""Checks that the explanation and the correction of a label name its line, and the values and numbers of its solutions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from harness.corpora.labelled_solutions import LabelVerdict
from harness.domain import Evidence
from harness.equations.line_reader import read_line
from harness.solution.labels import FINAL_ANSWER, ErrorClass
from harness.solution.phrases.quantity_phrases import LINE_RESULT
from harness.text.number_forms import format_value
from harness.text.numbers import NUMERAL, mentions, read_numeral
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.solution_lines import read_statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.corpora.labelled_solutions import StatedLabel
    from harness.domain import Exact
    from harness.text.numbers import NumberMention
    from oracles.labels.audit.solution_lines import AuditedSolution

LONGEST_EXPLANATION = 2_000
_LINE_NAMED = re.compile(
    r"\b(?:lines? |(?:in|on|at|of) step |L)#?(?P<number>[1-9]\d{0,3})\b(?!\.\d|\s*[-+*/×=])", re.IGNORECASE | re.ASCII
)
_NAME = re.compile(r"'[^'\n]{1,80}'|\"[^\"\n]{1,80}\"|\b[a-z]+_[a-z0-9_]*\b|\b[a-z]+\d\w*\b")
SHOULD_BE = re.compile(
    rf"\bshould be \$?(?P<right>-?(?:{NUMERAL})(?:/\d{{1,9}})?),? (?:and )?not \$?(?P<wrong>-?(?:{NUMERAL})(?:/\d{{1,9}})?)(?![\d,/]*\d)",
    re.ASCII,
)
# Where thousands are counted, 15 and 15,000 are one amount.
_SCALE = re.compile(r"\b(?:thousand|million|billion)s?\b", re.IGNORECASE)
_SMALLEST_NAMED, _LARGEST_SMALL = 0, 12
# Noise of floats, and decimals that a line shows fewer of.
_NEAR = Fraction(1, 100)
MOST_VALUES = 40


def named_lines(text: str) -> list[re.Match[str]]:
    """Return where an explanation names lines; `the result of line 2 (24)` only tells where 24 comes from."""
    return list(_LINE_NAMED.finditer(LINE_RESULT.sub(lambda match: " " * len(match[0]), text)))


def explained_numbers(text: str) -> list[NumberMention]:
    """Return the numbers in digits of an explanation that stand for values, not for lines or in names."""
    names = [match.span() for pattern in (_NAME, _LINE_NAMED, LINE_RESULT) for match in pattern.finditer(text)]
    return [
        number
        for number in mentions(text)
        if number.text[0].isdigit() and not any(start <= number.start < end for start, end in names)
    ]


def is_common(value: Exact) -> bool:
    """Tell whether a number stands in explanations without being anybody's: small counts, percent."""
    return value.denominator == 1 and (_SMALLEST_NAMED <= value <= _LARGEST_SMALL or value == 100)


@dataclass(frozen=True, slots=True)
class ExplainedLabel:
    """A flawed solution with its label, the place of the labelled line, the correct solution if known, and the numbers of the question."""

    solution: AuditedSolution
    stated: StatedLabel
    labelled: int | None
    reference: AuditedSolution | None
    question: frozenset[Exact]


def explanation_findings(subject: ExplainedLabel) -> Iterator[Evidence]:
    """Yield the contradictions of an explanation and a correction to a label: a line, values or a number that the label does not have."""
    stated = subject.stated
    for equation in read_statement(stated.correction).false:
        written = stated.correction[equation.start : equation.end]
        expected = "" if equation.left.value is None else format_value(equation.left.value)
        yield Evidence(stated.line, AuditCause.FALSE_CORRECTION, written, expected)
    if stated.explanation and stated.said is LabelVerdict.FLAWED:
        text = stated.explanation[:LONGEST_EXPLANATION]
        objection = _another_line(stated, text) or _foreign_number(subject, text)
        if objection is not None:
            yield objection
    yield from _should_be(subject.solution, stated, subject.labelled)


def _another_line(stated: StatedLabel, text: str) -> Evidence | None:
    """Return the first line that is named where the labelled one is not."""
    named = [f"L{int(match['number'])}" for match in named_lines(text)]
    if not named or stated.line in {"", FINAL_ANSWER, *named}:
        return None
    return Evidence(stated.line, AuditCause.EXPLANATION_DISAGREES, named[0], stated.line)


def _foreign_number(subject: ExplainedLabel, text: str) -> Evidence | None:
    """Return the first number that neither the question nor a solution has, and that no operation on their numbers gives."""
    if subject.reference is None and subject.stated.error_class is not ErrorClass.COMPUTATIONAL:
        return None
    known = _known(subject, text)
    results: frozenset[Exact] | None = None
    for number in explained_numbers(text):
        if any(is_common(reading) or _is_known(reading, known) for reading in number.readings):
            continue
        results = _results(known) if results is None else results
        if not any(_is_known(reading, results) or _completes(reading, known) for reading in number.readings):
            line = subject.stated.line or FINAL_ANSWER
            return Evidence(
                line, AuditCause.EXPLANATION_DISAGREES, number.text, "a number of the question or of a solution"
            )
    return None


def _known(subject: ExplainedLabel, text: str) -> frozenset[Exact]:
    """Return the numbers of the question and of both solutions, and what the equations of the explanation work out."""
    values: set[Exact] = set(subject.question)
    correct = () if subject.reference is None else tuple(line.text for line in subject.reference.statements)
    values |= _numbers_of_all(correct)
    for line in subject.solution.statements:
        # Most lines of a flawed solution are those of the correct one.
        if line.text not in correct:
            values |= _numbers_of(line.text)
    for solution in (subject.solution, subject.reference):
        answer = "" if solution is None else solution.answer or ""
        values.update(reading for mention in mentions(answer) for reading in mention.readings)
    values.update(equation.left.value for equation in read_line(text).equations if equation.left.value is not None)
    return frozenset(values)


def _completes(value: Exact, known: frozenset[Exact]) -> bool:
    """Tell whether a number and a known one make a known one."""
    few = len(known) <= MOST_VALUES
    return few and any(value - other in known or other - value in known for other in known)


def _results(values: frozenset[Exact]) -> frozenset[Exact]:
    """Return the results of one operation on two known numbers, where these are few."""
    known = [Fraction(value) for value in values]
    pairs = [(left, right) for left in known for right in known] if len(known) <= MOST_VALUES else []
    results = {result for left, right in pairs for result in (left + right, abs(left - right), left * right)}
    return frozenset(results | {left / right for left, right in pairs if right})


def _is_known(value: Exact, known: frozenset[Exact]) -> bool:
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


def _should_be(solution: AuditedSolution, stated: StatedLabel, labelled: int | None) -> Iterator[Evidence]:
    """Yield the contradictions of the values of `should be 375, not 357` to a label."""
    if (
        stated.error_class is not ErrorClass.COMPUTATIONAL
        or labelled is None
        or labelled >= len(solution.statements)
        or "should be" not in stated.explanation
    ):
        return
    match = SHOULD_BE.search(stated.explanation[:LONGEST_EXPLANATION])
    if match is None:
        return
    line = solution.statements[labelled]
    right, wrong = value_of(match["right"]), value_of(match["wrong"])
    if not line.false or right is None or wrong is None or _SCALE.search(line.text):
        return
    values = [equation.left.value for equation in line.equations], [equation.right.value for equation in line.equations]
    if not all(
        any(_names(number, side_value) for side_value in side)
        for number, side in zip((right, wrong), values, strict=True)
    ):
        equation = line.false[0]
        found = f"{_shown(equation.left.value)} and not {_shown(equation.right.value)}"
        yield Evidence(solution.label(labelled), AuditCause.EXPLANATION_DISAGREES, match[0], found)


def _shown(value: Exact | None) -> str:
    return "?" if value is None else format_value(value)


def value_of(text: str) -> tuple[Exact, int] | None:
    """Return a number's value and the decimals it is written with; `None` where it divides by zero."""
    top, _, bottom = text.removeprefix("-").partition("/")
    over, under = read_numeral(top), read_numeral(bottom) if bottom else 1
    if over is None or not under:
        return None
    value = Fraction(over) / under
    return (-value if text.startswith("-") else value), 0 if bottom else len(top.partition(".")[2])


def _names(number: tuple[Exact, int], exact: Exact | None) -> bool:
    """Tell whether a number is a value to its decimals, percent and the noise of floats apart.

    Lines show two decimals of what an explanation has more of. A value that could not be computed is accepted.
    """
    if exact is None:
        return True
    value, places = number
    senses = [Fraction(exact), Fraction(exact) * 100, Fraction(exact) / 100]
    if any(abs(value - sense) * 10**places < 1 for sense in senses[:2]):
        return True
    noise = abs(Fraction(value)) / 10**9
    shown = any(abs(value - sense) <= Fraction(1, 200) for sense in senses[:2])
    return (places > 2 and shown) or any(abs(value - sense) <= noise for sense in senses)
