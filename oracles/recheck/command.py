"""The command that re-checks the certificates of flawed solutions and problem variants from their records alone.

`python -m oracles.recheck.command FILE` checks the form of each record, its claim by exact evaluation, the queries of the claim by a
solver, and the agreement of the text with the certificate and the label.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from rich.console import Console
from rich.table import Table

from harness.corpora.problems import read_records
from harness.domain import Status
from harness.errors import HarnessError
from harness.program.refusal import Refusal
from oracles.certificates.record_fields import json_object
from oracles.certificates.solvers import Solver, SolverError, SolverName, open_solver
from oracles.certificates.value_parser import LONGEST_NAME
from oracles.equivalence.smt import UntranslatableError
from oracles.recheck.flaw_record import FlawedRecord, judge_flaw
from oracles.recheck.judgement import Judgement
from oracles.recheck.variant_record import VariantRecord, judge_variant

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future

MOST_SHOWN = 20
LONGEST_SHOWN = 300
# Records a process takes at a time, and batches that wait for each process: what bounds the memory.
BATCH = 64
WAITING = 3


@dataclass(frozen=True, slots=True)
class RecheckResult:
    """The judgement of one record; `unread` counts equals signs of its text that are no readable equation."""

    place: int
    problem_id: str
    claim: str
    status: Status
    reason: str | None = None
    unread: int = 0


def recheck(record: Any, solver: Solver, place: int = 0, folder: Path | None = None) -> RecheckResult:
    """Judge one record, whatever it is; its script is written to a folder, if one is given."""
    named = record if isinstance(record, dict) else {}
    problem_id, claim = str(named.get("problem_id", "?"))[:LONGEST_NAME], "?"
    path = None if folder is None else folder / f"{place:07d}.smt2"
    try:
        read = (VariantRecord if "class_label" in named else FlawedRecord).model_validate(json_object(record))
        claim = read.claim
        found = _judged(read, record, solver, path)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"]))[:80]
        found = Judgement(Status.REFUTED, f"malformed record: {where}: {first['msg'][:150]}")
    except Refusal as refusal:
        found = Judgement(Status.REFUTED, str(refusal))
    except (UntranslatableError, SolverError) as error:
        found = Judgement(Status.UNKNOWN, str(error))
    return RecheckResult(place, problem_id, claim, found.status, found.reason, found.unread)


def _judged(read: FlawedRecord | VariantRecord, record: Any, solver: Solver, path: Path | None) -> Judgement:
    if isinstance(read, VariantRecord):
        return judge_variant(read, record, solver, path)
    return judge_flaw(read, record, solver, path)


@dataclass(slots=True)
class RecheckCounts:
    """What a file's records came to: counts by claim and status, and the first that were not confirmed."""

    counts: Counter[tuple[str, Status]] = field(default_factory=Counter)
    unread: int = 0
    shown: list[RecheckResult] = field(default_factory=list)

    def add(self, found: RecheckResult) -> None:
        """Count one record."""
        self.counts[found.claim, found.status] += 1
        self.unread += found.unread
        if found.status is not Status.CONFIRMED and len(self.shown) < MOST_SHOWN:
            self.shown.append(found)

    @property
    def confirmed(self) -> bool:
        """Tell whether there were records and each was confirmed."""
        return bool(self.counts) and all(status is Status.CONFIRMED for _, status in self.counts)


def recheck_file(path: Path, name: SolverName, *, jobs: int = 1, folder: Path | None = None) -> Iterator[RecheckResult]:
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
        waiting: deque[Future[list[RecheckResult]]] = deque()
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


def _batch(records: list[tuple[int, Any]]) -> list[RecheckResult]:
    return [recheck(record, _WORKER["solver"], place, _WORKER["folder"]) for place, record in records]


def main(arguments: Sequence[str] | None = None) -> int:
    """Re-check a file and print what was found.

    Returns:
        0 where every record is confirmed, 1 where one is not or there is none, 2 where the file cannot be read.
    """
    options = _parser().parse_args(arguments)
    console, tally = Console(highlight=False), RecheckCounts()
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


def _print(tally: RecheckCounts, console: Console) -> None:
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
        prog="python -m oracles.recheck.command",
        description="Check the certificates of flawed solutions or problem variants again, by a solver of your choice.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="JSONL of flawed solutions or variants, plain or .gz")
    parser.add_argument("--solver", type=SolverName, choices=list(SolverName), default=SolverName.Z3)
    parser.add_argument("--smtlib", metavar="DIR", type=Path, help="write each record's script to DIR/LINE.smt2")
    parser.add_argument("--jobs", metavar="N", type=int, default=1, help="processes, 1 by default")
    return parser


if __name__ == "__main__":
    # A terminal that lacks a character shows its escape; the check goes on.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # both are text streams
    sys.exit(main())
