"""The candidate that a reviewer edits: its lines, label, certificate and values, which stay fixed during the edit."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from harness.domain import Exact
from harness.json_form import MalformedRecordError, read_record
from harness.program.refusal import ProgramError, Refusal
from harness.records.mutation import AUDITED, FlawRecord
from harness.solution.labels import FINAL_ANSWER
from harness.text.operation_words import Rewording
from oracles.proofs.flaw_certificate import FlawCertificate, FlawNotCertified, program_values
from oracles.proofs.flaw_text import ANSWER_MARK, line_place, lines_of
from oracles.proofs.straight_program import EditError, EditKind, ProgramEdit, edit_between


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
    """Return the fixed parts of a candidate; the last few are cached, because a person edits one candidate for a while.

    Raises:
        UnreadableCandidateError: it is no record of a flawed solution whose certificate can be read.
    """
    try:
        return _subject(json.dumps(record))
    except (TypeError, ValueError, RecursionError) as error:
        raise UnreadableCandidateError(str(error)[:200]) from None


@lru_cache(maxsize=64)
def _subject(written: str) -> ReviewCandidate:
    record = json.loads(written)
    try:
        read = read_record(FlawRecord, record, fields=AUDITED)
        certificate = FlawCertificate.of_record(read.certificate)
        before = program_values(certificate.oracle)
        edit = None if certificate.mutant is None else edit_between(certificate.oracle, certificate.mutant)
        _ = certificate.answer
    except (MalformedRecordError, Refusal, ProgramError, FlawNotCertified, EditError, KeyError) as error:
        raise UnreadableCandidateError(str(error).partition("\n")[0][:200]) from None
    details = read.label.error_details
    lines = lines_of(read.flawed_solution)
    place = line_place(details.erroneous_line_number, lines)
    if place is None:
        raise UnreadableCandidateError(f"it has no line {details.erroneous_line_number}")
    stale = frozenset[str]()
    if edit is not None and edit.kind is EditKind.CHANGED and edit.before is not None and edit.after is not None:
        stale = Rewording.of_change(edit.before, edit.after).gone
    return ReviewCandidate(
        record=record,
        lines=lines,
        line=details.erroneous_line_number,
        place=place,
        explanation=details.explanation,
        stale_words=stale,
        certificate=certificate,
        edit=edit,
        before=before,
        after={**certificate.told.inputs, **certificate.stated},
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
