"""SQL statements that write and read the decision log and the drafts of a review."""

import json
import sqlite3
from dataclasses import fields
from typing import Any

from harness.json_form import json_form, read_record
from harness.records.review import CandidateTexts, DecisionLine, DraftLine
from harness.store.run_folder import dump
from reports.review.candidates.record_version import storable

_COLUMNS = [field.name for field in fields(DecisionLine) if field.name != "kind"]
_JSON_COLUMNS = {"texts", "original", "findings"}
_KEY = "candidate_id = ? AND version = ? AND reviewer = ?"


def append_entry(sql: sqlite3.Connection, entry: DecisionLine) -> None:
    """Add an entry to the log within a transaction, and update the decisions in force."""
    form = json_form(entry)
    sql.execute(
        f"INSERT INTO log ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})",  # noqa: S608  # names of fields
        [_column(form[name]) for name in _COLUMNS],
    )
    key = (entry.candidate_id, entry.version, entry.reviewer)
    row = sql.execute(
        f"SELECT decision, number FROM in_force WHERE {_KEY} ORDER BY at DESC, number DESC LIMIT 1",  # noqa: S608  # a literal
        key,
    ).fetchone()
    if row is None:
        sql.execute(f"DELETE FROM standing WHERE {_KEY}", key)  # noqa: S608  # a literal
    else:
        sql.execute("INSERT OR REPLACE INTO standing VALUES (?, ?, ?, ?, ?)", (*key, *row))


def keep_draft(sql: sqlite3.Connection, draft: DraftLine) -> None:
    """Store a draft within a transaction; its seconds are the total so far."""
    sql.execute(
        "INSERT INTO drafts VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
        " SET texts = excluded.texts, seconds = max(seconds, excluded.seconds), at = excluded.at",
        (draft.candidate_id, draft.version, draft.reviewer, texts_json(draft.texts), draft.seconds, draft.at),
    )


def keep_texts(sql: sqlite3.Connection, entry: DecisionLine) -> None:
    """Store the texts of an entry as a draft within a transaction, unless the reviewer has a draft."""
    sql.execute(
        "INSERT INTO drafts VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE"
        " SET texts = coalesce(texts, excluded.texts), seconds = max(seconds, excluded.seconds)",
        (entry.candidate_id, entry.version, entry.reviewer, texts_json(entry.texts), entry.seconds, entry.at),
    )


def draft_of(row: sqlite3.Row) -> DraftLine:
    """Return the draft of a row."""
    return read_record(DraftLine, {**dict(row), "texts": json.loads(row["texts"])})


def last_in_force(sql: sqlite3.Connection, reviewer: str) -> DecisionLine | None:
    """Return the last decision of a reviewer that is in force, or `None`."""
    query = "SELECT * FROM in_force WHERE reviewer = ? ORDER BY at DESC, number DESC LIMIT 1"
    row = sql.execute(query, (reviewer,)).fetchone()
    return None if row is None else entry_of(row)


def decision_in_force(sql: sqlite3.Connection, candidate_id: str, version: str, reviewer: str) -> DecisionLine | None:
    """Return the decision in force of a reviewer on a candidate, or `None`."""
    query = (
        "SELECT log.* FROM standing JOIN log USING (number)"
        " WHERE standing.candidate_id = ? AND standing.version = ? AND standing.reviewer = ?"
    )
    row = sql.execute(query, (candidate_id, version, reviewer)).fetchone()
    return None if row is None else entry_of(row)


def has_judged(sql: sqlite3.Connection, candidate_id: str, version: str, reviewer: str) -> bool:
    """Tell whether a reviewer has accepted or rejected a candidate."""
    query = f"SELECT 1 FROM standing WHERE {_KEY} AND decision != 'skip'"  # noqa: S608  # a literal
    return sql.execute(query, (candidate_id, version, reviewer)).fetchone() is not None


def entry_of(row: sqlite3.Row) -> DecisionLine:
    """Return the log entry of a row."""
    form = {name: json.loads(row[name]) if name in _JSON_COLUMNS else row[name] for name in _COLUMNS}
    return read_record(DecisionLine, form)


def texts_json(texts: CandidateTexts) -> str:
    """Return texts as JSON without lone surrogates, which SQLite cannot store."""
    return storable(dump(json_form(texts)))


def texts_of(stored: str) -> CandidateTexts:
    """Return the texts of their JSON form."""
    return read_record(CandidateTexts, json.loads(stored))


def _column(value: Any) -> Any:
    """Return a value of a JSON object as SQLite stores it."""
    return storable(value if isinstance(value, str) else dump(value)) if isinstance(value, str | dict | list) else value
