"""Candidates for review: what the queue needs to know of each, and the files from which a record is read when it is needed."""

import enum
import gzip
import hashlib
import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError, read_record
from harness.records.provenance import SourceProvenance
from harness.solution.labels import FINAL_ANSWER
from harness.stages import MUTATION, STAGE_BY_NAME
from harness.store.run_folder import RunFolder, dump
from harness.text.characters import one_line, storable
from reports.views.artefacts import command_on

STATE = Path("reviews") / "review.sqlite"
"""The default file of a review."""
CONCEPTUAL, COMPUTATIONAL = "conceptual.jsonl", "computational.jsonl"
ALL = (CONCEPTUAL, COMPUTATIONAL)
COLUMNS = ("tier", "position", "error_type", "operator")
"""The columns that filters offer."""
LONGEST_RECORD = 4_000_000
VERSION_DIGITS = 12


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

    The record is empty until it is read: from the file of the number `file` at `offset`, or from `line`, compressed, where the file is.
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
    provenance: SourceProvenance | None = None
    file: int = 0
    offset: int = 0
    length: int = 0
    line: bytes | None = None
    record: Mapping[str, Any] = field(default_factory=dict)

    @property
    def stratum(self) -> Stratum:
        """Return its stratum."""
        return Stratum(self.tier, self.position, self.error_type)

    @property
    def key(self) -> tuple[str, str]:
        """Return its id and version."""
        return self.candidate_id, self.version

    @property
    def draw(self) -> float:
        """Return a number from 0 to below 1 that depends on the id: two reviewers judge the candidates below the plan's share."""
        return int.from_bytes(hashlib.sha256(self.candidate_id.encode()).digest()[:6], "big") / 2**48


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The candidates of some files without their records, by id and by stratum, there the most plausible first, and why other lines are none."""

    files: Sequence[Path]
    by_id: Mapping[str, Candidate]
    strata: Mapping[Stratum, Sequence[Candidate]]
    rejected: Mapping[str, int]

    @classmethod
    def open(cls, paths: Sequence[Path]) -> Self:
        """Read JSONL files, plain or `.gz`.

        Raises a HarnessError if a file is missing or cannot be read, or none holds a candidate.
        """
        files, by_id, rejected = [path.resolve() for path in paths], dict[str, Candidate](), Counter[str]()
        try:
            for candidate in _candidates(files):
                if isinstance(candidate, UnfitReason):
                    rejected[str(candidate)] += 1
                elif by_id.setdefault(candidate.candidate_id, candidate) is not candidate:
                    rejected[str(UnfitReason.REPEATED)] += 1
        except (OSError, EOFError, zlib.error) as error:
            raise HarnessError(
                f"candidates: {', '.join(map(str, paths))}: cannot be read ({error}); expected JSONL files of flawed solutions"
            ) from None
        if not by_id:
            reasons = "; ".join(f"{count:,} lines: {reason}" for reason, count in sorted(rejected.items()))
            raise HarnessError(
                f"{', '.join(map(str, paths))}: expected flawed solutions of a mutation stage, found none ({reasons or 'no line'}); make them: {runnable(STAGE_BY_NAME[MUTATION].command)}"
            )
        strata: defaultdict[Stratum, list[Candidate]] = defaultdict(list)
        for candidate in sorted(by_id.values(), key=lambda own: (-own.plausibility, tie_of(own.candidate_id))):
            strata[candidate.stratum].append(candidate)
        return cls(files, by_id, strata, dict(sorted(rejected.items())))

    def __len__(self) -> int:
        """Return the number of candidates."""
        return len(self.by_id)

    def current(self, candidate_id: str, version: str) -> Candidate | None:
        """Return a candidate, without its record, if the version is its present one."""
        candidate = self.by_id.get(candidate_id)
        return candidate if candidate is not None and candidate.version == version else None

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
        candidate, record = self.by_id.get(storable(candidate_id)), None
        if candidate is None:
            return None
        path, line = self.files[candidate.file], candidate.line
        try:
            if line is None:
                with path.open("rb") as stream:
                    stream.seek(candidate.offset)
                    line = stream.read(candidate.length)
            else:
                line = zlib.decompress(line)
            record = json.loads(line.decode("utf-8", "replace"))
        except (OSError, ValueError, RecursionError):
            pass  # reported as a change
        if record is None or version_of(record) != candidate.version:
            raise HarnessError(f"{path}: the file was changed during the review; start the review again")
        return replace(candidate, record=record)

    def shortlists(self, length: int) -> list[str]:
        """Return the ids of the `length` most plausible candidates of each stratum, in the order of the files."""
        chosen = {candidate.candidate_id for own in self.strata.values() for candidate in own[:length]}
        return [name for name in self.by_id if name in chosen]


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


def tie_of(text: str) -> int:
    """Return a number that orders equal candidates and strata by their names, at random."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[6:12], "big")


def _candidates(paths: Sequence[Path]) -> Iterator[Candidate | UnfitReason]:
    for file, path in enumerate(paths):
        packed = path.suffix == ".gz"
        with gzip.open(path, "rb") if packed else path.open("rb") as stream:
            for offset, line in _bounded_lines(stream):
                if line is None:
                    yield UnfitReason.TOO_LONG
                elif line.strip():
                    found = _candidate(line)
                    if isinstance(found, Candidate):
                        kept = zlib.compress(line, 1) if packed else None
                        found = replace(found, file=file, offset=offset, length=len(line), line=kept)
                    yield found


def _candidate(line: bytes) -> Candidate | UnfitReason:
    from harness.records.mutation import FlawRecord  # half a second to import

    try:
        form = json.loads(line.decode("utf-8", "replace"))
        record = read_record(FlawRecord, form)
    except MalformedRecordError:
        return UnfitReason.MALFORMED
    except (ValueError, RecursionError):
        return UnfitReason.NO_JSON
    details = record.label.error_details
    lines, label = record.flawed_solution.split("\n"), details.erroneous_line_number
    if not (lines[-1].startswith("####") if label == FINAL_ANSWER else int(label[1:]) <= len(lines)):
        return UnfitReason.NO_SUCH_LINE
    return Candidate(
        candidate_id=storable(record.flaw_id),
        version=version_of(form),
        tier="" if record.tier is None else storable(str(record.tier)),
        position=storable(record.position),
        error_type=str(details.error_type),
        operator=storable(record.operator),
        plausibility=record.plausibility.score,
        needs_edit=record.needs_edit,
        problem_id=storable(record.problem_id),
        provenance=record.provenance,
    )


def _bounded_lines(stream: Any) -> Iterator[tuple[int, bytes | None]]:
    """Yield the offset and the bytes of each line, `None` instead of a line that is too long."""
    offset = 0
    while line := stream.readline(LONGEST_RECORD):
        start, piece, whole = offset, line, True
        while len(piece) == LONGEST_RECORD and not piece.endswith(b"\n"):
            offset += len(piece)
            piece, whole = stream.readline(LONGEST_RECORD), False
        offset += len(piece)
        yield start, line if whole else None
