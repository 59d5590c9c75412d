"""The state of a review in SQLite: decisions, drafts and leases, safe against restarts, second tabs and kills.

Every change is one transaction, which is on disk before it is confirmed. `python -m benchmarks.review_state` measures the cost.
"""

import enum
import json
import sqlite3
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from harness.errors import HarnessError
from harness.json_form import json_form, read_record
from harness.records.review import CandidateTexts, Decision, DecisionLine, DraftLine, RejectReason
from harness.store.run_folder import dump
from harness.text.characters import storable
from reports.review.candidates import Candidate
from reports.review.review_schema import open_state_file, state_file_error

LEASE_SECONDS = 900.0
"""How long a reviewer keeps a candidate without activity."""
IDLE_SECONDS = 120.0
"""The longest counted time between two activities: a lunch break counts as two minutes."""
LONGEST_NAME, LONGEST_TEXT, MOST_LINES = 200, 100_000, 1_000
_COLUMNS = [column.name for column in fields(DecisionLine) if column.name != "kind"]
_KEY = "candidate_id = ? AND version = ? AND reviewer = ?"

Key = tuple[str, str, str]
"""The id and the version of a candidate, and a reviewer."""


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


@dataclass(frozen=True, slots=True)
class DecisionOutcome:
    """Result of a decision or an undo: the new entry, or why it was refused; after an undo also the lease, if it was free."""

    entry: DecisionLine | None = None
    declined: DeclineReason | None = None
    lease: Lease | None = None


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


def candidate_status(decisions: Iterable[str], *, needed: int) -> CandidateStatus:
    """Return the status of a candidate from its reviewers' decisions; `needed` reviewers are to judge it.

    The majority decides; a tie needs one more reviewer.
    """
    made = Counter(decisions)
    accepts, rejects = made[Decision.ACCEPT], made[Decision.REJECT]
    if not accepts + rejects:
        return CandidateStatus.SKIPPED if made[Decision.SKIP] else CandidateStatus.OPEN
    if accepts + rejects < needed:
        return CandidateStatus.AWAITING
    if accepts == rejects:
        return CandidateStatus.DISPUTED
    return CandidateStatus.ACCEPTED if accepts > rejects else CandidateStatus.REJECTED


def status_of(candidate: Candidate, decisions: Iterable[str], plan: ReviewPlan) -> CandidateStatus:
    """Return the status of a candidate from the decisions in force on its present version."""
    return candidate_status(decisions, needed=1 + (candidate.draw < plan.double))


def missing_answer(ruling: Ruling | DecisionLine) -> DeclineReason | None:
    """Return the answer that a decision lacks, or `None` if it is complete."""
    if ruling.decision is Decision.ACCEPT and ruling.findings and not ruling.override.strip():
        return DeclineReason.OVERRIDE_MISSING
    lacks_note = ruling.reason is RejectReason.OTHER and not ruling.note.strip()
    if ruling.decision is Decision.REJECT and (ruling.reason is None or lacks_note):
        return DeclineReason.REASON_MISSING
    return None


