"""Opening the SQLite file of a review: checks of its format and integrity, creation, and error messages."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from harness.errors import HarnessError
from reports.review.state.schema import APPLICATION, EXAMPLES, LAYOUT, VERSION

CREATION_SECONDS = 1.0
"""How long an empty file may be one that another process is just creating."""
WAIT_SECONDS = 30.0
"""How long a process waits for the transaction of another, which takes milliseconds."""


def open_state_file(path: Path) -> sqlite3.Connection:
    """Open the state of a review, and create it if it is missing; a file that is not a review stays unchanged.

    Raises:
        HarnessError: the file is not a review, has a newer version, is damaged, or cannot be written.
    """
    connection = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _require_content(path)
        connection = sqlite3.connect(
            path.resolve().as_uri(), uri=True, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN")
        ours = _ours(connection, path)
        connection.execute("ROLLBACK")
        if not ours:
            _lay_out(connection, path)
        connection.execute("PRAGMA foreign_keys = ON")
        # A confirmed decision survives a power cut. People decide too rarely for the wait to matter.
        connection.execute("PRAGMA synchronous = FULL")
        damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if damage != "ok":
            raise sqlite3.DatabaseError(damage)  # reported like damage that SQLite itself finds
        _bring_up(connection)
        _require_layout(connection, path)
        _keep_log(connection)
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


def _ours(connection: sqlite3.Connection, path: Path) -> bool:
    """Tell within a transaction whether a file is the state of a review; `False` if it is empty."""
    # Tables are counted first: the first read of a transaction fixes the state that it sees.
    tables, application, version = (
        connection.execute(query).fetchone()[0]
        for query in ("SELECT count(*) FROM sqlite_master", "PRAGMA application_id", "PRAGMA user_version")
    )
    if application == APPLICATION:
        if version not in {1, VERSION}:
            raise HarnessError(
                f"review state {path}: has version {version}, expected {VERSION}; use the program that wrote it, or give another file with --state"
            )
        return True
    if application or version or tables:
        raise HarnessError(
            f"review state {path}: expected the state of a review, found another SQLite database; give another file with --state, such as reviews/review.sqlite"
        )
    return False


def _require_content(path: Path) -> None:
    """Check that a file that is there is not empty: a review that lost its content would seem to have no decision.

    Raises:
        HarnessError: it is empty, and no other process is just creating it.
    """
    until = time.monotonic() + CREATION_SECONDS
    while path.is_file() and not path.stat().st_size:
        if time.monotonic() > until:
            raise HarnessError(
                f"review state {path}: is an empty file; restore a copy, or remove the file to begin a new review"
            )
        time.sleep(0.01)


def _require_layout(connection: sqlite3.Connection, path: Path) -> None:
    """Check that every table, view, index and trigger is there as it was created.

    Raises:
        HarnessError: one is missing or was changed.
    """
    with closing(sqlite3.connect(":memory:")) as expected:
        expected.executescript(LAYOUT)
        wanted = {(kind, name): sql for kind, name, sql in expected.execute(_OBJECTS)}
    found = {(row[0], row[1]): row[2] for row in connection.execute(_OBJECTS)}
    for (kind, name), sql in sorted(wanted.items()):
        if found.get((kind, name)) != sql:
            state = "has been changed" if (kind, name) in found else "is missing"
            raise HarnessError(f"review state {path}: the {kind} {name} {state}; restore a copy of the file")
    if connection.execute("SELECT count(*) FROM plan").fetchone()[0] != 1:
        raise HarnessError(f"review state {path}: the table plan has lost its row; restore a copy of the file")


_OBJECTS = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"


def _lay_out(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    if not _ours(connection, path):  # another process may have created the tables meanwhile
        for statement in _statements(LAYOUT):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _bring_up(connection: sqlite3.Connection) -> None:
    """Upgrade a file of version 1 in one transaction; its data stay unchanged."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:  # another process may have done it meanwhile
        for statement in _statements(EXAMPLES):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _keep_log(connection: sqlite3.Connection) -> None:
    """Switch on write-ahead logging. SQLite does not wait for another process that does the same."""
    until = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
