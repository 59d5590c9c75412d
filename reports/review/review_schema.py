"""The SQLite file of a review: its schema, creation, checks of its format, and error messages."""

import sqlite3
from contextlib import closing
from pathlib import Path

from filelock import FileLock

from harness.errors import HarnessError

VERSION = 2
"""Version 1 had no examples."""
APPLICATION = 0x4F46_5256
"""The application id in the header of the SQLite file, `OFRV`: it marks the file as a review."""
EXAMPLES = """
-- Solutions that people labelled, in order, each as its JSON form. A withdrawal is a row that names the row it withdraws.
CREATE TABLE examples (
    number INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    undoes TEXT UNIQUE REFERENCES examples (uid),
    reviewer TEXT NOT NULL,
    at TEXT NOT NULL,
    record TEXT NOT NULL
) STRICT;
CREATE TRIGGER examples_keep BEFORE UPDATE ON examples BEGIN SELECT raise(ABORT, 'examples are append-only'); END;
CREATE TRIGGER examples_stay BEFORE DELETE ON examples BEGIN SELECT raise(ABORT, 'examples are append-only'); END;
"""
"""The additions of version 2 to version 1."""

DECISIONS = """
-- The decisions, in order. An undo is a row that names the row it undoes.
CREATE TABLE log (
    number INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    candidate_id TEXT NOT NULL,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    session TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision IN ('accept', 'reject', 'skip')),
    undoes TEXT UNIQUE REFERENCES log (uid),
    texts TEXT NOT NULL,
    original TEXT NOT NULL,
    findings TEXT NOT NULL,
    override TEXT NOT NULL,
    reason TEXT,
    note TEXT NOT NULL,
    seconds REAL NOT NULL,
    at TEXT NOT NULL
) STRICT;
CREATE INDEX log_of_reviewer ON log (reviewer, at);
CREATE INDEX log_of_candidate ON log (candidate_id, version, reviewer);
CREATE TRIGGER log_keeps BEFORE UPDATE ON log BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
CREATE TRIGGER log_stays BEFORE DELETE ON log BEGIN SELECT raise(ABORT, 'the log is append-only'); END;
-- The decisions in force: rows that are not undone and are no undo.
CREATE VIEW in_force AS SELECT * FROM log
    WHERE undoes IS NULL AND NOT EXISTS (SELECT 1 FROM log AS later WHERE later.undoes = log.uid);
-- The decision in force of each reviewer, from the log.
CREATE TABLE standing (
    candidate_id TEXT NOT NULL,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    decision TEXT NOT NULL,
    number INTEGER NOT NULL REFERENCES log (number),
    PRIMARY KEY (candidate_id, version, reviewer)
) STRICT, WITHOUT ROWID;
CREATE INDEX standing_of_reviewer ON standing (reviewer, decision, number);
-- The drafts, and the seconds spent so far; texts are null until the reviewer types something.
CREATE TABLE drafts (
    candidate_id TEXT NOT NULL,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    texts TEXT,
    seconds REAL NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    PRIMARY KEY (candidate_id, version, reviewer)
) STRICT, WITHOUT ROWID;
-- The leases: one for each candidate, and one for each session.
CREATE TABLE leases (
    candidate_id TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    session TEXT NOT NULL,
    until REAL NOT NULL,
    seen REAL NOT NULL,
    UNIQUE (reviewer, session)
) STRICT, WITHOUT ROWID;
CREATE TABLE plan (target INTEGER NOT NULL, share REAL NOT NULL) STRICT;
-- 20 accepted candidates of each stratum, until somebody says another number.
INSERT INTO plan VALUES (20, 0.0);
"""
"""The schema of version 1."""

WAIT_SECONDS = 30.0
"""How long a process waits for the transaction of another, which takes milliseconds."""


