"""Merging of imported decisions and drafts into a review state, and the reasons for refused records.

Imported decisions must meet the same rules as those from the Review page. A file can be merged again: what is already there stays unchanged.
"""

import enum
import hashlib
import itertools
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from harness.json_form import json_form
from harness.records.review import CandidateTexts, Decision, DecisionLine, DraftLine, ExampleLine, RejectReason
from harness.store.run_folder import dump
from harness.text.characters import one_line
from reports.review.candidates.candidates import Candidate, Candidates
from reports.review.candidates.record_version import storable
from reports.review.json_views import audit_view
from reports.review.state.decisions import DeclineReason, Ruling, decision_line, missing_answer
from reports.review.state.examples import append_example, example_entries, examples_in_force, undoable_example
from reports.review.state.log_rows import append_entry, decision_in_force, entry_of, keep_draft, keep_texts, texts_json
from reports.review.state.review_state import ReviewState, iso_time

BATCH = 500
MOST_SHOWN = 5
UID_DIGITS = 32
AHEAD = timedelta(days=1)
"""The largest difference between the clocks of two machines."""


class RefusalReason(enum.StrEnum):
    """Why an imported record is refused."""

    NO_JSON = "no JSON"
    MALFORMED = "not of this format"
    UNKNOWN_CANDIDATE = "no such candidate"
    OTHER_VERSION = "another version of the candidate"
    OVERRIDE_MISSING = "accepted against the audit without a written reason"
    REASON_MISSING = "rejected without a reason"
    UNLABELLED = "an example whose answer is not submitted, or has no verdict"
    UNKNOWN_UNDO = "undoes an unknown decision"
    FUTURE = "dated in the future"
    CONFLICT = "this review holds another decision of the reviewer"


@dataclass(frozen=True, slots=True)
class Refusal:
    """An imported record that is refused, and why."""

    why: RefusalReason
    where: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ImportedJudgement:
    """A reviewer's judgement of a candidate from another program; without a decision it is a draft."""

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
    """A log entry, a draft or an example of an imported file; `known` entries are identified by their `uid`, others by their content."""

    where: str
    what: DecisionLine | DraftLine | ExampleLine
    known: bool = True


@dataclass(slots=True)
class MergeResult:
    """The result of an import: counts of added decisions, drafts and examples, of known ones, and of refusals."""

    added: int = 0
    drafts: int = 0
    examples: int = 0
    present: int = 0
    refused: Counter[RefusalReason] = field(default_factory=Counter)
    messages: list[str] = field(default_factory=list)

    def refuse(self, why: RefusalReason, where: str, detail: str = "") -> None:
        """Count a refused record; the first `MOST_SHOWN` of each reason get a message."""
        self.refused[why] += 1
        if self.refused[why] <= MOST_SHOWN:
            self.messages.append(one_line(f"{where}: {why}{f' ({detail})' if detail else ''}", limit=300))


def merge(state: ReviewState, offers: Iterable[OfferedRecord | Refusal]) -> MergeResult:
    """Add the records of a file in order; known records, and drafts that are older than the stored one, are skipped.

    Raises:
        HarnessError: the state cannot be written; earlier records stay, and the file can be merged again.
    """
    result, iterator = MergeResult(), iter(offers)
    while batch := list(itertools.islice(iterator, BATCH)):
        with state.changing() as sql:
            for offer in batch:
                if isinstance(offer, Refusal):
                    result.refuse(offer.why, offer.where, offer.detail)
                elif isinstance(offer.what, DraftLine):
                    _add_draft(sql, offer.what, result)
                elif isinstance(offer.what, ExampleLine):
                    _add_example(sql, offer.what, offer.where, result)
                else:
                    _add_entry(sql, offer, offer.what, result)
    return result


def merge_judgements(
    state: ReviewState,
    candidates: Candidates | None,
    judgements: Iterable[ImportedJudgement | OfferedRecord | Refusal],
    origin: str,
) -> MergeResult:
    """Add judgements and examples from another program, each audited as in the app.

    If the reviewer has judged the candidate, or labelled the text, in this review, an equal judgement is skipped and another one is
    refused. Without candidates, only examples are taken.

    Raises:
        HarnessError: as in `merge`, or a file of candidates was changed.
    """
    at, examples = iso_time(state.clock()), _KnownExamples.of(state)

    def offered() -> Iterator[OfferedRecord | Refusal]:
        for judgement in judgements:
            if isinstance(judgement, Refusal):
                yield judgement
                continue
            if isinstance(judgement, OfferedRecord):
                yield examples.offered(judgement)
                continue
            candidate = None if candidates is None else candidates.find(judgement.candidate_id)
            if candidate is None or candidate.version != judgement.version:
                why = RefusalReason.UNKNOWN_CANDIDATE if candidate is None else RefusalReason.OTHER_VERSION
                yield Refusal(why, judgement.where, judgement.candidate_id)
            elif judgement.decision is None:
                draft = DraftLine(
                    candidate_id=candidate.candidate_id,
                    version=candidate.version,
                    reviewer=judgement.reviewer,
                    texts=judgement.texts,
                    seconds=judgement.seconds,
                    at=at,
                )
                yield OfferedRecord(judgement.where, draft)
            else:
                yield OfferedRecord(
                    judgement.where, _entry(judgement, judgement.decision, candidate, origin, at), known=False
                )

    return merge(state, offered())


