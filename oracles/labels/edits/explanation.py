"""Checks that an edited explanation describes the labelled line and uses only values of the solutions and the question."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from harness.equations.line_reader import read_line
from harness.solution.labels import FINAL_ANSWER
from harness.text.number_forms import format_value
from harness.text.numbers import mentions
from oracles.labels.audit.explanation import SHOULD_BE, explained_numbers, is_common, named_lines, value_of
from oracles.labels.edits.findings import EXPLANATION, EditFinding, EditFindingKind, finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oracles.labels.edits.candidate import ReviewCandidate

MOST_SHOWN = 4


def explanation_findings(subject: ReviewCandidate, text: str, labelled: str) -> Iterator[EditFinding]:
    """Yield the objections to an explanation of the error on the line that reads `labelled`.

    It is empty, names another line, calls a value right that is wrong or the other way round, states a false equation that is
    not the solution's own, or a number that nothing has to do with (UNKNOWN: it may be a constant or a comparison).
    """
    if not any(character.isalnum() for character in text):
        yield finding(EditFindingKind.NO_EXPLANATION, EXPLANATION, text, "The explanation is empty.")
        return
    for span, message, unknown in (
        *_another_line(subject, text),
        *_called_otherwise(subject, text),
        *_false_equations(text, labelled),
        *_foreign_numbers(subject, text),
    ):
        found = text[slice(*span)].strip()
        yield finding(EditFindingKind.EXPLANATION_DISAGREES, EXPLANATION, found, message, span=span, unknown=unknown)


Objection = tuple[tuple[int, int], str, bool]


def _another_line(subject: ReviewCandidate, text: str) -> Iterator[Objection]:
    """Yield the first line that is named if neither the labelled one is nor the step that was left out."""
    named = named_lines(text)
    own = {subject.line, subject.certificate.change.line} - {FINAL_ANSWER, ""}
    if named and own and own.isdisjoint(f"L{int(match['number'])}" for match in named):
        yield named[0].span(), f"The error is on {subject.line}; the explanation names L{named[0]['number']}.", False


def _called_otherwise(subject: ReviewCandidate, text: str) -> Iterator[Objection]:
    """Yield the values of `should be 375, not 357` that are on the other side."""
    before, after = frozenset(subject.before.values()), frozenset(subject.after.values())
    for match in SHOULD_BE.finditer(text):
        for name, others, message in (
            ("right", after - before, "The flawed solution has {}: it is not what is right."),
            ("wrong", before - after - subject.computed_from, "The correct solution has {}: it is not what is wrong."),
        ):
            value = value_of(match[name])
            if value is not None and value[0] in others:
                yield match.span(name), message.format(match[name]), False


def _false_equations(text: str, labelled: str) -> Iterator[Objection]:
    own = {(equation.left.value, equation.right.value) for equation in read_line(labelled).false}
    for equation in read_line(text).false[:MOST_SHOWN]:
        if (equation.left.value, equation.right.value) not in own:
            value = "" if equation.left.value is None else f": it gives {format_value(equation.left.value)}"
            yield (equation.start, equation.end), f"This equation is false{value}.", False


def _foreign_numbers(subject: ReviewCandidate, text: str) -> Iterator[Objection]:
    """Yield numbers in digits that neither solution, question nor candidate has, nor is the difference of two values."""
    record = subject.record
    texts = (record["question"], record["solution"], record["flawed_solution"], subject.explanation)
    known = {reading for part in texts for mention in mentions(part) for reading in mention.readings}
    pairs = [(subject.before[name], value) for name, value in subject.after.items() if name in subject.before]
    known |= {*subject.before.values(), *subject.after.values(), *(abs(Fraction(old) - new) for old, new in pairs)}
    foreign = [
        number
        for number in explained_numbers(text)
        if known.isdisjoint(number.readings) and not is_common(number.readings[0])
    ]
    for number in foreign[:MOST_SHOWN]:
        message = f"{number.text!r} stands neither in the problem nor in either solution."
        yield (number.start, number.end), message, True
