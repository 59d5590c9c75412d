"""Types of the review: leases, rulings, progress, plans and candidate status."""

import enum
from dataclasses import dataclass
from typing import Any

from harness.records.review import CandidateTexts, Decision, DecisionLine, RejectReason
from reports.review.candidates.candidates import Stratum

TARGET = 20
"""The default number of accepted candidates to reach in each stratum."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to decide a candidate: no other reviewer gets it before `until`, in seconds since 1970.

    `seconds` is the time that the reviewer has spent on it so far, as `ReviewState.renew` counts it.
    """

    candidate_id: str
    version: str
    reviewer: str
    session: str
    until: float
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Ruling:
    """A reviewer's decision with the texts, the audit's findings in them, and the reviewer's answers to these."""

    decision: Decision
    texts: CandidateTexts
    findings: tuple[dict[str, Any], ...] = ()
    override: str = ""
    reason: RejectReason | None = None
    note: str = ""


class DeclineReason(enum.StrEnum):
    """Why a decision or an undo was refused."""

    LEASE_LOST = "you no longer hold this candidate"
    ALREADY_DECIDED = "you have already decided this candidate; undo that decision first"
    OVERRIDE_MISSING = "the audit has findings: write a reason to accept it"
    REASON_MISSING = "give a reason to reject it; 'other' needs a note"
    NOTHING_TO_UNDO = "you have no decision to undo"


def missing_answer(ruling: Ruling | DecisionLine) -> DeclineReason | None:
    """Return the answer that a decision lacks, or `None` if it is complete."""
    if ruling.decision is Decision.ACCEPT and ruling.findings and not ruling.override.strip():
        return DeclineReason.OVERRIDE_MISSING
    if ruling.decision is Decision.REJECT and (
        ruling.reason is None or (ruling.reason is RejectReason.OTHER and not ruling.note.strip())
    ):
        return DeclineReason.REASON_MISSING
    return None


@dataclass(frozen=True, slots=True)
class DecisionOutcome:
    """Result of a decision or an undo: the new entry, or why it was refused; after an undo also the lease, if it was free."""

    entry: DecisionLine | None = None
    declined: DeclineReason | None = None
    lease: Lease | None = None


@dataclass(frozen=True, slots=True)
class StratumProgress:
    """Progress of a stratum: `target` of its `total` candidates are to be accepted.

    `disputed` candidates need a third reviewer, `awaiting` candidates the second of two; `skipped` candidates are not judged yet.
    """

    stratum: Stratum
    total: int
    accepted: int
    rejected: int
    disputed: int
    awaiting: int
    skipped: int
    target: int


@dataclass(frozen=True, slots=True)
class ReviewPlan:
    """Goals of a review: `target` accepted candidates a stratum, 0 for all, and the share that two reviewers judge."""

    target: int = 0
    double: float = 0.0


class CandidateStatus(enum.StrEnum):
    """Status of a candidate from the decisions in force."""

    OPEN = "open"
    SKIPPED = "skipped"
    AWAITING = "awaiting"
    DISPUTED = "disputed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


def candidate_status(*, accepts: int, rejects: int, skips: int = 0, needed: int = 1) -> CandidateStatus:
    """Return the status of a candidate from the counts of its reviewers' decisions; `needed` reviewers are to judge it.

    The majority decides; a tie needs one more reviewer.
    """
    judged = accepts + rejects
    if not judged:
        return CandidateStatus.SKIPPED if skips else CandidateStatus.OPEN
    if judged < needed:
        return CandidateStatus.AWAITING
    if accepts == rejects:
        return CandidateStatus.DISPUTED
    return CandidateStatus.ACCEPTED if accepts > rejects else CandidateStatus.REJECTED
