"""The state of a review in SQLite: decisions, drafts and leases, safe against restarts, second tabs and kills.

Every change is one transaction, which is on disk before it is confirmed. `python -m benchmarks.review_state` measures the cost.
"""

import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from harness.errors import HarnessError
from harness.records.review import MOST_FINDINGS, CandidateTexts, Decision, DecisionLine, DraftLine
from reports.review.candidates.candidates import Candidate
from reports.review.candidates.record_version import storable
from reports.review.state.decisions import (
    DecisionOutcome,
    DeclineReason,
    Lease,
    ReviewPlan,
    Ruling,
    missing_answer,
)
from reports.review.state.log_rows import (
    append_entry,
    draft_of,
    entry_of,
    has_judged,
    keep_draft,
    keep_texts,
    last_in_force,
    texts_of,
)
from reports.review.state.state_file import open_state_file, state_file_error

LEASE_SECONDS = 900.0
"""How long a reviewer keeps a candidate without activity."""
IDLE_SECONDS = 120.0
"""The longest counted time between two activities: a lunch break counts as two minutes."""
LONGEST_NAME, LONGEST_TEXT, MOST_LINES = 200, 100_000, 1_000


@dataclass(slots=True)
class ReviewState:
    """The file of a review; any number of processes may open it, and any thread may use it.

    `clock` returns the seconds since 1970.
    """

    path: Path
    clock: Callable[[], float]
    _sql: sqlite3.Connection
    _lock: threading.RLock = field(default_factory=threading.RLock)
    _pool: Path | None = None

    @classmethod
    def open(cls, path: Path, *, clock: Callable[[], float] = time.time) -> Self:
        """Open the state; it is created if it is missing.

        Raises:
            HarnessError: the file is not a review, has a newer version, is damaged, or cannot be written.
        """
        return cls(path, clock, open_state_file(path))

    @contextmanager
    def changing(self, pool: Path | None = None) -> Iterator[sqlite3.Connection]:
        """Run one atomic change; an index of candidates is attached as `pool`.

        Raises:
            HarnessError: the file cannot be written, another process holds it for too long, or the index is gone.
        """
        with self._transaction("BEGIN IMMEDIATE", pool) as sql:
            yield sql
            sql.execute("COMMIT")

    @contextmanager
    def reading(self, pool: Path | None = None) -> Iterator[sqlite3.Connection]:
        """Read a consistent state of the file; otherwise as `changing`."""
        with self._transaction("BEGIN", pool) as sql:
            yield sql

    @contextmanager
    def _transaction(self, begin: str, pool: Path | None) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if pool is not None and pool != self._pool:
                self._attach(pool)
            try:
                self._sql.execute(begin)
                yield self._sql
            except sqlite3.Error as error:
                raise state_file_error(self.path, error) from None
            finally:
                if self._sql.in_transaction:
                    self._sql.execute("ROLLBACK")

    def _attach(self, index: Path) -> None:
        try:
            if self._pool is not None:
                self._sql.execute("DETACH pool")
                self._pool = None
            self._sql.execute("ATTACH ? AS pool", (f"{index.resolve().as_uri()}?mode=ro&immutable=1",))
        except sqlite3.Error as error:
            raise HarnessError(
                f"{index}: the index of the candidates cannot be read ({error}); start the review again"
            ) from None
        self._pool = index

    @property
    def plan(self) -> ReviewPlan:
        """Return the stored plan."""
        with self.reading() as sql:
            return ReviewPlan(*sql.execute("SELECT target, share FROM plan").fetchone())

    def say(self, plan: ReviewPlan) -> None:
        """Store a plan for all processes."""
        if plan.target < 0 or not 0 <= plan.double <= 1:
            raise HarnessError(f"{plan}: expected a target of 0 or more and a share from 0 to 1")
        with self.changing() as sql:
            sql.execute("UPDATE plan SET target = ?, share = ?", (plan.target, plan.double))

    def held(self, reviewer: str, session: str) -> Lease | None:
        """Return the lease of a reviewer's session; it lasts until another session gets the candidate, even after `until`."""
        with self.reading() as sql:
            return self.held_in(sql, reviewer, session)

    def held_in(self, sql: sqlite3.Connection, reviewer: str, session: str) -> Lease | None:
        """Return the same within a transaction."""
        check_name(reviewer)
        check_name(session)
        row = sql.execute("SELECT * FROM leases WHERE reviewer = ? AND session = ?", (reviewer, session)).fetchone()
        if row is None:
            return None
        key = (row["candidate_id"], row["version"], reviewer)
        spent = sql.execute(
            "SELECT seconds FROM drafts WHERE candidate_id = ? AND version = ? AND reviewer = ?", key
        ).fetchone()
        return Lease(*key, session, row["until"], 0.0 if spent is None else spent[0])

    def take(
        self, sql: sqlite3.Connection, candidate_id: str, version: str, reviewer: str, session: str
    ) -> Lease | None:
        """Lease a candidate within a transaction and release the session's other one; `None` if another session holds it."""
        check_name(reviewer)
        check_name(session)
        now = self.clock()
        if sql.execute(
            "SELECT 1 FROM leases WHERE candidate_id = ? AND (reviewer, session) IS NOT (?, ?) AND until > ?",
            (candidate_id, reviewer, session, now),
        ).fetchone():
            return None
        lease = self.held_in(sql, reviewer, session)
        if lease is None or (lease.candidate_id, lease.version) != (candidate_id, version):
            sql.execute("DELETE FROM leases WHERE reviewer = ? AND session = ?", (reviewer, session))
            row = (candidate_id, version, reviewer, session, now + LEASE_SECONDS, now)
            sql.execute("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?, ?)", row)
            lease = Lease(candidate_id, version, reviewer, session, now)
        return self._touch(sql, lease)

    def _touch(self, sql: sqlite3.Connection, lease: Lease, *, shown: bool = True) -> Lease | None:
        """Renew a lease and count the time since the last activity; return `None` if it is lost."""
        now, key = self.clock(), (lease.candidate_id, lease.version, lease.reviewer)
        row = sql.execute(
            "SELECT seen FROM leases WHERE candidate_id = ? AND version = ? AND reviewer = ? AND session = ?",
            (*key, lease.session),
        ).fetchone()
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
            self.release_in(sql, lease)

    def release_in(self, sql: sqlite3.Connection, lease: Lease) -> None:
        """Do the same within a transaction."""
        key = (lease.candidate_id, lease.version, lease.reviewer, lease.session)
        sql.execute("DELETE FROM leases WHERE candidate_id = ? AND version = ? AND reviewer = ? AND session = ?", key)

    def save_draft(self, lease: Lease, texts: CandidateTexts) -> Lease | None:
        """Store a draft, also without a valid lease; return the renewed lease, `None` if it is lost.

        Raises:
            HarnessError: the texts are too long.
        """
        check_texts(texts)
        with self.changing() as sql:
            held = self._touch(sql, lease)
            self._keep(sql, lease, texts)
            return held

    def _keep(self, sql: sqlite3.Connection, lease: Lease, texts: CandidateTexts) -> None:
        draft = DraftLine(
            candidate_id=lease.candidate_id,
            version=lease.version,
            reviewer=lease.reviewer,
            texts=texts,
            seconds=0.0,
            at=iso_time(self.clock()),
        )
        keep_draft(sql, draft)

    def draft(self, candidate_id: str, version: str, reviewer: str) -> CandidateTexts | None:
        """Return a reviewer's draft, or `None`."""
        with self.reading() as sql:
            row = sql.execute(
                "SELECT texts FROM drafts WHERE candidate_id = ? AND version = ? AND reviewer = ?",
                (candidate_id, version, reviewer),
            ).fetchone()
        return None if row is None or row["texts"] is None else texts_of(row["texts"])

    def decide(self, candidate: Candidate, lease: Lease, ruling: Ruling) -> DecisionOutcome:
        """Store a decision, or return why it is refused; the texts of a refused decision are kept as a draft.

        Raises:
            HarnessError: the texts are too long, or the file cannot be written.
        """
        check_texts(ruling.texts)
        check_note(ruling.override, ruling.note)
        if len(ruling.findings) > MOST_FINDINGS:
            raise HarnessError(
                f"{candidate.candidate_id}: {len(ruling.findings):,} findings, expected at most {MOST_FINDINGS}"
            )
        with self.changing() as sql:
            held = self._touch(sql, lease)
            declined = self._against(sql, candidate, lease, ruling, held)
            if held is None or declined is not None:
                self._keep(sql, lease, ruling.texts)
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
                self._keep(sql, lease, ruling.texts)
            else:
                key = (entry.candidate_id, entry.version, entry.reviewer)
                sql.execute("DELETE FROM drafts WHERE candidate_id = ? AND version = ? AND reviewer = ?", key)
            return DecisionOutcome(entry=entry)

    def _against(
        self, sql: sqlite3.Connection, candidate: Candidate, lease: Lease, ruling: Ruling, held: Lease | None
    ) -> DeclineReason | None:
        if has_judged(sql, lease.candidate_id, lease.version, lease.reviewer):
            return DeclineReason.ALREADY_DECIDED
        if held is None or (candidate.candidate_id, candidate.version) != (held.candidate_id, held.version):
            return DeclineReason.LEASE_LOST
        return missing_answer(ruling)

    def undo(self, reviewer: str, session: str) -> DecisionOutcome:
        """Undo the reviewer's last decision, and lease its candidate to the reviewer if it is free.

        Its texts become the reviewer's draft, unless there is a newer one; the log keeps the decision's texts.
        """
        check_name(reviewer)
        with self.changing() as sql:
            last = last_in_force(sql, reviewer)
            if last is None:
                return DecisionOutcome(declined=DeclineReason.NOTHING_TO_UNDO)
            at = self._now(sql, reviewer)
            entry = replace(last, uid=uuid.uuid4().hex, session=session, at=at, undoes=last.uid)
            append_entry(sql, entry)
            keep_texts(sql, entry)
            lease = self.take(sql, last.candidate_id, last.version, reviewer, session)
            return DecisionOutcome(entry=entry, lease=lease)

    def _now(self, sql: sqlite3.Connection, reviewer: str) -> str:
        """Return the time, but not before the reviewer's last decision: a clock may be set back."""
        last = sql.execute("SELECT max(at) FROM log WHERE reviewer = ?", (reviewer,)).fetchone()[0]
        return max(iso_time(self.clock()), last or "")

    def entries(self) -> list[DecisionLine]:
        """Return the log, oldest first."""
        return self._entries("SELECT * FROM log ORDER BY number")

    def standing(self) -> list[DecisionLine]:
        """Return the decisions in force in order: one for each candidate, version and reviewer."""
        return self._entries("SELECT log.* FROM standing JOIN log USING (number) ORDER BY log.at, number")

    def _entries(self, query: str) -> list[DecisionLine]:
        with self.reading() as sql:
            return [entry_of(row) for row in sql.execute(query)]

    def drafts(self) -> list[DraftLine]:
        """Return the drafts."""
        with self.reading() as sql:
            rows = sql.execute("SELECT * FROM drafts WHERE texts IS NOT NULL").fetchall()
        return [draft_of(row) for row in rows]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._sql.close()


