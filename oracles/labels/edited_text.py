"""A candidate that a reviewer edits, and the audit of the edited text: line by line, its numbers and equations are those of the candidate.

It is fast enough to run while the reviewer types. The proof of the text is done again where the review is sealed.
"""

import enum
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any

from harness.answers.gold_answer import read_gold
from harness.corpora.labelled_solutions import LONGEST_TEXT, MOST_LINES
from harness.domain import Exact, Status
from harness.equations.equation import Truth
from harness.equations.line_reader import LONGEST_LINE, read_line
from harness.json_form import MalformedRecordError, read_record
from harness.program.refusal import ProgramError, Refusal
from harness.records.mutation import FlawCertificate, FlawRecord
from harness.solution.labels import FINAL_ANSWER
from harness.text.number_forms import format_value
from harness.text.numbers import mentions
from harness.text.operation_words import lost_operation_words
from oracles.labels.audit.explanation import LONGEST_EXPLANATION, ExplainedError, explanation_objections, numbers_of
from oracles.labels.audit.paired_lines import LinePair
from oracles.proofs.flaw_certificate import FlawNotCertified, program_values
from oracles.proofs.flaw_text import ANSWER_MARK, line_place, lines_of
from oracles.proofs.record_content import character_problem, false_equations
from oracles.proofs.straight_program import EditError, EditKind, ProgramEdit, edit_between

EXPLANATION = "explanation"
"""Where a finding is that speaks against the explanation, not against a line."""
LONGEST_FOUND = 120
MOST_SHOWN = 16
"""The findings of a line that are listed."""


class UnreadableCandidateError(Exception):
    """The record is no candidate that can be edited; the text says why."""


@dataclass(frozen=True, slots=True)
class ReviewCandidate:
    """A candidate as it was made: its lines, the label, and its certificate.

    `line` is the labelled line and `place` where it stands, from zero. `stale_words` no longer fit: those
    of an operation that is gone. `before` and `after` are the values of the variables in the correct solution and in
    this one.
    """

    record: Mapping[str, Any] = field(repr=False)
    lines: tuple[str, ...]
    line: str
    place: int
    explanation: str
    stale_words: frozenset[str]
    certificate: FlawCertificate
    edit: ProgramEdit | None
    before: Mapping[str, Exact]
    after: Mapping[str, Exact]


def subject_of(record: Mapping[str, Any]) -> ReviewCandidate:
    """Return the fixed parts of a candidate, or raise an `UnreadableCandidateError`; the last few are cached, because a person edits one candidate for a while."""
    try:
        return _subject(json.dumps(record))
    except (TypeError, ValueError, RecursionError) as error:
        raise UnreadableCandidateError(str(error)[:200]) from None


@lru_cache(maxsize=64)
def _subject(written: str) -> ReviewCandidate:
    record = json.loads(written)
    try:
        read = read_record(FlawRecord, record)
        certificate = read.certificate
        before = program_values(certificate.oracle)
        edit = None if certificate.mutant is None else edit_between(certificate.oracle, certificate.mutant)
        _ = certificate.answer
    except (MalformedRecordError, Refusal, ProgramError, FlawNotCertified, EditError, KeyError) as error:
        raise UnreadableCandidateError(str(error).partition("\n")[0][:200]) from None
    line, explanation = read.label.line, read.label.error_details.explanation
    lines = lines_of(read.flawed_solution)
    place = line_place(line, lines)
    if place is None:
        raise UnreadableCandidateError(f"it has no line {line}")
    stale = frozenset[str]()
    if edit is not None and edit.kind is EditKind.CHANGED and edit.before is not None and edit.after is not None:
        stale = lost_operation_words(edit.before, edit.after)
    after = certificate.values
    return ReviewCandidate(
        record,
        lines,
        line,
        place,
        explanation=explanation,
        stale_words=stale,
        certificate=certificate,
        edit=edit,
        before=before,
        after=after,
    )


def labels_of(lines: Sequence[str]) -> list[str]:
    """Return the labels of lines, the last one `FA` where it gives the final answer."""
    labels = [f"L{place}" for place in range(1, len(lines) + 1)]
    if lines and lines[-1].startswith(ANSWER_MARK):
        labels[-1] = FINAL_ANSWER
    return labels


