"""Types of the review: decisions, reject reasons, leases, log entries, drafts, plans and candidate status."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reports.review.candidates.candidates import CandidateTexts, Stratum


class Decision(enum.StrEnum):
    """What a reviewer did with a candidate."""

    ACCEPT = "accept"
    REJECT = "reject"
    SKIP = "skip"


class RejectReason(enum.StrEnum):
    """Why a reviewer would not have a candidate; `OTHER` needs a note."""

    IMPLAUSIBLE = "implausible"
    NOT_WRONG = "not_wrong"
    TWO_ERRORS = "two_errors"
    UNREADABLE = "unreadable"
    WRONG_LABEL = "wrong_label"
    OTHER = "other"

    @property
    def words(self) -> str:
        """Return what the page says."""
        return _WORDS[self]


_WORDS = {
    RejectReason.IMPLAUSIBLE: "nobody would write this",
    RejectReason.NOT_WRONG: "it is not wrong",
    RejectReason.TWO_ERRORS: "more than one error",
    RejectReason.UNREADABLE: "it cannot be read",
    RejectReason.WRONG_LABEL: "another line or type than labelled",
    RejectReason.OTHER: "another reason",
}


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to decide a candidate: nobody else is given it before `until`, in seconds since 1970.

    `seconds` are those the reviewer has spent on it so far, as `ReviewState.renew` counts them.
    """

    candidate_id: str
    version: str
    reviewer: str
    session: str
    until: float
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision as the reviewer puts it: with the texts as they stand, what the audit found in them, and what was said to that."""

    decision: Decision
    texts: CandidateTexts
    findings: tuple[Mapping[str, Any], ...] = ()
    override: str = ""
    reason: RejectReason | None = None
    note: str = ""


class DeclineReason(enum.StrEnum):
    """Why a decision or an undo was not taken."""

    LEASE_LOST = "you do not hold this candidate any more"
    ALREADY_DECIDED = "you have decided this candidate already; undo that first"
    OVERRIDE_MISSING = "the audit found something: accepting it needs a written reason"
    REASON_MISSING = "rejecting needs a reason, 'other' a written one"
    NOTHING_TO_UNDO = "there is no decision of yours to take back"


def missing_answer(ruling: Ruling) -> DeclineReason | None:
    """Return what must be said before a decision counts, wherever it was made."""
    if ruling.decision is Decision.ACCEPT and ruling.findings and not ruling.override.strip():
        return DeclineReason.OVERRIDE_MISSING
    if ruling.decision is Decision.REJECT and (
        ruling.reason is None or (ruling.reason is RejectReason.OTHER and not ruling.note.strip())
    ):
        return DeclineReason.REASON_MISSING
    return None


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log, known everywhere by its `uid`; of an undo, `undoes` is that of the entry taken back and `ruling` that entry's.

    `seconds` are those the reviewer spent on the candidate up to then, `at` is UTC in ISO 8601.
    """

    uid: str
    candidate_id: str
    version: str
    reviewer: str
    session: str
    ruling: Ruling
    original: CandidateTexts
    seconds: float
    at: str
    undoes: str | None = None


@dataclass(frozen=True, slots=True)
class ReviewDraft:
    """What a reviewer typed and has not decided on, and the seconds spent so far."""

    candidate_id: str
    version: str
    reviewer: str
    texts: CandidateTexts
    seconds: float
    at: str


@dataclass(frozen=True, slots=True)
class DecisionOutcome:
    """What became of a decision or an undo: the entry written, or why none was; after an undo the lease, if it was free."""

    entry: LogEntry | None = None
    declined: DeclineReason | None = None
    lease: Lease | None = None


@dataclass(frozen=True, slots=True)
class StratumProgress:
    """How far a stratum is: `target` accepted ones are wanted of its `total`.

    `disputed` candidates await a third reviewer, `awaiting` ones the second of two; `skipped` ones nobody has judged yet.
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
    """How much is wanted: `target` accepted candidates a stratum, 0 for all, and the share that two reviewers judge."""

    target: int = 0
    double: float = 0.0


class CandidateStatus(enum.StrEnum):
    """What the decisions in force make of a candidate."""

    OPEN = "open"
    SKIPPED = "skipped"
    AWAITING = "awaiting"
    DISPUTED = "disputed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


def candidate_status(*, accepts: int, rejects: int, skips: int = 0, needed: int = 1) -> CandidateStatus:
    """Return what so many decisions in force of different reviewers make of a candidate that `needed` are to judge.

    Most decide; as many for as against it wait for one reviewer more.
    """
    judged = accepts + rejects
    if not judged:
        return CandidateStatus.SKIPPED if skips else CandidateStatus.OPEN
    if judged < needed:
        return CandidateStatus.AWAITING
    if accepts == rejects:
        return CandidateStatus.DISPUTED
    return CandidateStatus.ACCEPTED if accepts > rejects else CandidateStatus.REJECTED
