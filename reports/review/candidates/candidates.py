"""Candidates for review, read through an index of the mutation stage's records."""

import json
import sqlite3
import threading
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Self

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.stages import MUTATION, STAGE_BY_NAME
from harness.text.characters import one_line
from reports.review.candidates.record_version import storable, version_of

CACHE = Path(".cache") / "review"
COLUMNS = ("tier", "position", "error_type", "operator")
"""The columns that filters offer."""


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

    @property
    def stratum(self) -> Stratum:
        """Return its stratum."""
        return Stratum(self.tier, self.position, self.error_type)


@dataclass(slots=True)
class Candidates:
    """An open index of the records of some files; a record is read from its file when it is needed.

    Any thread may use it. `index` is the SQLite file, which never changes.
    """

    index: Path
    _sql: sqlite3.Connection
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, paths: Sequence[Path], *, cache: Path = CACHE) -> Self:
        """Open the index of JSONL files, plain or `.gz`; it is made if it is missing or a file has changed.

        Raises:
            HarnessError: a file is missing or cannot be read, none holds a candidate, or the index cannot be written.
        """
        from reports.review.candidates.candidate_index import (
            open_index,  # reads strictly, by what the oracles expect: half a second
        )

        candidates = cls(*open_index(paths, cache))
        if not len(candidates):
            reasons = "; ".join(f"{count:,} lines: {reason}" for reason, count in candidates.rejected.items())
            candidates.close()
            shown = ", ".join(map(str, paths))
            raise HarnessError(
                f"{shown}: expected flawed solutions of a mutation stage, found none ({reasons or 'no line'}); make them: {runnable(STAGE_BY_NAME[MUTATION].command)}"
            )
        return candidates

    def __len__(self) -> int:
        """Return the number of candidates."""
        return int(self._rows("SELECT coalesce(sum(total), 0) FROM strata")[0][0])

    def get(self, candidate_id: str) -> Candidate:
        """Return a candidate with its record.

        Raises:
            HarnessError: no candidate has this id, or its file was changed since it was indexed.
        """
        candidate = self.find(candidate_id)
        if candidate is None:
            raise HarnessError(f"candidate {one_line(candidate_id, limit=200)!r}: no candidate has this id")
        return candidate

    def find(self, candidate_id: str) -> Candidate | None:
        """Return a candidate with its record, or `None` if no candidate has this id.

        Raises:
            HarnessError: its file was changed since it was indexed.
        """
        rows = self._rows(
            "SELECT * FROM candidates JOIN strata USING (stratum) JOIN files USING (file) WHERE candidate_id = ?",
            storable(candidate_id),
        )
        return _candidate(rows[0]) if rows else None

    @property
    def files(self) -> list[Path]:
        """Return the files that the candidates stand in."""
        return [Path(row["path"]) for row in self._rows("SELECT path FROM files ORDER BY file")]

    @property
    def strata(self) -> Mapping[Stratum, int]:
        """Return the number of candidates of each stratum, in order."""
        rows = self._rows("SELECT tier, position, error_type, total FROM strata ORDER BY tier, position, error_type")
        return {Stratum(row["tier"], row["position"], row["error_type"]): row["total"] for row in rows}

    @property
    def rejected(self) -> Mapping[str, int]:
        """Return the number of lines that are not candidates, by reason."""
        return {row["reason"]: row["count"] for row in self._rows("SELECT * FROM rejected ORDER BY reason")}

    def values(self, column: str) -> list[str]:
        """Return the values of one of `COLUMNS`, in order, for a filter."""
        if column not in COLUMNS:
            raise HarnessError(f"filter {column!r}: expected one of {', '.join(COLUMNS)}")
        table = "candidates" if column == "operator" else "strata"
        return [row[0] for row in self._rows(f"SELECT DISTINCT {column} FROM {table} ORDER BY 1")]  # noqa: S608  # both are literals of ours

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


def _candidate(row: sqlite3.Row) -> Candidate:
    path = Path(row["path"])
    try:
        if row["body"] is None:
            with path.open("rb") as stream:
                stream.seek(row["offset"])
                line = stream.read(row["length"])
        else:
            line = zlib.decompress(row["body"])
        record = json.loads(line.decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError):
        record = None
    if record is None or version_of(record) != row["version"]:
        raise HarnessError(f"{path}: the file was changed during the review; start the review again")
    names = (field.name for field in fields(Candidate) if field.name not in {"record", "needs_edit"})
    return Candidate(**{name: row[name] for name in names}, record=record, needs_edit=bool(row["needs_edit"]))