@dataclass(frozen=True, slots=True)
class _KnownExamples:
    """The identifiers of all examples of a review, and the example in force of each person and text."""

    uids: set[str]
    in_force: dict[tuple[str, str, str], ExampleLine]

    @classmethod
    def of(cls, state: ReviewState) -> "_KnownExamples":
        in_force = {_text(example): example for example in examples_in_force(state)}
        return cls({entry.uid for entry in example_entries(state)}, in_force)

    def offered(self, offer: OfferedRecord) -> OfferedRecord | Refusal:
        """Return an example as it is to be added: an equal one is the known one, a different one is refused."""
        example = offer.what
        if not isinstance(example, ExampleLine) or example.uid in self.uids:
            return offer
        known = self.in_force.get(_text(example))
        if known is None:
            self.uids.add(example.uid)
            self.in_force[_text(example)] = example
            return offer
        if (known.label, known.override) == (example.label, example.override):
            return replace(offer, what=known)
        return Refusal(RefusalReason.CONFLICT, offer.where, f"{example.reviewer} on {example.uid}")


def _text(example: ExampleLine) -> tuple[str, str, str]:
    return storable(example.reviewer), storable(example.question), storable(example.solution)


def utc(text: str) -> datetime:
    """Return the time in a text; raises ValueError if it is not a time with a zone."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"a time without a zone: {text[:50]!r}")
    return at.astimezone(UTC)


def latest_time(now: float) -> datetime:
    """Return the latest time that an imported record may have, given the time of this machine in seconds since 1970."""
    return datetime.fromtimestamp(now, UTC) + AHEAD


def _entry(
    judgement: ImportedJudgement, decision: Decision, candidate: Candidate, origin: str, at: str
) -> DecisionLine:
    """Return the log entry of a judgement; equal judgements give equal entries."""
    findings = audit_view(candidate, judgement.texts)["findings"] if decision is Decision.ACCEPT else []
    ruling = Ruling(
        decision, judgement.texts, tuple(map(dict, findings)), judgement.override, judgement.reason, judgement.note
    )
    about = {"reviewer": judgement.reviewer, "session": origin, "at": at}
    entry = decision_line(ruling, candidate, uid="", seconds=judgement.seconds, **about)
    key = "\n".join((candidate.candidate_id, candidate.version, judgement.reviewer, _said(entry)))
    return replace(entry, uid=hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()[:UID_DIGITS])


def _said(entry: DecisionLine) -> str:
    """Return a reviewer's decision as text, without the findings of the audit."""
    return storable(dump([entry.decision, json_form(entry.texts), entry.override, entry.reason, entry.note]))


def _add_draft(sql: sqlite3.Connection, draft: DraftLine, merged: MergeResult) -> None:
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


def _add_example(sql: sqlite3.Connection, example: ExampleLine, where: str, merged: MergeResult) -> None:
    if sql.execute("SELECT 1 FROM examples WHERE uid = ?", (example.uid,)).fetchone():
        merged.present += 1
    elif example.undoes is not None and not undoable_example(sql, example):
        merged.refuse(RefusalReason.UNKNOWN_UNDO, where, f"an example of {example.reviewer}")
    else:
        append_example(sql, example)
        merged.examples += 1


def _add_entry(sql: sqlite3.Connection, offered: OfferedRecord, entry: DecisionLine, merged: MergeResult) -> None:
    if sql.execute("SELECT 1 FROM log WHERE uid = ?", (entry.uid,)).fetchone():
        merged.present += 1
        return
    here = None if offered.known else decision_in_force(sql, entry.candidate_id, entry.version, entry.reviewer)
    if here is not None and _said(here) == _said(entry):
        merged.present += 1
        return
    why = _against(sql, entry, here)
    if why is not None:
        merged.refuse(why, offered.where, f"{entry.reviewer} on {entry.candidate_id}")
        return
    append_entry(sql, entry)
    merged.added += 1
    if not offered.known and entry.decision is Decision.SKIP:
        # As for a skip on the Review page, the text is kept as a draft.
        keep_texts(sql, entry)


def _against(sql: sqlite3.Connection, entry: DecisionLine, here: DecisionLine | None) -> RefusalReason | None:
    """Return why an entry is refused, or `None`; `here` is the reviewer's stored decision that it must not contradict."""
    if here is not None and here.decision is not Decision.SKIP:
        return RefusalReason.CONFLICT
    if entry.undoes is not None:
        return None if _undoable(sql, entry) else RefusalReason.UNKNOWN_UNDO
    lacks = missing_answer(entry)
    return None if lacks is None else _LACKING[lacks]


def _undoable(sql: sqlite3.Connection, entry: DecisionLine) -> bool:
    """Tell whether the decision that an entry undoes is in force and the reviewer's own."""
    row = sql.execute("SELECT * FROM in_force WHERE uid = ?", (entry.undoes,)).fetchone()
    if row is None:
        return False
    undone = entry_of(row)
    return (undone.candidate_id, undone.version, undone.reviewer) == (
        entry.candidate_id,
        entry.version,
        entry.reviewer,
    )


_LACKING = {
    DeclineReason.OVERRIDE_MISSING: RefusalReason.OVERRIDE_MISSING,
    DeclineReason.REASON_MISSING: RefusalReason.REASON_MISSING,
}