def check_texts(texts: CandidateTexts) -> None:
    """Check the size of texts.

    Raises:
        HarnessError: they are too long.
    """
    characters = sum(map(len, texts.lines)) + len(texts.explanation)
    if len(texts.lines) > MOST_LINES or characters > LONGEST_TEXT:
        raise HarnessError(
            f"a text of {len(texts.lines):,} lines and {characters:,} characters: expected at most {MOST_LINES:,} lines and {LONGEST_TEXT:,} characters; shorten it"
        )


def check_note(override: str, note: str) -> None:
    """Check the size of a reviewer's notes.

    Raises:
        HarnessError: the notes are too long.
    """
    characters = len(override) + len(note)
    if characters > LONGEST_TEXT:
        raise HarnessError(f"a note of {characters:,} characters: expected at most {LONGEST_TEXT:,}; shorten it")


def check_name(name: str) -> None:
    """Check the name of a reviewer or a session.

    Raises:
        HarnessError: the name is empty, too long, or not valid Unicode.
    """
    if not name.strip() or len(name) > LONGEST_NAME or storable(name) != name:
        raise HarnessError(f"name {name[:50]!r}: expected 1 to {LONGEST_NAME} characters")


def iso_time(seconds: float) -> str:
    """Return seconds since 1970 as UTC in ISO 8601."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")
