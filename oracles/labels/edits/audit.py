"""The audit of a reviewer's edited text of a candidate, fast enough to run while the reviewer types."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from harness.equations.line_reader import read_line
from harness.solution.labels import FINAL_ANSWER
from oracles.labels.audit.explanation import ExplainedError, explanation_objections, numbers_of
from oracles.labels.edits.candidate import ReviewCandidate, UnreadableCandidateError, labels_beside, subject_of
from oracles.labels.edits.edited_lines import form_findings, line_findings
from oracles.labels.edits.findings import EXPLANATION, EditFinding, EditFindingKind, finding, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

MOST_SHOWN = 4


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
    end = len(lines)
    # Line breaks after a candidate's text make empty lines.
    while end > len(subject.lines) and not lines[end - 1]:
        end -= 1
    lines = lines[:end]
    labels = labels_beside(subject.lines, lines)
    found = list(form_findings(subject, lines, explanation))
    if not any(one.kind is EditFindingKind.TOO_LONG for one in found):
        found += line_findings(subject, lines)
        if explanation != subject.explanation:
            labelled = lines[labels.index(subject.line)] if subject.line in labels else ""
            found += _explanation_findings(subject, explanation, labelled)
    return in_order(found, labels)


def _explanation_findings(subject: ReviewCandidate, text: str, labelled: str) -> Iterator[EditFinding]:
    """Yield the objections to an explanation of the error on the line that reads `labelled`."""
    if not any(character.isalnum() for character in text):
        yield finding(EditFindingKind.NO_EXPLANATION, EXPLANATION, text, "The explanation is empty.")
        return
    kind = EditFindingKind.EXPLANATION_DISAGREES
    for objection in explanation_objections(text, _explained(subject)):
        span = objection.start, objection.end
        found = text[slice(*span)].strip()
        message = f"The explanation says {found!r}; expected: {objection.expected}."
        yield finding(kind, EXPLANATION, found, message, span=span, unknown=objection.doubtful)
    own = {(equation.left.value, equation.right.value) for equation in read_line(labelled).false}
    for equation in read_line(text).false[:MOST_SHOWN]:
        if (equation.left.value, equation.right.value) not in own:
            span = equation.start, equation.end
            yield finding(kind, EXPLANATION, text[slice(*span)].strip(), "This equation is false.", span=span)


def _explained(subject: ReviewCandidate) -> ExplainedError:
    """Return what an explanation may say: a value is not right where only the flawed solution has it, nor wrong the other way."""
    before, after = frozenset(subject.before.values()), frozenset(subject.after.values())
    pairs = [(subject.before[name], value) for name, value in subject.after.items() if name in subject.before]
    lines = {subject.record["question"], subject.explanation, *subject.solution, *subject.lines}
    return ExplainedError(
        {subject.line, subject.certificate.change.line} - {FINAL_ANSWER, ""},
        before.union(after, (abs(Fraction(old) - new) for old, new in pairs), *map(numbers_of, lines)),
        lambda number: number.value not in after - before,
        lambda number: number.value not in before - after - subject.computed_from,
    )
