"""Do the certificates of a file of flawed solutions hold, each from its record alone?

`python -m oracles.recheck FILE` checks the form of each record, its claim by exact evaluation, the claim's queries by a
solver, and that the text says what the certificate and the label say.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from rich.console import Console
from rich.table import Table

from harness.corpora import read_records
from harness.domain import Status
from harness.errors import HarnessError
from harness.labels import ErrorClass, ErrorType
from harness.program.refusal import Reason, Refusal
from oracles.certificates import Certificate, Claim, refutation, side_values
from oracles.edits import edit_between
from oracles.flaw_text import FlawText, text_finding, unread_equations
from oracles.smt import UntranslatableError
from oracles.smtlib import script
from oracles.solvers import Solver, SolverError, SolverName, open_solver
from oracles.written import LONGEST_EXPRESSION, LONGEST_NAME, LONGEST_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future

MOST_SHOWN = 20
LONGEST_SHOWN = 300
MOST_STEPS = 200
LONGEST_TEXT = 100_000
# Records a process takes at a time, and batches that wait for each process: what bounds the memory.
BATCH = 64
WAITING = 3


class _Foreign(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


_Name = Annotated[str, Field(max_length=LONGEST_NAME)]
_Value = Annotated[str, Field(max_length=2 * LONGEST_NUMBER + 2)]
_Code = Annotated[str, Field(max_length=LONGEST_EXPRESSION)]
_Prose = Annotated[str, Field(max_length=LONGEST_TEXT)]
_Line = Annotated[str, Field(pattern=r"^(L[1-9][0-9]{0,4}|FA|)$")]


# JSON has no tuples, which strict validation would ask for.
_Input = Annotated[tuple[_Name, _Value], Field(strict=False)]
_Step = Annotated[tuple[_Line, _Name, _Code], Field(strict=False)]


class _Side(_Foreign):
    inputs: Annotated[list[_Input], Field(max_length=MOST_STEPS)]
    steps: Annotated[list[_Step], Field(max_length=MOST_STEPS)]
    answer: _Name


class _Change(_Foreign):
    line: _Line
    variable: _Name
    before: _Code = Field(alias="from")
    after: _Code = Field(alias="to")


class _Certificate(_Foreign):
    claim: Literal["one-false-equation", "inequivalent-mutant"]
    oracle: _Side
    mutant: _Side | None
    stated: Annotated[dict[_Name, _Value], Field(max_length=MOST_STEPS)]
    change: _Change


class _Details(_Foreign):
    error_type: Annotated[ErrorType, Field(strict=False)]
    error_class: Annotated[ErrorClass, Field(strict=False)]
    erroneous_line_number: Annotated[str, Field(pattern=r"^(L[1-9][0-9]{0,4}|FA)$")]
    explanation: _Prose
    correction: _Prose


class _Label(_Foreign):
    verdict: Literal["Flawed"]
    error_details: _Details


class FlawedRecord(_Foreign):
    """The fields of a flawed solution that its re-check reads."""

    problem_id: _Name
    question: _Prose
    solution: _Prose
    flawed_solution: _Prose
    operator: _Name
    needs_edit: bool
    label: _Label
    certificate: _Certificate


@dataclass(frozen=True, slots=True)
class Judgement:
    """A status, and what it rests on where it is not CONFIRMED."""

    status: Status
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Recheck:
    """The judgement of one record; `unread` counts equals signs of its text that are no readable equation."""

    place: int
    problem_id: str
    claim: str
    status: Status
    reason: str | None = None
    unread: int = 0


def recheck(record: Any, solver: Solver, place: int = 0, folder: Path | None = None) -> Recheck:
    """Judge one record, whatever it is; its script is written to a folder, if one is given."""
    named = record if isinstance(record, dict) else {}
    problem_id, claim = str(named.get("problem_id", "?"))[:LONGEST_NAME], "?"
    try:
        read = FlawedRecord.model_validate(_object(record))
        claim = read.certificate.claim
        certificate = Certificate.of_record(record["certificate"])
        reason = refutation(certificate) or _label_problem(read.label.error_details, certificate)
        if reason is not None:
            return Recheck(place, problem_id, claim, Status.REFUTED, reason)
        unread = unread_equations(read.flawed_solution)
        found = _judged(read, certificate, solver, None if folder is None else folder / f"{place:07d}.smt2")
        return Recheck(place, problem_id, claim, found.status, found.reason, unread)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"]))[:80]
        return Recheck(place, problem_id, claim, Status.REFUTED, f"malformed record: {where}: {first['msg'][:150]}")
    except Refusal as refusal:
        return Recheck(place, problem_id, claim, Status.REFUTED, str(refusal))
    except (UntranslatableError, SolverError) as error:
        return Recheck(place, problem_id, claim, Status.UNKNOWN, str(error))


def _object(record: Any) -> Any:
    if isinstance(record, Exception):
        raise Refusal(Reason.MALFORMED_RECORD, f"no JSON ({str(record)[:100]})")
    return record


def _label_problem(details: _Details, certificate: Certificate) -> str | None:
    """Return what in a label does not fit the claim."""
    if details.error_class is not details.error_type.error_class:
        return f"{details.error_type} is of the class {details.error_type.error_class}, labelled {details.error_class}"
    slip = certificate.claim is Claim.ONE_FALSE_EQUATION
    if slip is not (details.error_class is ErrorClass.COMPUTATIONAL):
        return f"a {details.error_class} is labelled, {certificate.claim} is certified"
    line = certificate.change.line if slip else edit_between(certificate.oracle, certificate.told).told_on
    if line and line != details.erroneous_line_number:
        return f"{details.erroneous_line_number} is labelled, the error is on {line}"
    return None


def _judged(read: FlawedRecord, certificate: Certificate, solver: Solver, path: Path | None) -> Judgement:
    """Judge text and queries of a record whose claim holds by exact evaluation."""
    written = script(certificate)
    if path is not None:
        path.write_text(written.text, encoding="ascii")
    edit = None if certificate.mutant is None else edit_between(certificate.oracle, certificate.mutant)
    line = read.label.error_details.erroneous_line_number
    text = FlawText(read.solution, read.flawed_solution, line, certificate, edit, side_values(certificate.oracle))
    finding = text_finding(text)
    if finding is not None:
        return Judgement(finding.status, finding.reason)
    if not certificate.change.line:
        return Judgement(Status.UNKNOWN, "the changed step names no line of the text")
    for query, answer in zip(written.queries, solver.answers(written), strict=True):
        if answer != query.expect:
            status = Status.UNKNOWN if answer == "unknown" else Status.REFUTED
            return Judgement(status, f"the solver says {answer} where {query.expect} shows that {query.claim}")
    return Judgement(Status.CONFIRMED)


@dataclass(slots=True)
class Tally:
    """What a file's records came to: counts by claim and status, and the first that were not confirmed."""

    counts: Counter[tuple[str, Status]] = field(default_factory=Counter)
    unread: int = 0
    shown: list[Recheck] = field(default_factory=list)

    def add(self, found: Recheck) -> None:
        """Count one record."""
        self.counts[found.claim, found.status] += 1
        self.unread += found.unread
        if found.status is not Status.CONFIRMED and len(self.shown) < MOST_SHOWN:
            self.shown.append(found)

    @property
    def confirmed(self) -> bool:
        """Tell whether there were records and each was confirmed."""
        return bool(self.counts) and all(status is Status.CONFIRMED for _, status in self.counts)


