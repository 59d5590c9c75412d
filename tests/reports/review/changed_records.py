"""Test helpers that make a candidate of a record, and texts with some lines written anew."""

from typing import Any

from harness.records.review import CandidateTexts
from reports.review.candidates import Candidate

Record = dict[str, Any]


def of_record(record: Record) -> Candidate:
    """Return the candidate of a record."""
    return Candidate(
        candidate_id=record["flaw_id"],
        version="0123456789ab",
        tier=str(record["tier"]),
        position=record["position"],
        error_type=record["label"]["error_details"]["error_type"],
        operator=record["operator"],
        plausibility=record["plausibility"]["score"],
        needs_edit=record["needs_edit"],
        problem_id=record["problem_id"],
        record=record,
    )


def texts(candidate: Candidate, *, explanation: str | None = None, **lines: str) -> CandidateTexts:
    """Return the texts of a candidate with some lines written anew: `L2="…"`, `FA="…"`."""
    own = CandidateTexts.of_record(candidate.record)
    written = list(own.lines)
    for label, text in lines.items():
        written[-1 if label == "FA" else int(label[1:]) - 1] = text
    return CandidateTexts(tuple(written), own.explanation if explanation is None else explanation)
