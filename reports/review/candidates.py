"""Candidates for review: the files that hold them, and the SQLite index by which a record is read from its file when it is needed.

The index is derived from the files that it names and never changed: if the size or time of a file changes, a new index is made.
"""

import enum
import gzip
import hashlib
import json
import os
import sqlite3
import threading
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Self

from filelock import FileLock

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, read_record
from harness.solution.labels import FINAL_ANSWER
from harness.stages import MUTATION, STAGE_BY_NAME
from harness.store.run_folder import RunFolder, dump, fingerprint
from harness.text.characters import one_line
from reports.views.stage_command import command_on

CACHE = Path(".cache") / "review"
STATE = Path("reviews") / "review.sqlite"
"""The default file of a review."""
CONCEPTUAL, COMPUTATIONAL = "conceptual.jsonl", "computational.jsonl"
ALL = (CONCEPTUAL, COMPUTATIONAL)
COLUMNS = ("tier", "position", "error_type", "operator")
"""The columns that filters offer."""
LAYOUT = 3
LONGEST_RECORD = 4_000_000
VERSION_DIGITS = 12

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


class UnfitReason(enum.StrEnum):
    """Why a line is not a candidate."""

    TOO_LONG = f"longer than {LONGEST_RECORD:,} bytes"
    NO_JSON = "no JSON"
    MALFORMED = "no record of a flawed solution"
    NO_SUCH_LINE = "the labelled line is not in the flawed solution"
    REPEATED = "the id of an earlier record"


@dataclass(frozen=True, slots=True, order=True)
class Stratum:
    """A stratum of candidates: the tier of the problem, the position of the error, and its type."""

    tier: str
    position: str
    error_type: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A flawed solution to review; `version` is a digest of the whole `record`, `candidate_id` its `flaw_id`.

    `draw` is a number from 0 to below 1 that depends on the id: two reviewers judge the candidates below the plan's share.
    """

    candidate_id: str
    version: str
    tier: str
    position: str
    error_type: str
    operator: str
    plausibility: float
    needs_edit: bool
    problem_id: str
    record: Mapping[str, Any]
    draw: float = 1.0


@dataclass(slots=True)
class Candidates:
    """An open index of the records of some files, for any thread; `index` is the SQLite file."""

    index: Path
    _sql: sqlite3.Connection
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, paths: Sequence[Path], *, cache: Path = CACHE) -> Self:
        """Open the index of JSONL files, plain or `.gz`; it is made if it is missing or a file has changed.

        Raises a HarnessError if a file is missing or cannot be read, none holds a candidate, or the index cannot be written.
        """
        index = _current_index(paths, cache)
        candidates = cls(index, _connection(index))
        if not len(candidates):
            reasons = "; ".join(f"{count:,} lines: {reason}" for reason, count in candidates.rejected.items())
            candidates.close()
            raise HarnessError(
                f"{', '.join(map(str, paths))}: expected flawed solutions of a mutation stage, found none ({reasons or 'no line'}); make them: {runnable(STAGE_BY_NAME[MUTATION].command)}"
            )
        return candidates

    def __len__(self) -> int:
        """Return the number of candidates."""
        return int(self._rows("SELECT coalesce(sum(total), 0) FROM strata")[0][0])

    def get(self, candidate_id: str) -> Candidate:
        """Return a candidate with its record; as `find`, and a HarnessError if no candidate has this id."""
        candidate = self.find(candidate_id)
        if candidate is None:
            raise HarnessError(f"candidate {one_line(candidate_id, limit=200)!r}: no candidate has this id")
        return candidate

    def find(self, candidate_id: str) -> Candidate | None:
        """Return a candidate with its record, or `None` if no candidate has this id.

        Raises a HarnessError if its file was changed since it was indexed.
        """
        query = "SELECT * FROM candidates JOIN strata USING (stratum) JOIN files USING (file) WHERE candidate_id = ?"
        rows = self._rows(query, storable(candidate_id))
        return _candidate(rows[0]) if rows else None

    @property
    def files(self) -> list[Path]:
        """Return the files that the candidates stand in."""
        return [Path(row["path"]) for row in self._rows("SELECT path FROM files ORDER BY file")]

    @property
    def strata(self) -> Mapping[Stratum, int]:
        """Return the number of candidates of each stratum, in order."""
        rows = self._rows("SELECT tier, position, error_type, total FROM strata ORDER BY tier, position, error_type")
        return {Stratum(*row[:3]): row["total"] for row in rows}

    @property
    def rejected(self) -> Mapping[str, int]:
        """Return the number of lines that are not candidates, by reason."""
        return dict(map(tuple, self._rows("SELECT * FROM rejected ORDER BY reason")))

    def values(self, column: str) -> list[str]:
        """Return the values of one of `COLUMNS`, in order, for a filter."""
        table = "candidates" if column == "operator" else "strata"
        return [row[0] for row in self._rows(f"SELECT DISTINCT {column} FROM {table} ORDER BY 1")]  # noqa: S608  # both are literals

    def shortlists(self, length: int) -> list[str]:
        """Return the ids of the `length` most plausible candidates of each stratum."""
        rows = self._rows(
            "SELECT candidate_id FROM (SELECT candidate_id, place, row_number() OVER"
            " (PARTITION BY stratum ORDER BY plausibility DESC, tie) AS rank FROM candidates) WHERE rank <= ? ORDER BY place",
            length,
        )
        return [row[0] for row in rows]

    def close(self) -> None:
        """Close the index."""
        self._sql.close()

    def _rows(self, query: str, *values: str | int) -> list[sqlite3.Row]:
        with self._lock:
            return self._sql.execute(query, values).fetchall()


def files_of_run(run: Path, names: Sequence[str] = ALL) -> tuple[Path, ...]:
    """Return the candidate files of a run's mutation stage."""
    return tuple(run / MUTATION / name for name in names)


