"""The answer store: requests, attempts, answers and costs in one SQLite file that several processes may share.

One row is one attempt. A process claims a request before it is sent, so that no other process sends it. The database itself
ensures that a request has at most one claim at a time and at most one answer. Locks show which processes have died: their
open attempts count as lost and as paid in full, because their cost is unknown.
"""

import json
import sqlite3
import time
import uuid
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.llm.messages import UNBILLED, Reply, Request, RequestFault, RequestFaultKind, StopReason, Usage
from harness.llm.prices import TokenPrice
from harness.text.characters import storable

VERSION = 1
SCHEMA = """
CREATE TABLE requests (key TEXT PRIMARY KEY, provider TEXT NOT NULL, model TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL REFERENCES requests,
    number INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'answered', 'failed')),
    owner TEXT NOT NULL,
    batch TEXT,
    began REAL NOT NULL,
    ended REAL,
    seconds REAL,
    kind TEXT,
    reason TEXT,
    text TEXT,
    stop TEXT,
    input INTEGER NOT NULL DEFAULT 0,
    cached INTEGER NOT NULL DEFAULT 0,
    written INTEGER NOT NULL DEFAULT 0,
    output INTEGER NOT NULL DEFAULT 0,
    cost INTEGER,
    raw BLOB,
    UNIQUE (key, number)
);
CREATE UNIQUE INDEX one_claim ON attempts (key) WHERE state = 'claimed';
CREATE UNIQUE INDEX one_answer ON attempts (key) WHERE state = 'answered';
CREATE TABLE spent (only_row INTEGER PRIMARY KEY CHECK (only_row = 0), amount INTEGER NOT NULL);
INSERT INTO spent VALUES (0, 0);
"""
"""The tables; that of batches is created with the first batch."""
_SPEND = "UPDATE spent SET amount = amount + ?"
SECONDS = 60.0
"""Seconds that a process waits for the transaction of another process."""


class BudgetReached(HarnessError):
    """A question was not asked because its answer might cost more than the rest of the budget."""


@dataclass(frozen=True, slots=True)
class RequestClaim:
    """The right to ask a question once; `reserved` picodollars are set aside for it, `None` where no price is known."""

    id: int
    key: str
    reserved: int | None

    def cost(self, outcome: Reply | RequestFault, price: TokenPrice | None, *, batched: bool = False) -> int | None:
        """Return the cost of an outcome in picodollars: 0 for an unbilled fault, the reserved amount where tokens or price are unknown."""
        if isinstance(outcome, RequestFault) and outcome.kind in UNBILLED:
            return 0
        return self.reserved if price is None or not outcome.usage.input else price.of(outcome.usage, batched=batched)


@dataclass(frozen=True, slots=True)
class BusyRequest:
    """A question that another process, another task or the named batch is asking, or whose budget others have reserved."""

    batch: str | None = None


