"""SQLite index of candidate files: the offset and the review fields of each valid record.

The index is one SQLite file, derived from the files that it names and never changed. If the size or time of a file changes, a new index is made.
"""

import enum
import fcntl
import gzip
import hashlib
import json
import os
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, read_record
from harness.records.mutation import REVIEWED, FlawRecord
from harness.solution.labels import FINAL_ANSWER
from harness.store.run_folder import fingerprint
from reports.review.candidates.record_version import storable, version_of

LAYOUT = 3
LONGEST_RECORD = 4_000_000

_TABLES = """
CREATE TABLE files (file INTEGER PRIMARY KEY, path TEXT NOT NULL);
CREATE TABLE strata (stratum INTEGER PRIMARY KEY, tier TEXT, position TEXT, error_type TEXT, total INTEGER, tie INTEGER);
CREATE TABLE candidates (
    place INTEGER PRIMARY KEY, candidate_id TEXT NOT NULL, version TEXT NOT NULL, stratum INTEGER NOT NULL,
    operator TEXT NOT NULL, plausibility REAL NOT NULL, needs_edit INTEGER NOT NULL, problem_id TEXT NOT NULL,
    clique INTEGER, confidence REAL, p_right REAL, draw REAL NOT NULL, tie INTEGER NOT NULL,
    file INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL, body BLOB
);
CREATE TABLE rejected (reason TEXT PRIMARY KEY, count INTEGER NOT NULL);
"""
_INDICES = """
CREATE UNIQUE INDEX by_id ON candidates (candidate_id);
-- All columns that the queue reads of a candidate: a covering index.
CREATE INDEX shortlists ON candidates (
    stratum, plausibility DESC, tie, operator, needs_edit, problem_id, clique, confidence, p_right, draw, candidate_id, version
);
CREATE INDEX operators ON candidates (operator);
"""
_CANDIDATE = "INSERT INTO candidates VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


class UnfitReason(enum.StrEnum):
    """Why a line is not a candidate."""

    TOO_LONG = f"longer than {LONGEST_RECORD:,} bytes"
    NO_JSON = "no JSON"
    MALFORMED = "no record of a flawed solution"
    NO_SUCH_LINE = "the labelled line is not in the flawed solution"
    REPEATED = "the id of an earlier record"


def open_index(paths: Sequence[Path], cache: Path) -> tuple[Path, sqlite3.Connection]:
    """Return the index of some files and a read-only connection to it; raises the errors of `Candidates.open`."""
    if not paths:
        raise HarnessError("candidates: no file is given; expected JSONL files of flawed solutions")
    try:
        resolved = [path.resolve(strict=True) for path in paths]
        states = [path.stat() for path in resolved]
    except (OSError, RuntimeError) as error:
        raise HarnessError(f"candidates: cannot be read ({error}); expected JSONL files of flawed solutions") from None
    names = fingerprint(map(os.fsencode, resolved))
    contents = fingerprint([str(LAYOUT), *(f"{state.st_size}:{state.st_mtime_ns}" for state in states)])
    index = cache / f"{names}-{contents}.sqlite"
    connection = _opened(index)
    if connection is not None:
        return index, connection
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with (cache / "lock").open("w") as lock:
            # One process builds and the others wait: under the lock, a half-built index was left by a process that died.
            fcntl.flock(lock, fcntl.LOCK_EX)
            if _opened(index) is None:
                _build(resolved, index, stale=cache.glob(f"{names}-*.sqlite*"))
    except (OSError, EOFError, zlib.error, sqlite3.Error) as error:
        raise HarnessError(
            f"candidates: the index {index} cannot be made from {', '.join(map(str, paths))} ({error}); check that the files are readable and the folder is writable"
        ) from None
    connection = _opened(index)
    if connection is None:
        raise HarnessError(f"candidates: the index {index} cannot be read; remove {cache} and start again")
    return index, connection