def open_state_file(path: Path) -> sqlite3.Connection:
    """Open the state of a review, and create it if it is missing; a file that is not a review stays unchanged.

    Raises a HarnessError if the file is not a review, has a newer version, is damaged, or cannot be written.
    """
    connection = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Of processes that open a new review at once, one lays it out.
        with FileLock(path.with_name(f"{path.name}.lock"), timeout=WAIT_SECONDS):
            emptied = path.is_file() and not path.stat().st_size
            connection = sqlite3.connect(
                path.resolve().as_uri(), uri=True, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
            connection.row_factory = sqlite3.Row
            _create_or_upgrade(connection, path, emptied=emptied)
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")
        # A confirmed decision survives a power cut. People decide too rarely for the wait to matter.
        connection.execute("PRAGMA synchronous = FULL")
        damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if damage != "ok":
            raise sqlite3.DatabaseError(damage)  # reported like damage that SQLite itself finds
        # Opening a file writes nothing: this write shows early that the file is read-only.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE plan SET target = target")
        connection.execute("COMMIT")
    except (OSError, sqlite3.Error, HarnessError) as error:
        if connection is not None:
            connection.close()
        if isinstance(error, HarnessError):
            raise
        raise state_file_error(path, error) from None
    return connection


def state_file_error(path: Path, error: Exception) -> HarnessError:
    """Return an error with advice for the user."""
    problem = str(error)
    if "locked" in problem:
        advice = f"another program has locked it for {WAIT_SECONDS:.0f} seconds; close that program and try again"
    elif "full" in problem or "disk I/O" in problem:
        advice = "free some space on the disk and try again; what was saved before is safe"
    elif "readonly" in problem or "unable to open" in problem or isinstance(error, OSError):
        advice = "check that the file and its folder are writable, or give another file with --state"
    else:
        advice = f"it is damaged or not a review; restore a copy, or recover it with: sqlite3 {path.name} .recover"
    return HarnessError(f"review state {path}: {problem}; {advice}")


def _create_or_upgrade(connection: sqlite3.Connection, path: Path, *, emptied: bool) -> None:
    """Lay out an empty file, or add to a review of version 1 what it lacks, in one transaction; a HarnessError if the file is neither."""
    if emptied:  # a review that lost its content would seem to have no decision
        raise HarnessError(
            f"review state {path}: is an empty file; restore a copy, or remove the file to begin a new review"
        )
    tables, application, version = (
        connection.execute(query).fetchone()[0]
        for query in ("SELECT count(*) FROM sqlite_master", "PRAGMA application_id", "PRAGMA user_version")
    )
    missing = {1: EXAMPLES, VERSION: ""}.get(version)
    if application != APPLICATION:
        if application or version or tables:
            raise HarnessError(
                f"review state {path}: expected the state of a review, found another SQLite database; give another file with --state, such as reviews/review.sqlite"
            )
        missing = f"{DECISIONS} {EXAMPLES} PRAGMA application_id = {APPLICATION};"
    if missing is None:
        raise HarnessError(
            f"review state {path}: has version {version}, expected {VERSION}; use the program that wrote it, or give another file with --state"
        )
    if application == APPLICATION:
        _require_layout(connection, path, DECISIONS if missing else DECISIONS + EXAMPLES)
    if missing:
        connection.executescript(f"BEGIN IMMEDIATE; {missing} PRAGMA user_version = {VERSION}; COMMIT;")


def _require_layout(connection: sqlite3.Connection, path: Path, layout: str) -> None:
    """Check that every table, view, index and trigger is there as it was created; raises a HarnessError if one is missing or was changed."""
    objects = "SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL"
    with closing(sqlite3.connect(":memory:")) as expected:
        expected.executescript(layout)
        wanted = dict(expected.execute(objects).fetchall())
    found = dict(connection.execute(objects).fetchall())
    problems = [
        f"the {name} {'was changed' if name in found else 'is missing'}"
        for name, sql in sorted(wanted.items())
        if found.get(name) != sql
    ]
    if not problems and connection.execute("SELECT count(*) FROM plan").fetchone()[0] != 1:
        problems = ["the table plan lacks its row"]
    if problems:
        raise HarnessError(f"review state {path}: {'; '.join(problems)}; restore a copy of the file")
