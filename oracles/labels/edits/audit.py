"""The audit of a reviewer's edited text of a candidate, fast enough to run while the reviewer types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from harness.corpora.gold_answer import read_gold
from harness.corpora.labelled_solutions import LONGEST_TEXT, RejectedRecord, read_record
from harness.domain import Status
from harness.solution.labels import FINAL_ANSWER
from harness.text.numbers import mentions
from oracles.labels.audit.causes import AuditCause
from oracles.labels.audit.label_verdict import audit
from oracles.labels.audit.solution_lines import read_statement
from oracles.labels.edits.candidate import ReviewCandidate, UnreadableCandidateError, labels_beside, subject_of
from oracles.labels.edits.explanation import explanation_findings
from oracles.labels.edits.findings import EXPLANATION, EditFinding, EditFindingKind, finding, in_order
from oracles.labels.edits.line_pairs import form_findings, line_findings, pairs_of
from oracles.labels.edits.statements import equation_findings, number_findings
from oracles.proofs.flaw_text import ANSWER_MARK, FlawText, text_finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from oracles.labels.edits.line_pairs import LinePair

# Characters that no answer with its unit contains.
_ODD = re.compile(r"[^\w\s#$€£%.,/'-]")
_ABOUT = re.compile(r"L[1-9][0-9]{0,4}\b")


def audit_edit(record: Mapping[str, Any], lines: Sequence[str], explanation: str) -> tuple[EditFinding, ...]:
    """Return all objections to an edited text of a candidate, in the order of the text.

    `record` is a flawed solution as a run seals it, `lines` are those of the edited one, `#### 72` the last. It takes
    a few milliseconds, whatever the text, and never raises: of a record that cannot be read, that is the one finding.
    """
    try:
        subject = subject_of(record)
    except UnreadableCandidateError as error:
        message = f"This candidate cannot be audited: {error}"
        return (finding(EditFindingKind.UNREADABLE_CANDIDATE, FINAL_ANSWER, "", message),)
    lines = _without_end(lines, len(subject.lines))
    labels = labels_beside(subject.lines, lines)
    found = list(form_findings(subject, lines, explanation))
    if any(edit_finding.kind is EditFindingKind.TOO_LONG for edit_finding in found):
        return in_order(found, labels)
    found += line_findings(subject, lines)
    settled = {edit_finding.where for edit_finding in found if edit_finding.kind in _SETTLING}
    for pair in pairs_of(subject, lines):
        if pair.label in settled:
            continue
        if pair.own == len(subject.lines) - 1:
            found += _answer(subject, pair.label, pair.text)
            continue
        if pair.changed:
            numbers = list(number_findings(subject, pair))
            found += [*numbers, *equation_findings(subject, pair, same_numbers=not numbers)]
        if pair.own == subject.place:
            found += _stale_words(subject, pair)
    labelled = lines[labels.index(subject.line)] if subject.line in labels else ""
    if explanation != subject.explanation:
        found += explanation_findings(subject, explanation, labelled)
    found += _rest(subject, lines, explanation, found)
    return in_order(found, labels)


def _stale_words(subject: ReviewCandidate, pair: LinePair) -> Iterator[EditFinding]:
    """Yield the words of the labelled line that no longer fit: UNKNOWN, since words may mean many things."""
    for word in sorted(subject.stale_words):
        for match in re.finditer(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", pair.text, re.IGNORECASE):
            message = f"The words still say {match[0]!r}, which belongs to the correct solution."
            yield finding(EditFindingKind.STALE_WORD, pair.label, match[0], message, span=match.span(), unknown=True)


def _without_end(lines: Sequence[str], most: int) -> Sequence[str]:
    """Return lines without the empty ones at their end that line breaks after a candidate's text make."""
    end = len(lines)
    while end > most and not lines[end - 1]:
        end -= 1
    return lines[:end]


_SETTLING = frozenset({EditFindingKind.REMOVED_LINE, EditFindingKind.EARLIER_LINE, EditFindingKind.SAME_AS_CORRECT})
"""Findings that replace all others about a line."""


def _answer(subject: ReviewCandidate, label: str, text: str) -> Iterator[EditFinding]:
    """Yield the objections to the last line, which must give the answer that the steps lead to."""
    if text == subject.lines[-1]:
        return
    expected = subject.lines[-1]
    if not text.startswith(ANSWER_MARK):
        message = f"The last line gives the final answer: {expected}"
        yield finding(EditFindingKind.ANSWER, label, text, message)
        return
    given, own = (read_gold(line.removeprefix(ANSWER_MARK)) for line in (text, expected))
    if given is None:
        yield finding(EditFindingKind.ANSWER, label, text, f"There is no number; the steps lead to {expected}")
    elif own is None or (given.value, given.percent) != (own.value, own.percent):
        message = f"The steps lead to {expected.removeprefix(ANSWER_MARK).strip()}; numbers come from the computation."
        yield finding(EditFindingKind.ANSWER, label, text, message)
    elif len(mentions(text)) > len(mentions(expected)) or set(_ODD.findall(text)) - set(expected):
        yield finding(EditFindingKind.ANSWER, label, text, "The last line gives the final answer and nothing else.")


def _rest(
    subject: ReviewCandidate, lines: Sequence[str], explanation: str, found: Sequence[EditFinding]
) -> Iterator[EditFinding]:
    """Yield the further findings of the checks of sealed records; a text that already contradicts its label gets them again."""
    flawed = "\n".join(lines)
    if len(flawed) > LONGEST_TEXT or any(edit_finding.status is Status.REFUTED for edit_finding in found):
        return
    known = {edit_finding.where for edit_finding in found}
    for where, message, status in _judged(subject, flawed, explanation):
        if where not in known:
            known.add(where)
            yield finding(EditFindingKind.LABEL, where, "", message, unknown=status is Status.UNKNOWN)


def _judged(subject: ReviewCandidate, flawed: str, explanation: str) -> Iterator[tuple[str, str, Status]]:
    text = FlawText(subject.record["solution"], flawed, subject.line, subject.certificate, subject.edit, subject.before)
    against = text_finding(text)
    if against is not None:
        yield _about(against.reason or "", subject.line), f"{against.reason}.", against.status
    details = {**subject.record["label"]["error_details"], "explanation": explanation}
    label = {**subject.record["label"], "error_details": details}
    read = read_record({**subject.record, "flawed_solution": flawed, "label": label}, "edited")
    if isinstance(read, RejectedRecord):
        yield subject.line, f"{read.reason}.", Status.REFUTED
        return
    verdict = audit(read, None, "edited")
    for audit_finding in verdict.findings:
        cause = AuditCause(audit_finding.cause)
        if cause.refutes:
            where = EXPLANATION if cause is AuditCause.EXPLANATION_DISAGREES else audit_finding.line
            yield (
                where,
                f"{cause.sentence} Found: {audit_finding.found}; expected: {audit_finding.expected}.",
                Status.REFUTED,
            )
    if verdict.status is Status.UNKNOWN and verdict.reason:
        where = _about(verdict.reason, subject.line)
        own = dict(zip(subject.labels, subject.lines, strict=True)).get(where, "")
        # Text that could not be read before the edit is not the reviewer's to correct.
        if not read_statement(own).unread:
            yield where, f"What this line states cannot be judged: {verdict.reason}.", Status.UNKNOWN


def _about(reason: str, otherwise: str) -> str:
    """Return the line that a reason names first."""
    match = _ABOUT.search(reason)
    return otherwise if match is None else match[0]
