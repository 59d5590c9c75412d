"""The re-check of files of flawed solutions and problem variants.

Each record is checked against its certificate and its text, made again from its facts, and compared with the records around it, with the
oracles of its run, and with its problem in the corpus.
"""

import itertools
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from rich.console import Console
from rich.table import Table

from harness.corpora.problems import read_records
from harness.domain import Status
from harness.errors import HarnessError
from harness.json_form import LONGEST_NAME
from harness.text.characters import one_line
from oracles.proofs.file_consistency import FileConsistency, manifest_problem
from oracles.proofs.record_check import RecordResult, check_record
from oracles.proofs.solvers import Solver, SolverName, open_solver
from properties.recheck.diagnosed_solutions import DatasetRecheck
from properties.recheck.reference_records import CorpusProblems, RunOracles
from properties.recheck.reproduction import judge_reproduction
from sft.diagnosis.oracle_sources import OracleSource

LONGEST_SHOWN = 300
MOST_SHOWN = 20
BATCH, WAITING = 64, 10
"""Records that a process takes at a time, and batches of each process that are read ahead: they bound the memory."""


@dataclass(frozen=True, slots=True)
class RecordRecheck:
    """Judges records one after the other: by themselves, and by making them again; scripts are written to a folder, if one is given."""

    solver: Solver
    folder: Path | None = None

    @classmethod
    def of(cls, name: SolverName, folder: Path | None = None) -> Self:
        """Return the re-check by a solver; what is made again is certified by z3, as a stage certifies it."""
        return cls(open_solver(name), folder)

    def result(self, record: Any, place: int = 0, against: str | None = None) -> RecordResult:
        """Judge one record of any form; `against` is where it does not agree with its file, its run or its corpus."""
        result = check_record(record, self.solver, place, self.folder)
        if against is not None and result.status is not Status.REFUTED:
            return replace(result, status=Status.REFUTED, reason=against)
        if result.status is not Status.CONFIRMED:
            return result
        again = judge_reproduction(record)
        return replace(result, status=again.status, reason=again.reason)


def recheck_file(
    path: Path,
    name: SolverName,
    *,
    jobs: int = 1,
    folder: Path | None = None,
    corpus: CorpusProblems | None = None,
    run: Path | None = None,
) -> Iterator[RecordResult]:
    """Judge the records of a JSONL file, plain or `.gz`, in order, each against its problem where a corpus is given.

    Those of a data set of diagnosed solutions are judged against the oracles of a run, where one is given. Memory does not grow with
    the number of records. A file that cannot be read raises a `HarnessError`.
    """
    dataset = DatasetRecheck.of(path, corpus, None if run is None else OracleSource.of_run(run))
    if dataset is not None:
        yield from dataset.results()
        return
    if run is not None:
        message = f"{path}: --oracles is for data sets of diagnosed solutions; a flaw or variant lies in its run"
        raise HarnessError(message)
    oracles = reason = None
    try:
        reason = manifest_problem(path)
        oracles = RunOracles.beside(path)
    except OSError:
        pass  # reading the records says why
    except HarnessError as error:
        reason = reason or str(error)
    if reason is not None:
        yield RecordResult(0, path.name[:LONGEST_NAME], "file", Status.REFUTED, reason)
    consistency, references = FileConsistency(path.name), [known for known in (oracles, corpus) if known is not None]

    def problem(place: int, record: Any) -> str | None:
        others = (known.problem(record) for known in references)
        return consistency.problem(place, record) or next(filter(None, others), None)

    records = ((record, place, problem(place, record)) for place, record in read_records(path))
    if jobs <= 1:
        yield from itertools.starmap(RecordRecheck.of(name, folder).result, records)
        return
    with ProcessPoolExecutor(jobs, initializer=_open_worker, initargs=(name, folder)) as pool:
        while waiting := [list(record) for record in itertools.islice(records, BATCH * WAITING * jobs)]:
            for given in waiting:
                if isinstance(given[0], Exception):  # not every error of JSON can be sent to another process
                    given[0] = ValueError(str(given[0])[:100])
            yield from pool.map(_worker_result, waiting, chunksize=BATCH)


_WORKER: list[RecordRecheck] = []


def _open_worker(name: SolverName, folder: Path | None) -> None:
    _WORKER.append(RecordRecheck.of(name, folder))


def _worker_result(given: list[Any]) -> RecordResult:
    return _WORKER[0].result(*given)


def print_recheck(
    path: Path, name: SolverName, *, jobs: int, folder: Path | None, corpus: str | None, run: Path | None = None
) -> int:
    """Print the results of a file by claim, and the first records that are not confirmed.

    Return 0 if all of one or more are, else 1. Errors as in `recheck_file`.
    """
    problems = None if corpus is None else CorpusProblems.of(corpus)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    counts, doubtful, unread = Counter[tuple[str, Status]](), list[RecordResult](), 0
    for result in recheck_file(path, name, jobs=jobs, folder=folder, corpus=problems, run=run):
        counts[result.claim, result.status] += 1
        unread += result.unread
        if result.status is not Status.CONFIRMED and len(doubtful) < MOST_SHOWN:
            doubtful.append(result)
    console, table = Console(highlight=False), Table("claim", *(status.name for status in reversed(Status)))
    for claim in sorted({claim for claim, _ in counts}):
        table.add_row(claim, *(f"{counts[claim, status]:,}" for status in reversed(Status)))
    console.print(table)
    if not counts:
        console.print("the file holds no record")
    if unread:
        console.print(
            f"{unread:,} equals signs in the texts belong to no equation that can be read; they are counted, not checked"
        )
    for found in doubtful:
        text = f"{found.status.name} line {found.place}, {found.problem_id}, {found.claim}: {found.reason}"
        console.print(one_line(text, limit=LONGEST_SHOWN), markup=False, soft_wrap=True)
    unconfirmed = sum(count for (_, status), count in counts.items() if status is not Status.CONFIRMED)
    if unconfirmed > len(doubtful):
        console.print(f"… and {unconfirmed - len(doubtful):,} more")
    return 0 if counts and not unconfirmed else 1