@dataclass(slots=True)
class ReviewState:
    """The file of a review; any number of processes may open it, and any thread may use it.

    `clock` returns the seconds since 1970. Methods raise a HarnessError where the file cannot be read or written.
    """

    path: Path
    clock: Callable[[], float]
    _sql: sqlite3.Connection
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @classmethod
    def open(cls, path: Path, *, clock: Callable[[], float] = time.time) -> Self:
        """Open the state; it is created if it is missing; errors as of `open_state_file`."""
        return cls(path, clock, open_state_file(path))

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """Run one atomic change.

        Raises a HarnessError if the file cannot be written, or another process holds it for too long.
        """
        with self._transaction("BEGIN IMMEDIATE") as sql:
            yield sql
            sql.execute("COMMIT")

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Read a consistent state of the file; otherwise as `changing`."""
        return self._transaction("BEGIN")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                self._sql.execute(begin)
                yield self._sql
            except sqlite3.Error as error:
                raise state_file_error(self.path, error) from None
            finally:
                if self._sql.in_transaction:
                    self._sql.execute("ROLLBACK")

    @property
    def plan(self) -> ReviewPlan:
        """Return the stored plan."""
        with self.reading() as sql:
            return plan_of(sql)

    def say(self, plan: ReviewPlan) -> None:
        """Store a plan for all processes."""
        if plan.target < 0 or not 0 <= plan.double <= 1:
            raise HarnessError(
                f"target {plan.target}, double {plan.double:g}: expected a target of 0 or more and a share from 0 to 1"
            )
        with self.changing() as sql:
            sql.execute("UPDATE plan SET target = ?, share = ?", (plan.target, plan.double))

    def held_in(self, sql: sqlite3.Connection, reviewer: str, session: str) -> Lease | None:
        """Return the lease of a reviewer's session within a transaction.

        It lasts until another session gets the candidate, even after `until`.
        """
        check_name(reviewer)
        check_name(session)
        row = sql.execute(
            "SELECT l.candidate_id, l.version, l.reviewer, l.session, l.until, coalesce(d.seconds, 0.0) FROM leases AS l"
            " LEFT JOIN drafts AS d USING (candidate_id, version, reviewer) WHERE l.reviewer = ? AND l.session = ?",
            (reviewer, session),
        ).fetchone()
        return None if row is None else Lease(*row)

    def take(
        self, sql: sqlite3.Connection, candidate_id: str, version: str, reviewer: str, session: str
    ) -> Lease | None:
        """Lease a candidate within a transaction and release the session's other one; `None` if another session holds it."""
        lease, now = self.held_in(sql, reviewer, session), self.clock()
        if sql.execute(
            "SELECT 1 FROM leases WHERE candidate_id = ? AND (reviewer, session) IS NOT (?, ?) AND until > ?",
            (candidate_id, reviewer, session, now),
        ).fetchone():
            return None
        if lease is None or (lease.candidate_id, lease.version) != (candidate_id, version):
            sql.execute("DELETE FROM leases WHERE reviewer = ? AND session = ?", (reviewer, session))
            row = (candidate_id, version, reviewer, session, now + LEASE_SECONDS, now)
            sql.execute("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?, ?)", row)
            lease = Lease(candidate_id, version, reviewer, session, now)
        return self._touch(sql, lease)

    def _touch(self, sql: sqlite3.Connection, lease: Lease, *, shown: bool = True) -> Lease | None:
        """Renew a lease and count the time since the last activity; return `None` if it is lost."""
        now, key = self.clock(), key_of(lease)
        query = f"SELECT seen FROM leases WHERE {_KEY} AND session = ?"  # noqa: S608  # a literal
        row = sql.execute(query, (*key, lease.session)).fetchone()
        if row is None:
            return None
        more = min(max(now - row["seen"], 0.0), IDLE_SECONDS) if shown else 0.0
        until = now + LEASE_SECONDS
        sql.execute("UPDATE leases SET until = ?, seen = ? WHERE candidate_id = ?", (until, now, lease.candidate_id))
        spent = sql.execute(
            "INSERT INTO drafts VALUES (?, ?, ?, NULL, ?, ?)"
            " ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds RETURNING seconds",
            (*key, more, iso_time(now)),
        ).fetchone()[0]
        return Lease(*key, lease.session, until, spent)

    def renew(self, lease: Lease, *, shown: bool = True) -> Lease | None:
        """Renew a lease, and count the time since the last activity; `None` if it is lost.

        No time counts for a candidate that is leased in advance and not `shown`.
        """
        with self.changing() as sql:
            return self._touch(sql, lease, shown=shown)

    def release(self, lease: Lease) -> None:
        """Release a lease without a decision; the draft is kept."""
        with self.changing() as sql:
            release_in(sql, lease)

    def save_draft(self, lease: Lease, texts: CandidateTexts) -> Lease | None:
        """Store a draft, also without a valid lease; return the renewed lease, `None` if it is lost. Raises a HarnessError if the texts are too long."""
        check_texts(texts)
        with self.changing() as sql:
            held = self._touch(sql, lease)
            keep_draft(sql, key_of(lease), texts, iso_time(self.clock()))
            return held

    def draft(self, key: Key) -> CandidateTexts | None:
        """Return a reviewer's draft, or `None`."""
        with self.reading() as sql:
            row = draft_row(sql, key)
        return None if row is None else read_record(CandidateTexts, json.loads(row["texts"]))

    def decide(self, candidate: Candidate, lease: Lease, ruling: Ruling) -> DecisionOutcome:
        """Store a decision, or return why it is refused; the texts of a refused decision are kept as a draft.

        Raises a HarnessError if the texts are too long, or the file cannot be written.
        """
        check_texts(ruling.texts, ruling.override, ruling.note)
        with self.changing() as sql:
            held, declined = self._touch(sql, lease), missing_answer(ruling)
            if has_judged(sql, key_of(lease)):
                declined = DeclineReason.ALREADY_DECIDED
            elif held is None or candidate.key != (held.candidate_id, held.version):
                declined = DeclineReason.LEASE_LOST
            if held is None or declined is not None:
                keep_draft(sql, key_of(lease), ruling.texts, iso_time(self.clock()))
                return DecisionOutcome(declined=declined, lease=held)
            entry = DecisionLine(
                **{name: getattr(ruling, name) for name in Ruling.__slots__},
                uid=uuid.uuid4().hex,
                candidate_id=lease.candidate_id,
                version=lease.version,
                reviewer=lease.reviewer,
                session=lease.session,
                undoes=None,
                original=CandidateTexts.of_record(candidate.record),
                seconds=held.seconds,
                at=self._now(sql, lease.reviewer),
            )
            append_entry(sql, entry)
            sql.execute("DELETE FROM leases WHERE candidate_id = ?", (entry.candidate_id,))
            if ruling.decision is Decision.SKIP:
                keep_draft(sql, key_of(lease), ruling.texts, iso_time(self.clock()))
            else:
                sql.execute(f"DELETE FROM drafts WHERE {_KEY}", key_of(entry))  # noqa: S608  # a literal
            return DecisionOutcome(entry=entry)

    def undo(self, reviewer: str, session: str) -> DecisionOutcome:
        """Undo the reviewer's last decision, and lease its candidate to the reviewer if it is free.

        Its texts become the reviewer's draft, unless there is a newer one; the log keeps the decision's texts.
        """
        check_name(reviewer)
        with self.changing() as sql:
            query = "SELECT * FROM in_force WHERE reviewer = ? ORDER BY at DESC, number DESC LIMIT 1"
            row = sql.execute(query, (reviewer,)).fetchone()
            if row is None:
                return DecisionOutcome(declined=DeclineReason.NOTHING_TO_UNDO)
            last, at = _entry(row), self._now(sql, reviewer)
            entry = replace(last, uid=uuid.uuid4().hex, session=session, at=at, undoes=last.uid)
            append_entry(sql, entry)
            keep_draft(sql, key_of(entry), entry.texts, at, entry.seconds, first=True)
            lease = self.take(sql, last.candidate_id, last.version, reviewer, session)
            return DecisionOutcome(entry=entry, lease=lease)

    def _now(self, sql: sqlite3.Connection, reviewer: str) -> str:
        """Return the time, but not before the reviewer's last decision: a clock may be set back."""
        last = sql.execute("SELECT max(at) FROM log WHERE reviewer = ?", (reviewer,)).fetchone()[0]
        return max(iso_time(self.clock()), last or "")

    def entries(self) -> list[DecisionLine]:
        """Return the log, oldest first."""
        with self.reading() as sql:
            return [_entry(row) for row in sql.execute("SELECT * FROM log ORDER BY number")]

    def standing(self, candidate_id: str | None = None) -> list[DecisionLine]:
        """Return the decisions in force in order, of all candidates or of one: one for each candidate, version and reviewer."""
        query = (
            "SELECT log.* FROM standing JOIN log USING (number) WHERE :id IS NULL OR standing.candidate_id = :id"
            " ORDER BY log.at, number"
        )
        with self.reading() as sql:
            return [_entry(row) for row in sql.execute(query, {"id": candidate_id and storable(candidate_id)})]

    def drafts(self) -> list[DraftLine]:
        """Return the drafts."""
        with self.reading() as sql:
            rows = sql.execute("SELECT * FROM drafts WHERE texts IS NOT NULL").fetchall()
        return [read_record(DraftLine, {**dict(row), "texts": json.loads(row["texts"])}) for row in rows]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._sql.close()


