"""Merging of imported decisions and drafts into a review state, and the reasons for refused records.

Imported decisions must meet the same rules as those from the Review page. A file can be merged again: what is already there stays unchanged.
"""

import enum
import hashlib
import itertools
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from harness.store.run_folder import dump
from reports.review.candidates.candidates import Candidate, Candidates, CandidateTexts
from reports.review.candidates.record_version import storable
from reports.review.json_views import audit_view
from reports.review.state.decisions import (
    Decision,
    DeclineReason,
    LogEntry,
    RejectReason,
    ReviewDraft,
    Ruling,
    missing_answer,
)
from reports.review.state.log_rows import append_entry, decision_in_force, entry_of, keep_draft, texts_json
from reports.review.state.review_state import ReviewState, iso_time
from reports.views.printable_text import one_line

BATCH = 500
MOST_SHOWN = 5
UID_DIGITS = 32


class RefusalReason(enum.StrEnum):
    """Why a foreign record is not taken."""

    NO_JSON = "no JSON"
    MALFORMED = "not of this format"
    UNKNOWN_CANDIDATE = "no such candidate"
    OTHER_VERSION = "another version of the candidate"
    OVERRIDE_MISSING = "accepted against the audit without a written reason"
    REASON_MISSING = "rejected without a reason"
    UNKNOWN_UNDO = "takes back what is not there"
    FUTURE = "dated in the future"
    CONFLICT = "the reviewer has decided otherwise here"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A foreign record that is not taken, and why."""

    why: RefusalReason
    where: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ImportedJudgement:
    """What a reviewer said of a candidate in another program; without a decision it is a draft."""

    where: str
    candidate_id: str
    version: str
    reviewer: str
    decision: Decision | None
    texts: CandidateTexts
    override: str = ""
    reason: RejectReason | None = None
    note: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class OfferedRecord:
    """A line of a log, or a draft, that a file offers; `known` lines are told by their `uid`, others by what they say."""

    where: str
    what: LogEntry | ReviewDraft
    known: bool = True


@dataclass(slots=True)
class MergeResult:
    """What became of a file: decisions and drafts added, those that were there already, and what was refused."""

    added: int = 0
    drafts: int = 0
    present: int = 0
    refused: Counter[RefusalReason] = field(default_factory=Counter)
    messages: list[str] = field(default_factory=list)

    def refuse(self, why: RefusalReason, where: str, detail: str = "") -> None:
        """Count a record that is not taken; the first of each reason are told."""
        self.refused[why] += 1
        if self.refused[why] <= MOST_SHOWN:
            self.messages.append(one_line(f"{where}: {why}{f' ({detail})' if detail else ''}", limit=300))


def merge(state: ReviewState, found: Iterable[OfferedRecord | Refusal]) -> MergeResult:
    """Add what a file holds, in its order; what is there already, and a draft older than the one here, change nothing.

    Raises:
        HarnessError: the state cannot be written; what was added before stays, and the file may be merged again.
    """
    merged, iterator = MergeResult(), iter(found)
    while batch := list(itertools.islice(iterator, BATCH)):
        with state.changing() as sql:
            for one in batch:
                if isinstance(one, Refusal):
                    merged.refuse(one.why, one.where, one.detail)
                elif isinstance(one.what, ReviewDraft):
                    _add_draft(sql, one.what, merged)
                else:
                    _add_entry(sql, one, one.what, merged)
    return merged


def merge_judgements(
    state: ReviewState, candidates: Candidates, found: Iterable[ImportedJudgement | Refusal], origin: str
) -> MergeResult:
    """Add what reviewers said in another program, each audited as the page would.

    Where the reviewer has judged the candidate here, the same says nothing new, and anything else is refused.

    Raises:
        HarnessError: as in `merge`, or a file of candidates was changed.
    """
    at = iso_time(state.clock())

    def offered() -> Iterator[OfferedRecord | Refusal]:
        for one in found:
            if isinstance(one, Refusal):
                yield one
                continue
            candidate = candidates.find(one.candidate_id)
            if candidate is None or candidate.version != one.version:
                why = RefusalReason.UNKNOWN_CANDIDATE if candidate is None else RefusalReason.OTHER_VERSION
                yield Refusal(why, one.where, one.candidate_id)
            elif one.decision is None:
                draft = ReviewDraft(candidate.candidate_id, candidate.version, one.reviewer, one.texts, one.seconds, at)
                yield OfferedRecord(one.where, draft)
            else:
                yield OfferedRecord(one.where, _entry(one, one.decision, candidate, origin, at), known=False)

    return merge(state, offered())


def _entry(one: ImportedJudgement, decision: Decision, candidate: Candidate, origin: str, at: str) -> LogEntry:
    """Return the line of the log that a judgement makes: the same for the same judgement, so that it is known again."""
    findings = audit_view(candidate, one.texts)["findings"] if decision is Decision.ACCEPT else []
    ruling = Ruling(decision, one.texts, tuple(map(dict, findings)), one.override, one.reason, one.note)
    key = "\n".join((candidate.candidate_id, candidate.version, one.reviewer, _said(ruling)))
    return LogEntry(
        uid=hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()[:UID_DIGITS],
        candidate_id=candidate.candidate_id,
        version=candidate.version,
        reviewer=one.reviewer,
        session=origin,
        ruling=ruling,
        original=CandidateTexts.of_record(candidate.record),
        seconds=one.seconds,
        at=at,
    )


def _said(ruling: Ruling) -> str:
    """Return what a ruling says, without what the audit of that day found."""
    return storable(dump([ruling.decision, ruling.texts.record(), ruling.override, ruling.reason, ruling.note]))


def _add_draft(sql: sqlite3.Connection, draft: ReviewDraft, merged: MergeResult) -> None:
    row = sql.execute(
        "SELECT texts, at FROM drafts WHERE candidate_id = ? AND version = ? AND reviewer = ?",
        (draft.candidate_id, draft.version, draft.reviewer),
    ).fetchone()
    if (
        row is not None
        and row["texts"] is not None
        and (row["at"] >= draft.at or row["texts"] == texts_json(draft.texts))
    ):
        merged.present += 1
        return
    keep_draft(sql, draft)
    merged.drafts += 1


def _add_entry(sql: sqlite3.Connection, offered: OfferedRecord, entry: LogEntry, merged: MergeResult) -> None:
    if sql.execute("SELECT 1 FROM log WHERE uid = ?", (entry.uid,)).fetchone():
        merged.present += 1
        return
    here = None if offered.known else decision_in_force(sql, entry.candidate_id, entry.version, entry.reviewer)
    if here is not None and _said(here.ruling) == _said(entry.ruling):
        merged.present += 1
        return
    why = _against(sql, entry, here)
    if why is not None:
        merged.refuse(why, offered.where, f"{entry.reviewer} on {entry.candidate_id}")
        return
    append_entry(sql, entry)
    merged.added += 1
    if not offered.known and entry.ruling.decision is Decision.SKIP:
        # As where a candidate is skipped here: the text is there when it comes back.
        key = (entry.candidate_id, entry.version, entry.reviewer)
        sql.execute(
            "INSERT INTO drafts VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET texts = coalesce(texts, excluded.texts)",
            (*key, texts_json(entry.ruling.texts), entry.seconds, entry.at),
        )


def _against(sql: sqlite3.Connection, entry: LogEntry, here: LogEntry | None) -> RefusalReason | None:
    """Return why a line is not taken; `here` is what its reviewer has decided, where that must not differ."""
    if here is not None and here.ruling.decision is not Decision.SKIP:
        return RefusalReason.CONFLICT
    if entry.undoes is not None:
        return None if _undoable(sql, entry) else RefusalReason.UNKNOWN_UNDO
    lacks = missing_answer(entry.ruling)
    return None if lacks is None else _LACKING[lacks]


def _undoable(sql: sqlite3.Connection, entry: LogEntry) -> bool:
    """Tell whether what an entry takes back is there to be taken back, and its reviewer's own."""
    row = sql.execute("SELECT * FROM in_force WHERE uid = ?", (entry.undoes,)).fetchone()
    if row is None:
        return False
    found = entry_of(row)
    return (found.candidate_id, found.version, found.reviewer) == (
        entry.candidate_id,
        entry.version,
        entry.reviewer,
    )


_LACKING = {
    DeclineReason.OVERRIDE_MISSING: RefusalReason.OVERRIDE_MISSING,
    DeclineReason.REASON_MISSING: RefusalReason.REASON_MISSING,
}
