"""Checks that an edited explanation describes the labelled line and uses only values of the solutions and the question."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.equations.line_reader import read_line
from harness.solution.labels import FINAL_ANSWER
from harness.text.number_forms import format_value
from harness.text.numbers import NUMERAL, mentions, read_numeral
from oracles.labels.audit.explanation import explained_numbers, is_common, named_lines
from oracles.labels.edits.findings import EXPLANATION, EditFinding, EditFindingKind, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.domain import Exact
    from harness.equations.equation import StatedEquation
    from oracles.labels.edits.candidate import ReviewCandidate

MOST_SHOWN = 4
_VALUE = rf"\$?(?P<value>-?(?>{NUMERAL})(?>/\d{{1,9}})?)(?![\d,/.]*\d)"
# The number alone: what goes on with a sign is the beginning of an equation.
_ALONE = rf"{_VALUE}(?! ?[-+*/×=])"
_RIGHT = (
    re.compile(rf"\b(?:should|must|has to|ought to) (?:be|have been|equal|give|make|read) {_ALONE}", re.ASCII),
    re.compile(
        rf"(?<![-+*/×=] )(?<!\d)(?<!\d[.,]){_VALUE} (?:is|would be|was|would have been) (?:the )?(?:correct|right)\b",
        re.ASCII,
    ),
    re.compile(rf"\b(?:correct|right) (?:value|answer|result|number|amount) (?:is|would be|was) {_ALONE}", re.ASCII),
)
_WRONG = (
    re.compile(rf"(?:,| and) not {_ALONE}", re.ASCII),
    re.compile(rf"(?<![-+*/×=] )(?<!\d)(?<!\d[.,]){_VALUE} (?:is|was) (?:wrong|incorrect|false)\b", re.ASCII),
)


def explanation_findings(subject: ReviewCandidate, text: str, labelled: str) -> Iterator[EditFinding]:
    """Yield the objections to an explanation of the error on the line that reads `labelled`.

    It is empty, names another line, calls a value right that is wrong or the other way round, states a false equation that is
    not the solution's own, or a number that nothing has to do with (UNKNOWN: it may be a constant or a comparison).
    """
    if not any(character.isalnum() for character in text):
        yield finding(EditFindingKind.NO_EXPLANATION, EXPLANATION, text, "The explanation is empty.")
        return
    yield from _another_line(subject, text)
    yield from _called_otherwise(subject, text)
    for equation in read_line(text).false[:MOST_SHOWN]:
        if not any(_same(equation, stated) for stated in read_line(labelled).false):
            written = text[equation.start : equation.end].strip()
            message = "This equation is false" + (
                "." if equation.left.value is None else f": it gives {format_value(equation.left.value)}."
            )
            span = equation.start, equation.end
            yield finding(EditFindingKind.EXPLANATION_DISAGREES, EXPLANATION, written, message, span=span)
    if text != subject.explanation:
        yield from _foreign(subject, text)


def _another_line(subject: ReviewCandidate, text: str) -> Iterator[EditFinding]:
    """Yield the first line that is named if the labelled one is not, nor the step that was left out."""
    named = [(f"L{int(match['number'])}", match) for match in named_lines(text)]
    own = {subject.line, subject.certificate.change.line} - {FINAL_ANSWER, ""}
    if named and own and not any(label in own for label, _ in named):
        label, match = named[0]
        message = f"The error is on {subject.line}; the explanation names {label}."
        yield finding(EditFindingKind.EXPLAINS_ANOTHER_LINE, EXPLANATION, match[0], message, span=match.span())


def _called_otherwise(subject: ReviewCandidate, text: str) -> Iterator[EditFinding]:
    before, after = frozenset(subject.before.values()), frozenset(subject.after.values())
    wrong = after - before
    right = before - after - subject.computed_from
    for patterns, others, message in (
        (_RIGHT, wrong, "The flawed solution has {value}: it is not what is right."),
        (_WRONG, right, "{value} is what the correct solution has: it is not what is wrong."),
    ):
        for pattern in patterns:
            for match in pattern.finditer(text):
                value = _value(match["value"])
                if value is not None and value in others:
                    sentence = message.format(value=match["value"])
                    span = match.span("value")
                    yield finding(
                        EditFindingKind.EXPLANATION_DISAGREES, EXPLANATION, match["value"], sentence, span=span
                    )


def _foreign(subject: ReviewCandidate, text: str) -> Iterator[EditFinding]:
    """Yield numbers in digits that neither solution, question nor candidate has, nor is the difference of two values."""
    record = subject.record
    texts = (record["question"], record["solution"], record["flawed_solution"], subject.explanation)
    known = {reading for part in texts for mention in mentions(part) for reading in mention.readings}
    known |= {*subject.known, *subject.before.values()}
    pairs = [(subject.before[name], subject.after[name]) for name in subject.before if name in subject.after]
    known |= {abs(Fraction(value) - other) for value, other in pairs}
    count = 0
    for number in explained_numbers(text):
        if known.isdisjoint(number.readings) and not is_common(number.readings[0]) and count < MOST_SHOWN:
            count += 1
            message = f"{number.text!r} stands neither in the problem nor in either solution."
            span = number.start, number.end
            yield finding(EditFindingKind.FOREIGN_NUMBER, EXPLANATION, number.text, message, span=span, unknown=True)


def _same(equation: StatedEquation, other: StatedEquation) -> bool:
    return equation.left.value == other.left.value and equation.right.value == other.right.value


def _value(text: str) -> Exact | None:
    top, _, bottom = text.removeprefix("-").partition("/")
    over, under = read_numeral(top), read_numeral(bottom) if bottom else 1
    if over is None or not under:
        return None
    value = Fraction(over) / under
    return -value if text.startswith("-") else value