@dataclass(slots=True)
class AnswerStore(AbstractContextManager["AnswerStore"]):
    """An open store; close it, or use it as a context manager. Only the thread that opened it may use it."""

    path: Path
    owner: str = field(init=False, default_factory=lambda: uuid.uuid4().hex)
    """The name that this store writes to its claims, and of the file whose lock shows other processes that it lives."""
    _lock: FileLock = field(init=False)
    _connection: sqlite3.Connection = field(init=False)

    def __post_init__(self) -> None:
        """Open or create the file, and lock the owner file that shows that this process lives; a file that is no store of this version is a `HarnessError`."""
        self._lock = FileLock(self._owners / self.owner, thread_local=False)
        try:
            self._owners.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
            self._connection = sqlite3.connect(self.path, timeout=SECONDS, isolation_level=None)
            self._connection.row_factory = sqlite3.Row
            # SQLite does not wait while another process switches the file to a write-ahead log.
            with FileLock(self.path.with_name(f"{self.path.name}.lock")):
                self._connection.execute("PRAGMA journal_mode = WAL")
                # Waiting for the disk after every write takes many times as long as the write, and blocks the event loop.
                self._connection.execute("PRAGMA synchronous = NORMAL")
                fault = self._create_tables()
        except (OSError, sqlite3.DatabaseError) as error:
            fault = f"{type(error).__name__}: {error}"
        if fault:
            self.close()
            raise HarnessError(f"store {self.path}: {fault}")

    def _create_tables(self) -> str:
        """Create the tables in an empty file; return why another one is not a store of this version."""
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if version == VERSION:
            return ""
        if version:
            return f"has version {version}, this program reads {VERSION}"
        if self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return f"is an SQLite database without the table of answers; expected a store that this wrote: {runnable('oracle-factory formalize --corpus FILE --models NAMES -o FILE --store FILE')}"
        self._connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
        return ""

    @property
    def _owners(self) -> Path:
        """Return the folder with a locked file for each living store."""
        return self.path.with_name(f"{self.path.name}.owners")

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and release the owner lock."""
        if hasattr(self, "_connection"):
            self._connection.close()
        if self._lock.is_locked:
            (self._owners / self.owner).unlink(missing_ok=True)
            self._lock.release()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Make all changes of the context one transaction, inside another one a part of it.

        A database that is held for too long, or cannot be written, is a `HarnessError`.
        """
        if self._connection.in_transaction:
            yield self._connection
            return
        try:
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
        except sqlite3.OperationalError as error:
            raise HarnessError(f"store {self.path}: {error}") from None

    def lives(self, owner: str) -> bool:
        """Tell whether the process with an owner name still runs; the file of one that died is removed."""
        path = self._owners / owner
        if owner == self.owner or not path.exists():
            return owner == self.owner
        lock = FileLock(path, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return True
        path.unlink(missing_ok=True)
        lock.release()
        return False

    def answer(self, key: str) -> Reply | None:
        """Return the answer to the question with a key, `None` if there is none."""
        row = self._connection.execute("SELECT * FROM attempts WHERE key = ? AND state = 'answered'", (key,)).fetchone()
        return None if row is None else _reply(row)

    def standing(self, key: str) -> Reply | BusyRequest | None:
        """Return the answer to a question, or that it is busy; the claim of a dead process does not count."""
        row = self._connection.execute(
            "SELECT * FROM attempts WHERE key = ? AND state IN ('answered', 'claimed')", (key,)
        ).fetchone()
        if row is None or row["state"] == "answered":
            return None if row is None else _reply(row)
        return BusyRequest(row["batch"]) if row["batch"] is not None or self.lives(row["owner"]) else None

    def claim(
        self, request: Request, most: int | None, *, budget: int | None = None, batch: str | None = None
    ) -> RequestClaim | Reply | BusyRequest:
        """Claim a question; a known answer, or that the question is busy, is returned instead.

        `most` is the highest possible cost of an answer and `budget` the highest total cost of the store, in picodollars. They are
        compared in the transaction of the claim, so that several processes cannot exceed the budget together. Amounts that living
        processes have reserved may be freed, those of batches not soon.
        Where the answer might cost more than the rest, even if questions under way cost nothing, `BudgetReached` is raised.
        """
        key = request.key
        with self.transaction() as connection:
            standing = self.standing(key)
            if standing is not None:
                return standing
            if budget is not None and most is not None and (left := budget - self.spent()) < most:
                self.recover()
                aside = "SELECT coalesce(sum(cost), 0) FROM attempts WHERE state = 'claimed' AND batch IS NULL"
                if left + connection.execute(aside).fetchone()[0] < most:
                    raise BudgetReached(f"the next answer may cost {most} picodollars, {left} are left")
                return BusyRequest()
            self._lose("key = ?", key)
            connection.execute(
                "INSERT OR IGNORE INTO requests VALUES (?, ?, ?, ?)",
                (key, request.provider, request.model, json.dumps(request.record(), ensure_ascii=True)),
            )
            number = connection.execute("SELECT count(*) FROM attempts WHERE key = ?", (key,)).fetchone()[0] + 1
            row = connection.execute(
                "INSERT INTO attempts (key, number, state, owner, batch, began, cost) VALUES (?, ?, 'claimed', ?, ?, ?, ?)",
                (key, number, self.owner, batch, time.time(), most),
            )
            connection.execute(_SPEND, (most or 0,))
            return RequestClaim(int(row.lastrowid or 0), key, most)

    def end(self, claim: RequestClaim, outcome: Reply | RequestFault, cost: int | None, seconds: float) -> bool:
        """Store the answer or the fault of an attempt and its cost in picodollars; `False` if it had ended before."""
        row: dict[str, Any] = {"ended": time.time(), "seconds": seconds, "cost": cost, **asdict(outcome.usage)}
        row["raw"] = zlib.compress(outcome.raw.encode("utf-8", "backslashreplace")) if outcome.raw else None
        if isinstance(outcome, Reply):
            row |= {"state": "answered", "text": storable(outcome.text), "stop": str(outcome.stop)}
        else:
            row |= {"state": "failed", "kind": str(outcome.kind), "reason": storable(outcome.reason)}
        with self.transaction() as connection:
            changed = connection.execute(
                f"UPDATE attempts SET {', '.join(f'{name} = ?' for name in row)} WHERE id = ? AND state = 'claimed'",  # noqa: S608  # names of this method
                (*row.values(), claim.id),
            ).rowcount
            connection.execute(_SPEND, (((cost or 0) - (claim.reserved or 0)) * changed,))
            return bool(changed)

    def recover(self) -> int:
        """Count the attempts of dead processes as lost; return their number."""
        with self.transaction() as connection:
            claimed = "SELECT DISTINCT owner FROM attempts WHERE state = 'claimed' AND batch IS NULL"
            owners = [row["owner"] for row in connection.execute(claimed).fetchall()]
            lost = sum(self._lose("owner = ?", owner) for owner in owners if not self.lives(owner))
        for path in self._owners.iterdir():
            self.lives(path.name)
        return lost

    def _lose(self, condition: str, value: str) -> int:
        """Count claims as lost and return their number; the reserved amounts stay spent."""
        change = "UPDATE attempts SET state = 'failed', kind = ?, reason = 'its process ended before the answer came', ended = ?"
        return self._connection.execute(
            f"{change} WHERE state = 'claimed' AND batch IS NULL AND {condition}",  # `condition` is one of two literals above
            (str(RequestFaultKind.LOST), time.time(), value),
        ).rowcount

    def spent(self) -> int:
        """Return the cost of all attempts in picodollars, with the amounts reserved for attempts under way."""
        return int(self._connection.execute("SELECT amount FROM spent").fetchone()[0])

    def attempts(self, key: str) -> list[dict[str, Any]]:
        """Return the attempts at one question, first to last, as records."""
        rows = self._connection.execute("SELECT * FROM attempts WHERE key = ? ORDER BY number", (key,))
        return [{**dict(row), "raw": _unpacked(row["raw"])} for row in rows]


def _unpacked(raw: bytes | None) -> str:
    return "" if raw is None else zlib.decompress(raw).decode()


def _reply(row: sqlite3.Row) -> Reply:
    usage = Usage(row["input"], row["output"], row["cached"], row["written"])
    return Reply(row["text"], usage, StopReason(row["stop"]), _unpacked(row["raw"]))