def recheck_file(path: Path, name: SolverName, *, jobs: int = 1, folder: Path | None = None) -> Iterator[Recheck]:
    """Judge the records of a JSONL file, plain or `.gz`, in order; memory does not grow with their number.

    Raises:
        HarnessError: the file cannot be read.
    """
    records = read_records(path)
    if jobs <= 1:
        solver = open_solver(name)
        yield from (recheck(record, solver, place, folder) for place, record in records)
        return
    with ProcessPoolExecutor(jobs, initializer=_open, initargs=(name, folder)) as pool:
        waiting: deque[Future[list[Recheck]]] = deque()
        while batch := list(itertools.islice(records, BATCH)):
            # What JSON refuses is told by its text: not every error can be sent to another process.
            waiting.append(pool.submit(_batch, [(place, _sendable(record)) for place, record in batch]))
            if len(waiting) >= WAITING * jobs:
                yield from waiting.popleft().result()
        for future in waiting:
            yield from future.result()


def _sendable(record: Any) -> Any:
    return ValueError(str(record)[:100]) if isinstance(record, Exception) else record


_WORKER: dict[str, Any] = {}


def _open(name: SolverName, folder: Path | None) -> None:
    _WORKER.update(solver=open_solver(name), folder=folder)


def _batch(records: list[tuple[int, Any]]) -> list[Recheck]:
    return [recheck(record, _WORKER["solver"], place, _WORKER["folder"]) for place, record in records]


def main(arguments: Sequence[str] | None = None) -> int:
    """Re-check a file and print what was found.

    Returns:
        0 where every record is confirmed, 1 where one is not or there is none, 2 where the file cannot be read.
    """
    options = _parser().parse_args(arguments)
    console, tally = Console(highlight=False), Tally()
    try:
        if options.smtlib is not None:
            options.smtlib.mkdir(parents=True, exist_ok=True)
        for found in recheck_file(options.file, options.solver, jobs=options.jobs, folder=options.smtlib):
            tally.add(found)
    except (HarnessError, OSError) as error:
        sys.stderr.write(f"recheck: {_one_line(str(error))}\n")
        return 2
    _print(tally, console)
    return 0 if tally.confirmed else 1


def _print(tally: Tally, console: Console) -> None:
    table = Table("claim", *(status.name for status in reversed(Status)))
    for claim in sorted({claim for claim, _ in tally.counts}):
        table.add_row(claim, *(f"{tally.counts[claim, status]:,}" for status in reversed(Status)))
    console.print(table)
    total = sum(tally.counts.values())
    if not total:
        console.print("the file holds no record")
    if tally.unread:
        console.print(f"{tally.unread:,} equals signs in the texts are no readable equation")
    for found in tally.shown:
        text = f"{found.status.name} line {found.place}, {found.problem_id}, {found.claim}: {found.reason}"
        console.print(_one_line(text), markup=False, soft_wrap=True)
    more = sum(count for (_, status), count in tally.counts.items() if status is not Status.CONFIRMED)
    if more > len(tally.shown):
        console.print(f"… and {more - len(tally.shown):,} more")


def _one_line(text: str) -> str:
    """Return the beginning of a text without what a terminal would obey."""
    shown = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text[:LONGEST_SHOWN])
    return shown + ("…" if len(text) > LONGEST_SHOWN else "")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m oracles.recheck",
        description="Check the certificates of flawed solutions again, by a solver of your choice.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="JSONL of flawed solutions, plain or .gz")
    parser.add_argument("--solver", type=SolverName, choices=list(SolverName), default=SolverName.Z3)
    parser.add_argument("--smtlib", metavar="DIR", type=Path, help="write each record's script to DIR/LINE.smt2")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes, 1 by default")
    return parser


if __name__ == "__main__":
    # A terminal that lacks a character shows its escape; the check goes on.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # both are text streams
    sys.exit(main())
