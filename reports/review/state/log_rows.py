"""SQL statements that write and read the decision log and the drafts of a review."""

import json
import sqlite3

from harness.json_form import json_form, read_record
from harness.records.review import CandidateTexts, Decision, RejectReason
from harness.store.run_folder import dump
from reports.review.candidates.record_version import storable
from reports.review.state.decisions import LogEntry, ReviewDraft, Ruling


def append_entry(sql: sqlite3.Connection, entry: LogEntry) -> None:
    """Add an entry to the log within a transaction, and update the decisions in force."""
    ruling = entry.ruling
    sql.execute(
        "INSERT INTO log VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(entry.uid, entry.candidate_id, entry.version, entry.reviewer, entry.session, str(ruling.decision)),
            *(entry.undoes, texts_json(ruling.texts), texts_json(entry.original), storable(dump(ruling.findings))),
            *(storable(ruling.override), None if ruling.reason is None else str(ruling.reason)),
            *(storable(ruling.note), entry.seconds, entry.at),
        ),
    )
    key = (entry.candidate_id, entry.version, entry.reviewer)
    row = sql.execute(
        "SELECT decision, number FROM in_force WHERE candidate_id = ? AND version = ? AND reviewer = ?"
        " ORDER BY at DESC, number DESC LIMIT 1",
        key,
    ).fetchone()
    if row is None:
        sql.execute("DELETE FROM standing WHERE candidate_id = ? AND version = ? AND reviewer = ?", key)
    else:
        sql.execute("INSERT OR REPLACE INTO standing VALUES (?, ?, ?, ?, ?)", (*key, *row))


def keep_draft(sql: sqlite3.Connection, draft: ReviewDraft) -> None:
    """Store a draft within a transaction; its seconds are the total so far."""
    sql.execute(
        "INSERT INTO drafts VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
        " SET texts = excluded.texts, seconds = max(seconds, excluded.seconds), at = excluded.at",
        (draft.candidate_id, draft.version, draft.reviewer, texts_json(draft.texts), draft.seconds, draft.at),
    )


def last_in_force(sql: sqlite3.Connection, reviewer: str) -> LogEntry | None:
    """Return the last decision of a reviewer that is in force, or `None`."""
    query = "SELECT * FROM in_force WHERE reviewer = ? ORDER BY at DESC, number DESC LIMIT 1"
    row = sql.execute(query, (reviewer,)).fetchone()
    return None if row is None else entry_of(row)


def decision_in_force(sql: sqlite3.Connection, candidate_id: str, version: str, reviewer: str) -> LogEntry | None:
    """Return the decision in force of a reviewer on a candidate, or `None`."""
    query = (
        "SELECT log.* FROM standing JOIN log USING (number)"
        " WHERE standing.candidate_id = ? AND standing.version = ? AND standing.reviewer = ?"
    )
    row = sql.execute(query, (candidate_id, version, reviewer)).fetchone()
    return None if row is None else entry_of(row)


def has_judged(sql: sqlite3.Connection, candidate_id: str, version: str, reviewer: str) -> bool:
    """Tell whether a reviewer has accepted or rejected a candidate."""
    query = "SELECT 1 FROM standing WHERE candidate_id = ? AND version = ? AND reviewer = ? AND decision != 'skip'"
    return sql.execute(query, (candidate_id, version, reviewer)).fetchone() is not None


def entry_of(row: sqlite3.Row) -> LogEntry:
    """Return the log entry of a row."""
    return LogEntry(
        uid=row["uid"],
        candidate_id=row["candidate_id"],
        version=row["version"],
        reviewer=row["reviewer"],
        session=row["session"],
        ruling=Ruling(
            decision=Decision(row["decision"]),
            texts=texts_of(row["texts"]),
            findings=tuple(json.loads(row["findings"])),
            override=row["override"],
            reason=None if row["reason"] is None else RejectReason(row["reason"]),
            note=row["note"],
        ),
        original=texts_of(row["original"]),
        seconds=row["seconds"],
        at=row["at"],
        undoes=row["undoes"],
    )


def texts_json(texts: CandidateTexts) -> str:
    """Return texts as JSON without lone surrogates, which SQLite cannot store."""
    return storable(dump(json_form(texts)))


def texts_of(stored: str) -> CandidateTexts:
    """Return the texts of their JSON form."""
    return read_record(CandidateTexts, json.loads(stored))