def _opened(index: Path) -> sqlite3.Connection | None:
    """Return a connection to an index, or `None` if it is missing or incomplete."""
    if not index.is_file():
        return None
    connection = sqlite3.connect(f"{index.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    try:
        whole = connection.execute("PRAGMA user_version").fetchone()[0] == LAYOUT
    except sqlite3.DatabaseError:
        whole = False
    if whole:
        return connection
    connection.close()
    return None


def _build(paths: Sequence[Path], index: Path, *, stale: Iterator[Path]) -> None:
    """Write the index to a temporary file and rename it; indexes of earlier versions of the files are removed."""
    for path in list(stale):
        path.unlink()
    partial = index.with_suffix(".sqlite-partial")
    connection = sqlite3.connect(partial, isolation_level=None)
    try:
        # A half-built index is removed, so no rollback journal is needed.
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
        connection.execute("BEGIN")
        builder = _Building(connection)
        for file, path in enumerate(paths):
            connection.execute("INSERT INTO files VALUES (?, ?)", (file, os.fsdecode(path)))
            builder.read(path, file)
        builder.finish()
        connection.execute("COMMIT")
        connection.executescript(_INDICES + f"ANALYZE; PRAGMA user_version = {LAYOUT};")
    except BaseException:  # an interrupt must leave no half-built index either
        connection.close()
        partial.unlink(missing_ok=True)
        raise
    connection.close()
    descriptor = os.open(partial, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    partial.replace(index)


@dataclass(slots=True)
class _Building:
    connection: sqlite3.Connection
    seen: set[str] = field(default_factory=set)
    strata: dict[tuple[str, str, str], int] = field(default_factory=dict)
    totals: Counter[int] = field(default_factory=Counter)
    rejected: Counter[UnfitReason] = field(default_factory=Counter)

    def read(self, path: Path, file: int) -> None:
        """Add the candidates of a file; records of a compressed file are stored in the index, because they have no offset."""
        packed = path.suffix == ".gz"
        with gzip.open(path, "rb") if packed else path.open("rb") as stream:
            for offset, line in _lines(stream):
                if line is None or line.strip():
                    row = self._row(line, file, offset, packed=packed)
                    if isinstance(row, UnfitReason):
                        self.rejected[row] += 1
                    else:
                        self.connection.execute(_CANDIDATE, row)

    def _row(self, line: bytes | None, file: int, offset: int, *, packed: bool) -> tuple[Any, ...] | UnfitReason:
        if line is None:
            return UnfitReason.TOO_LONG
        try:
            record = json.loads(line.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return UnfitReason.NO_JSON
        try:
            read = read_record(FlawRecord, record, fields=REVIEWED)
        except MalformedRecordError:
            return UnfitReason.MALFORMED
        details = read.label.error_details
        if not _stands(details.erroneous_line_number, read.flawed_solution):
            return UnfitReason.NO_SUCH_LINE
        name = storable(read.flaw_id)
        if name in self.seen:
            return UnfitReason.REPEATED
        self.seen.add(name)
        tier = "" if read.tier is None else storable(str(read.tier))
        key = (tier, storable(read.position), str(details.error_type))
        stratum = self.strata.setdefault(key, len(self.strata))
        self.totals[stratum] += 1
        draws = hashlib.sha256(name.encode()).digest()
        told = read.provenance
        support = (None,) * 3 if told is None else (told.clique_size, told.confidence, told.p_right)
        return (
            *(None, name, version_of(record), stratum, storable(read.operator), read.plausibility.score),
            *(int(read.needs_edit), storable(read.problem_id), *support, _share(draws), _tie(draws)),
            *(file, offset, len(line), zlib.compress(line, 1) if packed else None),
        )

    def finish(self) -> None:
        """Write the counts."""
        self.connection.executemany(
            "INSERT INTO strata VALUES (?, ?, ?, ?, ?, ?)",
            (
                (stratum, *key, self.totals[stratum], _tie(hashlib.sha256("\n".join(key).encode()).digest()))
                for key, stratum in self.strata.items()
            ),
        )
        rejected = ((str(reason), count) for reason, count in self.rejected.items())
        self.connection.executemany("INSERT INTO rejected VALUES (?, ?)", rejected)


def _lines(stream: Any) -> Iterator[tuple[int, bytes | None]]:
    """Yield the offset and the bytes of each line, `None` instead of a line that is too long."""
    offset = 0
    while line := stream.readline(LONGEST_RECORD):
        start, whole = offset, len(line) < LONGEST_RECORD or line.endswith(b"\n")
        offset += len(line)
        while not whole:
            more = stream.readline(LONGEST_RECORD)
            offset += len(more)
            if len(more) < LONGEST_RECORD or more.endswith(b"\n"):
                line = None
                break
        yield start, line


def _stands(label: str, text: str) -> bool:
    """Tell whether a text has the labelled line."""
    lines = text.split("\n")
    if label == FINAL_ANSWER:
        return lines[-1].startswith("####")
    return int(label[1:]) <= len(lines)


def _share(digest: bytes) -> float:
    """Return a number from 0 to below 1 that depends on a digest."""
    return int.from_bytes(digest[:6], "big") / 2**48


def _tie(digest: bytes) -> int:
    """Return a number that breaks ties."""
    return int.from_bytes(digest[6:12], "big")
