"""Opening the SQLite file of a review: checks of its format and integrity, creation, and error messages."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from harness.errors import HarnessError
from reports.review.state.schema import APPLICATION, LAYOUT, VERSION

WAIT_SECONDS = 30.0
"""How long one process waits for another's transaction, which takes milliseconds."""


def open_state_file(path: Path) -> sqlite3.Connection:
    """Open the state of a review, laying it out where there is none; a file that is none of ours is left as it is.

    Raises:
        HarnessError: the file is none of ours, of a newer version, damaged, or cannot be written.
    """
    connection = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
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
        # What was answered is on the disk, a power cut included: a person decides too seldom to gain by not waiting.
        connection.execute("PRAGMA synchronous = FULL")
        damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if damage != "ok":
            raise sqlite3.DatabaseError(damage)  # told like the damage that SQLite finds by itself
        _keep_log(connection)
        # Opening writes nothing by itself: that the file cannot be written shows here, not when something was typed.
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
    """Return what a user is told of an error of the file."""
    said = str(error)
    if "locked" in said:
        advice = f"another program has held it for {WAIT_SECONDS:.0f} seconds; close that one and try again"
    elif "full" in said or "disk I/O" in said:
        advice = "free some space on the disk and try again; what was saved before is safe"
    elif "readonly" in said or "unable to open" in said or isinstance(error, OSError):
        advice = "check that the file and its folder can be written, or give another by --state"
    else:
        advice = (
            f"it is damaged or no review; restore a copy, or save what can be read by: sqlite3 {path.name} .recover"
        )
    return HarnessError(f"review state {path}: {said}; {advice}")


def _ours(connection: sqlite3.Connection, path: Path) -> bool:
    """Tell within a transaction whether a file is the state of a review; `False` for one that holds nothing yet."""
    # Tables are counted first: a transaction sees the file as it is at its first read, its head included.
    tables, application, version = (
        connection.execute(query).fetchone()[0]
        for query in ("SELECT count(*) FROM sqlite_master", "PRAGMA application_id", "PRAGMA user_version")
    )
    if application == APPLICATION:
        if version != VERSION:
            raise HarnessError(
                f"review state {path}: has version {version}, this program reads {VERSION}; use the program that wrote it, or give another file by --state"
            )
        return True
    if application or version or tables:
        raise HarnessError(
            f"review state {path}: is a database, but no review; give another file by --state, such as reviews/review.sqlite"
        )
    return False


def _lay_out(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    if not _ours(connection, path):  # another process may have laid it out meanwhile
        for statement in _statements(LAYOUT):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
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
    """Write changes to a log beside the file. SQLite does not wait for another process that is doing so just now."""
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
