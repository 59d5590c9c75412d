"""Candidates for review: what the queue needs to know of each, and the files from which a record is read when it is needed."""

import enum
import gzip
import hashlib
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from heapq import nsmallest
from pathlib import Path
from typing import Any, Self

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, read_record
from harness.solution.labels import FINAL_ANSWER
from harness.stages import MUTATION, STAGE_BY_NAME
from harness.store.run_folder import RunFolder, dump
from harness.text.characters import one_line
from reports.views.stage_command import command_on

STATE = Path("reviews") / "review.sqlite"
"""The default file of a review."""
CONCEPTUAL, COMPUTATIONAL = "conceptual.jsonl", "computational.jsonl"
ALL = (CONCEPTUAL, COMPUTATIONAL)
COLUMNS = ("tier", "position", "error_type", "operator")
"""The columns that filters offer."""
LONGEST_RECORD = 4_000_000
VERSION_DIGITS = 12

Row = dict[str, Any]
"""What the queue needs to know of a candidate, and the place of its line: `file`, `offset` and `length`, or the line in `body`."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The candidates of some files: the rows by id, the number of each stratum's, and why other lines are not candidates."""

    files: Sequence[Path]
    rows: Mapping[str, Row]
    strata: Mapping[Stratum, int]
    rejected: Mapping[str, int]

    @classmethod
    def open(cls, paths: Sequence[Path]) -> Self:
        """Read JSONL files, plain or `.gz`.

        Raises a HarnessError if a file is missing or cannot be read, or none holds a candidate.
        """
        files, rows, rejected = [path.resolve() for path in paths], dict[str, Row](), Counter[str]()
        try:
            for row in _rows(files):
                if isinstance(row, UnfitReason):
                    rejected[str(row)] += 1
                elif rows.setdefault(row["candidate_id"], row) is not row:
                    rejected[str(UnfitReason.REPEATED)] += 1
        except (OSError, EOFError, zlib.error) as error:
            raise HarnessError(
                f"candidates: {', '.join(map(str, paths))}: cannot be read ({error}); expected JSONL files of flawed solutions"
            ) from None
        if not rows:
            reasons = "; ".join(f"{count:,} lines: {reason}" for reason, count in sorted(rejected.items()))
            raise HarnessError(
                f"{', '.join(map(str, paths))}: expected flawed solutions of a mutation stage, found none ({reasons or 'no line'}); make them: {runnable(STAGE_BY_NAME[MUTATION].command)}"
            )
        return cls(files, rows, Counter(map(stratum_of, rows.values())), dict(sorted(rejected.items())))

    def __len__(self) -> int:
        """Return the number of candidates."""
        return len(self.rows)

    def get(self, candidate_id: str) -> Candidate:
        """Return a candidate with its record; as `find`, and a HarnessError if no candidate has this id."""
        candidate = self.find(candidate_id)
        if candidate is None:
            raise HarnessError(f"candidate {one_line(candidate_id, limit=200)!r}: no candidate has this id")
        return candidate

    def find(self, candidate_id: str) -> Candidate | None:
        """Return a candidate with its record, or `None` if no candidate has this id.

        Raises a HarnessError if its file was changed since it was read.
        """
        row = self.rows.get(storable(candidate_id))
        if row is None:
            return None
        path, record = self.files[row["file"]], None
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
        return Candidate(
            **{own.name: row[own.name] for own in fields(Candidate) if own.name != "record"}, record=record
        )

    def shortlists(self, length: int) -> list[str]:
        """Return the ids of the `length` most plausible candidates of each stratum."""
        strata: defaultdict[Stratum, list[Row]] = defaultdict(list)
        for row in self.rows.values():
            strata[stratum_of(row)].append(row)
        best = (nsmallest(length, own, key=lambda row: (-row["plausibility"], row["tie"])) for own in strata.values())
        chosen = {row["candidate_id"] for own in best for row in own}
        return [name for name in self.rows if name in chosen]


def stratum_of(row: Row) -> Stratum:
    """Return the stratum of a candidate."""
    return Stratum(row["tier"], row["position"], row["error_type"])


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


def tie_of(text: str) -> int:
    """Return a number that orders equal candidates and strata by their names, at random."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[6:12], "big")


def _rows(paths: Sequence[Path]) -> Iterator[Row | UnfitReason]:
    """Yield the row of each candidate, or why a line is not one; a line of a compressed file, which has no offset, is kept."""
    for file, path in enumerate(paths):
        packed = path.suffix == ".gz"
        with gzip.open(path, "rb") if packed else path.open("rb") as stream:
            for offset, line in _lines(stream):
                if line is None:
                    yield UnfitReason.TOO_LONG
                elif line.strip():
                    row = _row(line)
                    if isinstance(row, dict):
                        body = zlib.compress(line, 1) if packed else None
                        row |= {"file": file, "offset": offset, "length": len(line), "body": body}
                    yield row


def _row(line: bytes) -> Row | UnfitReason:
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
    return {
        "candidate_id": name,
        "version": version_of(form),
        "tier": "" if record.tier is None else storable(str(record.tier)),
        "position": storable(record.position),
        "error_type": str(details.error_type),
        "operator": storable(record.operator),
        "plausibility": record.plausibility.score,
        "needs_edit": record.needs_edit,
        "problem_id": storable(record.problem_id),
        "clique": provenance and provenance.clique_size,
        "confidence": provenance and provenance.confidence,
        "p_right": provenance and provenance.p_right,
        "draw": int.from_bytes(hashlib.sha256(name.encode()).digest()[:6], "big") / 2**48,
        "tie": tie_of(name),
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