def key_of(line: Lease | DecisionLine | DraftLine) -> Key:
    """Return whose text on which candidate a line or a lease is."""
    return line.candidate_id, line.version, line.reviewer


def plan_of(sql: sqlite3.Connection) -> ReviewPlan:
    """Return the plan within a transaction."""
    return ReviewPlan(*sql.execute("SELECT target, share FROM plan").fetchone())


def release_in(sql: sqlite3.Connection, lease: Lease) -> None:
    """Release a lease within a transaction."""
    sql.execute(f"DELETE FROM leases WHERE {_KEY} AND session = ?", (*key_of(lease), lease.session))  # noqa: S608  # a literal


def append_entry(sql: sqlite3.Connection, entry: DecisionLine) -> None:
    """Add an entry to the log within a transaction, and update the decisions in force."""
    form, key = json_form(entry), key_of(entry)
    sql.execute(
        f"INSERT INTO log ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})",  # noqa: S608  # names of fields
        [_column(form[name]) for name in _COLUMNS],
    )
    query = f"SELECT decision, number FROM in_force WHERE {_KEY} ORDER BY at DESC, number DESC LIMIT 1"  # noqa: S608  # a literal
    row = sql.execute(query, key).fetchone()
    if row is None:
        sql.execute(f"DELETE FROM standing WHERE {_KEY}", key)  # noqa: S608  # a literal
    else:
        sql.execute("INSERT OR REPLACE INTO standing VALUES (?, ?, ?, ?, ?)", (*key, *row))