def labels_beside(own: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Return the labels of edited lines: the candidate's own where there are as many, whatever stands on the last one."""
    return labels_of(own if len(own) == len(lines) else lines)


class EditFindingKind(enum.StrEnum):
    """The kinds of finding: of words, numbers, equations, the answer, lines, the explanation, of any text."""

    STALE_WORD = "stale-word"
    ADDED_NUMBER = "added-number"
    LOST_NUMBER = "lost-number"
    FALSE_EQUATION = "false-equation"
    ADDED_EQUATION = "added-equation"
    LOST_EQUATION = "lost-equation"
    UNREAD_EQUATION = "unread-equation"
    ANSWER = "answer"
    LINES = "lines"
    NO_EXPLANATION = "no-explanation"
    EXPLANATION_DISAGREES = "explanation-disagrees"
    CHARACTER = "character"
    TOO_LONG = "too-long"
    UNREADABLE_CANDIDATE = "unreadable-candidate"


@dataclass(frozen=True, slots=True)
class EditFinding:
    """An objection to a text; `where` is `L3` or `FA` in the edited text, or `explanation`.

    `start` to `end` are the characters of that text, both 0 where all of it is meant; `found` is the text found there,
    or the missing text. `message` is for a reviewer. REFUTED contradicts the label or the trace, UNKNOWN is for a
    person to judge.
    """

    kind: EditFindingKind
    where: str
    message: str
    found: str = ""
    start: int = 0
    end: int = 0
    status: Status = Status.REFUTED


def _text_finding(
    kind: EditFindingKind, where: str, message: str, text: str, span: tuple[int, int], *, doubtful: bool = False
) -> EditFinding:
    """Return a finding about characters of a text."""
    status = Status.UNKNOWN if doubtful else Status.REFUTED
    return EditFinding(kind, where, message, text[slice(*span)].strip()[:LONGEST_FOUND], *span, status)


def audit_edit(record: Mapping[str, Any], lines: Sequence[str], explanation: str) -> tuple[EditFinding, ...]:
    """Return all objections to an edited text of a candidate, in the order of the text.

    `record` is a flawed solution as a run seals it, `lines` are those of the edited one, `#### 72` the last. It takes
    a few milliseconds, whatever the text, and never raises: of a record that cannot be read, that is the one finding.
    """
    try:
        subject = subject_of(record)
    except UnreadableCandidateError as error:
        message = f"This candidate cannot be audited: {error}"
        return (EditFinding(EditFindingKind.UNREADABLE_CANDIDATE, FINAL_ANSWER, message),)
    end = len(lines)
    # Line breaks after a candidate's text make empty lines.
    while end > len(subject.lines) and not lines[end - 1]:
        end -= 1
    lines = lines[:end]
    if len(lines) != len(subject.lines) or len(lines) > MOST_LINES:
        message = f"The text has {len(lines):,} lines, expected {len(subject.lines):,} as the candidate: the words of a line may change."
        return (EditFinding(EditFindingKind.LINES, FINAL_ANSWER, message),)
    if (total := sum(map(len, lines))) > LONGEST_TEXT:
        message = f"{total:,} characters; at most {LONGEST_TEXT:,} are read."
        return (EditFinding(EditFindingKind.TOO_LONG, FINAL_ANSWER, message),)
    labels = labels_beside(subject.lines, lines)
    found: list[EditFinding] = []
    for place, (label, text) in enumerate(zip(labels, lines, strict=True)):
        form = list(_form_findings(subject, label, text, LONGEST_LINE))
        found += form or islice(
            _line_findings(subject, label, LinePair(place, text, place, subject.lines[place])), MOST_SHOWN
        )
    if explanation != subject.explanation:
        form = list(_form_findings(subject, EXPLANATION, explanation, LONGEST_EXPLANATION))
        labelled = lines[subject.place]
        found += form or islice(_explanation_findings(subject, explanation, labelled), MOST_SHOWN)
    return tuple(dict.fromkeys(found))


def _form_findings(subject: ReviewCandidate, where: str, text: str, most: int) -> Iterator[EditFinding]:
    """Yield that a text is too long, has a line break, or a character that nobody can see."""
    if len(text) > most:
        yield EditFinding(EditFindingKind.TOO_LONG, where, f"{len(text):,} characters; at most {most:,} are read.")
        return
    content = {"question": subject.record["question"], "text": text}
    problem = "text: has a line break" if "\n" in text else character_problem(content)
    if problem is not None:
        yield EditFinding(EditFindingKind.CHARACTER, where, f"The {problem}.")


def _line_findings(subject: ReviewCandidate, label: str, pair: LinePair) -> Iterator[EditFinding]:
    """Yield what a line says that the candidate's does not, and the other way round; then the words that no longer fit."""
    labelled = pair.place == subject.place
    if pair.place == len(subject.lines) - 1:
        if not _same_answer(pair.text, pair.was):
            message = f"The last line gives the final answer that the steps lead to, and nothing else: {pair.was}"
            yield EditFinding(EditFindingKind.ANSWER, label, message, pair.text[:LONGEST_FOUND])
        return
    if pair.changed:
        yield from _number_findings(pair, label, subject.stale_words if labelled else frozenset())
        yield from _equation_findings(pair, label)
    for word in sorted(subject.stale_words) if labelled else ():
        for match in re.finditer(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", pair.text, re.IGNORECASE):
            message = f"The words still say {match[0]!r}, which belongs to the correct solution."
            yield _text_finding(EditFindingKind.STALE_WORD, label, message, pair.text, match.span(), doubtful=True)


def _same_answer(text: str, due: str) -> bool:
    """Tell whether a last line gives an answer, in whatever unit, and no other number."""
    given, own = (read_gold(line.removeprefix(ANSWER_MARK)) for line in (text, due))
    if given is None or own is None or not text.startswith(ANSWER_MARK) or "=" in text:
        return text == due
    same = (given.value, given.quantity.percent) == (own.value, own.quantity.percent)
    return same and len(mentions(text)) <= len(mentions(due))


def _number_findings(pair: LinePair, label: str, stale: frozenset[str]) -> Iterator[EditFinding]:
    """Yield the numbers that the line has more than the candidate's, and those it lost; a number word that is out of date may go."""
    lost, added = pair.unmatched_numbers
    for number in added:
        message = f"The candidate's line does not say {number.text!r}; numbers come from the computation and stay."
        yield _text_finding(EditFindingKind.ADDED_NUMBER, label, message, pair.text, (number.start, number.end))
    for number in lost:
        if number.text.casefold() not in stale:
            message = f"The candidate's line says {number.text!r}; numbers come from the computation and stay."
            yield EditFinding(EditFindingKind.LOST_NUMBER, label, message, number.text[:LONGEST_FOUND])


def _equation_findings(pair: LinePair, label: str) -> Iterator[EditFinding]:
    """Yield equations that are new, false or not, that are gone, or that can no longer be read."""
    unread = [
        [(passage.start, passage.end) for passage in reading.unread if passage.claims]
        + [(equation.start, equation.end) for equation in reading.equations if equation.truth is Truth.UNKNOWN]
        for reading in map(read_line, (pair.was, pair.text))
    ]
    if len(unread[1]) > len(unread[0]):
        message = "It is not known whether this equation holds."
        yield _text_finding(EditFindingKind.UNREAD_EQUATION, label, message, pair.text, unread[1][-1], doubtful=True)
    for equation in pair.added_equations:
        value = equation.left.value
        due = "" if value is None else f": {pair.line.calculation(equation)} is {format_value(value)}"
        kind, message = EditFindingKind.FALSE_EQUATION, f"This equation is false{due}."
        if equation.truth is not Truth.FALSE:
            kind, message = EditFindingKind.ADDED_EQUATION, "The candidate's line states no such equation."
        yield _text_finding(kind, label, message, pair.text, (equation.start, equation.end))
    for equation in pair.lost_equations:
        stated = pair.other.written(equation).strip()[:LONGEST_FOUND]
        message = f"The line does not state {stated} any more, which it has to be judged by."
        yield EditFinding(EditFindingKind.LOST_EQUATION, label, message, stated)


def _explanation_findings(subject: ReviewCandidate, text: str, labelled: str) -> Iterator[EditFinding]:
    """Yield that an explanation is empty, what it says against the label, and its false equations but those of the labelled line."""
    if not any(character.isalnum() for character in text):
        yield EditFinding(EditFindingKind.NO_EXPLANATION, EXPLANATION, "The explanation is empty.")
    for objection in explanation_objections(text, _explained_error(subject)):
        said = text[objection.start : objection.end].strip()[:LONGEST_FOUND]
        message = f"The explanation says {said!r}; expected: {objection.expected}."
        kind, span = EditFindingKind.EXPLANATION_DISAGREES, (objection.start, objection.end)
        yield _text_finding(kind, EXPLANATION, message, text, span, doubtful=objection.doubtful)
    for equation in false_equations(text, labelled):
        span = equation.start, equation.end
        yield _text_finding(EditFindingKind.FALSE_EQUATION, EXPLANATION, "This equation is false.", text, span)


def _explained_error(subject: ReviewCandidate) -> ExplainedError:
    """Return what an explanation may say: a value is not right where only the flawed solution has it, nor wrong the other way."""
    before, after = frozenset(subject.before.values()), frozenset(subject.after.values())
    pairs = [(subject.before[name], value) for name, value in subject.after.items() if name in subject.before]
    lines = {subject.record["question"], subject.explanation, *lines_of(subject.record["solution"]), *subject.lines}
    own = numbers_of(subject.lines[subject.place])
    return ExplainedError(
        {subject.line, subject.certificate.change.line} - {FINAL_ANSWER, ""},
        before.union(after, (abs(Fraction(old) - new) for old, new in pairs), *map(numbers_of, lines)),
        lambda number: number.value not in after - before,
        lambda number: number.value not in before - after - own,
    )