def missing_candidates(run: Path) -> str:
    """Return why a run has no candidates, with the command that makes them; an empty text if it has some."""
    command = command_on(MUTATION, run)
    if not (run / MUTATION).is_dir():
        return f"{run}: the run has no mutation stage, whose flawed solutions are reviewed; make them: {command}"
    try:
        RunFolder(run).stage(MUTATION).manifest()
    except HarnessError as error:
        return f"{error}: {command}"
    return ""


def files_in(folder: Path, names: Sequence[str] = ALL) -> tuple[Path, ...]:
    """Return the files of a folder with the names of a mutation stage, else all `.jsonl` and `.jsonl.gz` files.

    Raises a HarnessError if there is none.
    """
    staged = tuple(path for path in (folder / name for name in names) if path.is_file())
    files = staged or tuple(sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")]))
    if not files:
        raise HarnessError(
            f"{folder}: expected a folder with {CONCEPTUAL} or other .jsonl files of flawed solutions, found none; make them: {runnable(STAGE_BY_NAME[MUTATION].command)}"
        )
    return files


def version_of(record: Any) -> str:
    """Return a digest of a record, by which decisions name its version."""
    return hashlib.sha256(dump(record).encode("utf-8", "backslashreplace")).hexdigest()[:VERSION_DIGITS]


def storable(text: str) -> str:
    """Return a text without lone surrogates, which SQLite cannot store."""
    return text.encode("utf-8", "replace").decode()


def _candidate(row: sqlite3.Row) -> Candidate:
    path, record = Path(row["path"]), None
    try:
        if row["body"] is None:
            with path.open("rb") as stream:
                stream.seek(row["offset"])
                line = stream.read(row["length"])
        else:
            line = zlib.decompress(row["body"])
        record = json.loads(line.decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError):
        pass  # reported as a change
    if record is None or version_of(record) != row["version"]:
        raise HarnessError(f"{path}: the file was changed during the review; start the review again")
    names = (one.name for one in fields(Candidate) if one.name not in {"record", "needs_edit"})
    return Candidate(**{name: row[name] for name in names}, record=record, needs_edit=bool(row["needs_edit"]))


def _connection(index: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{index.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    return connection


def _is_whole(index: Path) -> bool:
    try:
        with closing(_connection(index)) as sql:
            return bool(sql.execute("PRAGMA user_version").fetchone()[0] == LAYOUT)
    except sqlite3.Error:
        return False


def _current_index(paths: Sequence[Path], cache: Path) -> Path:
    """Return the index of some files, which is made if it is missing; raises the errors of `Candidates.open`."""
    try:
        resolved = [path.resolve(strict=True) for path in paths]
        states = [path.stat() for path in resolved]
    except (OSError, RuntimeError) as error:
        raise HarnessError(f"candidates: cannot be read ({error}); expected JSONL files of flawed solutions") from None
    names = fingerprint(map(os.fsencode, resolved))
    contents = fingerprint([str(LAYOUT), *(f"{state.st_size}:{state.st_mtime_ns}" for state in states)])
    index = cache / f"{names}-{contents}.sqlite"
    if _is_whole(index):
        return index
    try:
        cache.mkdir(parents=True, exist_ok=True)
        # One process builds and the others wait: under the lock, a half-built index was left by a process that died.
        with FileLock(cache / "lock"):
            if not _is_whole(index):
                for stale in list(cache.glob(f"{names}-*.sqlite*")):
                    stale.unlink()
                _build(resolved, index)
    except (OSError, EOFError, zlib.error, sqlite3.Error) as error:
        raise HarnessError(
            f"candidates: the index {index} cannot be made from {', '.join(map(str, paths))} ({error}); check that the files are readable and the folder is writable"
        ) from None
    if not _is_whole(index):
        raise HarnessError(f"candidates: the index {index} cannot be read; remove {cache} and start again")
    return index


def _build(paths: Sequence[Path], index: Path) -> None:
    """Write the index to a temporary file and rename it; an interrupt leaves no half-built index."""
    partial = index.with_suffix(".sqlite-partial")
    connection = sqlite3.connect(partial, isolation_level=None)
    strata: dict[tuple[str, ...], int] = {}
    totals, rejected = Counter[int](), Counter[str]()
    try:
        # A half-built index is removed, so no rollback journal is needed.
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO files VALUES (?, ?)", enumerate(map(os.fsdecode, paths)))
        for row in _rows(paths):
            if isinstance(row, UnfitReason):
                rejected[str(row)] += 1
                continue
            row["stratum"] = strata.setdefault(row["stratum"], len(strata))
            totals[row["stratum"]] += 1
            names = ", ".join(row)
            connection.execute(
                f"INSERT INTO candidates ({names}) VALUES ({', '.join('?' * len(row))})",  # noqa: S608  # names of ours
                list(row.values()),
            )
        ties = (_tie(hashlib.sha256("\n".join(key).encode()).digest()) for key in strata)
        connection.executemany(
            "INSERT INTO strata VALUES (?, ?, ?, ?, ?, ?)",
            ((number, *key, totals[number], tie) for (key, number), tie in zip(strata.items(), ties, strict=True)),
        )
        connection.executemany("INSERT INTO rejected VALUES (?, ?)", rejected.items())
        connection.execute("COMMIT")
        connection.executescript(_INDICES + f"ANALYZE; PRAGMA user_version = {LAYOUT};")
    except BaseException:
        connection.close()
        partial.unlink(missing_ok=True)
        raise
    connection.close()
    with partial.open("rb") as stream:
        os.fsync(stream.fileno())
    partial.replace(index)


def _rows(paths: Sequence[Path]) -> Iterator[dict[str, Any] | UnfitReason]:
    """Yield the row of each candidate by column, its stratum as the key of one, or why a line is not a candidate.

    Records of a compressed file are stored in the index, because they have no offset.
    """
    seen: set[str] = set()
    for file, path in enumerate(paths):
        packed = path.suffix == ".gz"
        with gzip.open(path, "rb") if packed else path.open("rb") as stream:
            for offset, line in _lines(stream):
                if line is None:
                    yield UnfitReason.TOO_LONG
                elif line.strip():
                    row = _row(line, seen)
                    if isinstance(row, dict):
                        body = zlib.compress(line, 1) if packed else None
                        row |= {"file": file, "offset": offset, "length": len(line), "body": body}
                    yield row


def _row(line: bytes, seen: set[str]) -> dict[str, Any] | UnfitReason:
    from harness.records.mutation import REVIEWED, FlawRecord  # half a second to import

    try:
        form = json.loads(line.decode("utf-8", "replace"))
        record = read_record(FlawRecord, form, fields=REVIEWED)
    except MalformedRecordError:
        return UnfitReason.MALFORMED
    except (ValueError, RecursionError):
        return UnfitReason.NO_JSON
    details, provenance, name = record.label.error_details, record.provenance, storable(record.flaw_id)
    lines, label = record.flawed_solution.split("\n"), details.erroneous_line_number
    if not (lines[-1].startswith("####") if label == FINAL_ANSWER else int(label[1:]) <= len(lines)):
        return UnfitReason.NO_SUCH_LINE
    if name in seen:
        return UnfitReason.REPEATED
    seen.add(name)
    tier = "" if record.tier is None else storable(str(record.tier))
    draws = hashlib.sha256(name.encode()).digest()
    return {
        "candidate_id": name,
        "version": version_of(form),
        "stratum": (tier, storable(record.position), str(details.error_type)),
        "operator": storable(record.operator),
        "plausibility": record.plausibility.score,
        "needs_edit": int(record.needs_edit),
        "problem_id": storable(record.problem_id),
        "clique": provenance and provenance.clique_size,
        "confidence": provenance and provenance.confidence,
        "p_right": provenance and provenance.p_right,
        "draw": int.from_bytes(draws[:6], "big") / 2**48,
        "tie": _tie(draws),
    }


def _lines(stream: Any) -> Iterator[tuple[int, bytes | None]]:
    """Yield the offset and the bytes of each line, `None` instead of a line that is too long."""
    offset = 0
    while line := stream.readline(LONGEST_RECORD):
        start, piece, whole = offset, line, True
        while len(piece) == LONGEST_RECORD and not piece.endswith(b"\n"):
            offset += len(piece)
            piece, whole = stream.readline(LONGEST_RECORD), False
        offset += len(piece)
        yield start, line if whole else None


def _tie(digest: bytes) -> int:
    """Return a number that breaks ties."""
    return int.from_bytes(digest[6:12], "big")