def keep_draft(
    sql: sqlite3.Connection, key: Key, texts: CandidateTexts, at: str, seconds: float = 0.0, *, first: bool = False
) -> None:
    """Store texts as a draft within a transaction, as the `first` one only if there is none; seconds are the total so far."""
    change = "texts = coalesce(texts, excluded.texts)" if first else "texts = excluded.texts, at = excluded.at"
    sql.execute(
        f"INSERT INTO drafts VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET {change}, seconds = max(seconds, excluded.seconds)",  # noqa: S608  # literals
        (*key, _column(json_form(texts)), seconds, at),
    )


def draft_row(sql: sqlite3.Connection, key: Key) -> sqlite3.Row | None:
    """Return the texts, as JSON, and the time of a draft within a transaction."""
    query = f"SELECT texts, at FROM drafts WHERE {_KEY} AND texts IS NOT NULL"  # noqa: S608  # a literal
    row: sqlite3.Row | None = sql.execute(query, key).fetchone()
    return row


def decision_in_force(sql: sqlite3.Connection, key: Key) -> DecisionLine | None:
    """Return the decision in force of a reviewer on a candidate, or `None`."""
    query = f"SELECT * FROM log WHERE number = (SELECT number FROM standing WHERE {_KEY})"  # noqa: S608  # a literal
    row = sql.execute(query, key).fetchone()
    return None if row is None else _entry(row)


def has_judged(sql: sqlite3.Connection, key: Key) -> bool:
    """Tell whether a reviewer has accepted or rejected a candidate."""
    entry = decision_in_force(sql, key)
    return entry is not None and entry.decision is not Decision.SKIP


def _entry(row: sqlite3.Row) -> DecisionLine:
    as_json = {name: json.loads(row[name]) for name in ("texts", "original", "findings")}
    return read_record(DecisionLine, {name: row[name] for name in _COLUMNS} | as_json)


def _column(value: Any) -> Any:
    return storable(value if isinstance(value, str) else dump(value)) if isinstance(value, str | dict | list) else value


def check_texts(texts: CandidateTexts, *notes: str) -> None:
    """Raise a HarnessError where texts and the notes beside them are too long."""
    characters = sum(map(len, (*texts.lines, texts.explanation, *notes)))
    if len(texts.lines) > MOST_LINES or characters > LONGEST_TEXT:
        raise HarnessError(
            f"a text of {len(texts.lines):,} lines and {characters:,} characters with its notes: expected at most {MOST_LINES:,} lines and {LONGEST_TEXT:,} characters; shorten it"
        )


def check_name(name: str) -> None:
    """Raise a HarnessError where the name of a reviewer or a session is empty, too long, or not valid Unicode."""
    if not name.strip() or len(name) > LONGEST_NAME or storable(name) != name:
        raise HarnessError(f"name {name[:50]!r}: expected 1 to {LONGEST_NAME} characters")


def iso_time(seconds: float) -> str:
    """Return seconds since 1970 as UTC in ISO 8601."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
