"""What did reviewers decide, write and hold, through restarts, second tabs and kills?"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from reports.review.candidates import Candidate, Stratum, Texts


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
    texts: Texts
    findings: tuple[Mapping[str, Any], ...] = ()
    override: str = ""
    reason: RejectReason | None = None
    note: str = ""


class Declined(enum.StrEnum):
    """Why a decision or an undo was not taken."""

    LEASE_LOST = "another reviewer holds this candidate now"
    ALREADY_DECIDED = "you decided this candidate already, in another tab"
    OVERRIDE_MISSING = "the audit found something: accepting it needs a written reason"
    REASON_MISSING = "rejecting needs a reason, 'other' a written one"
    NOTHING_TO_UNDO = "there is no decision of yours to take back"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log; of an undo, `undoes` is the number of the entry taken back and `ruling` that entry's."""

    number: int
    candidate_id: str
    version: str
    reviewer: str
    session: str
    ruling: Ruling
    original: Texts
    seconds: float
    at: str
    undoes: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a decision or an undo: the entry written, or why none was; after an undo the lease, if it was free."""

    entry: Entry | None = None
    declined: Declined | None = None
    lease: Lease | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a stratum is: `target` accepted ones are wanted of its `total`.

    `disputed` candidates await a third reviewer, `awaiting` ones the second of two; `skipped` ones are open.
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
class Plan:
    """How much is wanted: `target` accepted candidates a stratum, 0 for all, and the share that two reviewers judge."""

    target: int = 0
    double: float = 0.0


@dataclass(slots=True)
class ReviewState:
    """The file that keeps what reviewers did; any number of processes and threads may have it open."""

    path: Path
    _: None = field(default=None)

    @classmethod
    def open(cls, path: Path) -> ReviewState:
        """Open the state, creating it where there is none.

        Raises:
            HarnessError: the file is none of ours, of a newer version, damaged, or cannot be written.
        """
        raise NotImplementedError

    def held(self, reviewer: str, session: str) -> Lease | None:
        """Return what the session of a reviewer holds."""
        raise NotImplementedError

    def renew(self, lease: Lease) -> Lease | None:
        """Hold a lease for longer, and count the time since the last sign of life; `None` where it is lost."""
        raise NotImplementedError

    def release(self, lease: Lease) -> None:
        """Let a candidate go undecided; its draft stays."""
        raise NotImplementedError

    def save_draft(self, lease: Lease, texts: Texts) -> Lease | None:
        """Keep what was typed, whether the lease still holds or not; return it renewed, `None` where it is lost."""
        raise NotImplementedError

    def draft(self, candidate_id: str, version: str, reviewer: str) -> Texts | None:
        """Return what the reviewer had typed."""
        raise NotImplementedError

    def decide(self, candidate: Candidate, lease: Lease, ruling: Ruling) -> Outcome:
        """Take a decision, or say why not; what was typed stays as a draft then."""
        raise NotImplementedError

    def undo(self, reviewer: str, session: str) -> Outcome:
        """Take back the reviewer's last decision; its texts become their draft, and the lease theirs if it is free."""
        raise NotImplementedError

    def entries(self, *, after: int = 0) -> list[Entry]:
        """Return the log, oldest first."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the file."""
        raise NotImplementedError
