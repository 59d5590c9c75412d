"""The re-check of the certificates of flawed solutions and problem variants, from their records alone.

It checks the form of each record, its claim by exact evaluation, the queries of the claim by a solver, and the agreement of the text
with the certificate and the label.
"""

from __future__ import annotations

import itertools
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from harness.corpora.problems import read_records
from harness.domain import Status
from harness.errors import HarnessError
from harness.json_form import LONGEST_NAME, MalformedRecordError, read_record
from harness.program.refusal import Refusal, RefusalReason
from harness.records.variant import RECHECKED as VARIANT_FIELDS, VariantRecord
from harness.text.characters import one_line
from oracles.certificates.solvers import Solver, SolverError, SolverName, open_solver
from oracles.equivalence.provers.translation_error import UntranslatableError
from oracles.recheck.file_consistency import FileConsistency, manifest_problem
from oracles.recheck.flaws.flaw_record import claim_of_flaw, judge_flaw
from oracles.recheck.judgement import Judgement
from oracles.recheck.source_provenance import RunOracles
from oracles.recheck.variants.variant_record import claim_of, judge_variant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from oracles.recheck.corpus_problems import CorpusProblems

MOST_SHOWN = 20
# Records that a process takes at a time, and batches that wait for each process: they bound the memory.
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
    """Judge one record of any form; its script is written to a folder, if one is given."""
    named = record if isinstance(record, dict) else {}
    problem_id, claim = str(named.get("problem_id", "?"))[:LONGEST_NAME], "?"
    path = None if folder is None else folder / f"{place:07d}.smt2"
    if isinstance(record, Exception):
        refusal = Refusal(RefusalReason.MALFORMED_RECORD, f"no JSON ({str(record)[:100]})")
        return RecheckResult(place, problem_id, claim, Status.REFUTED, str(refusal))
    try:
        if "class_label" in named:
            variant = read_record(VariantRecord, record, fields=VARIANT_FIELDS)
            claim = claim_of(variant)
            found = judge_variant(variant, record, solver, path)
        else:
            claim = claim_of_flaw(record)
            found = judge_flaw(record, solver, path)
    except MalformedRecordError as error:
        field, expected = one_line(error.field, limit=80) or "the record", one_line(error.expected, limit=150)
        found = Judgement(Status.REFUTED, f"malformed record: {field}: {expected}; found {error.found}")
    except Refusal as refusal:
        found = Judgement(Status.REFUTED, str(refusal))
    except (UntranslatableError, SolverError) as error:
        found = Judgement(Status.UNKNOWN, str(error))
    return RecheckResult(place, problem_id, claim, found.status, found.reason, found.unread)


@dataclass(slots=True)
class RecheckCounts:
    """The results of a file's records: counts by claim and status, and the first that were not confirmed."""

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


def recheck_file(
    path: Path, name: SolverName, *, jobs: int = 1, folder: Path | None = None, corpus: CorpusProblems | None = None
) -> Iterator[RecheckResult]:
    """Judge the records of a JSONL file, plain or `.gz`, in order, each against its problem where a corpus is given.

    Memory does not grow with the number of records.

    Raises:
        HarnessError: the file cannot be read.
    """
    reason = _manifest_problem(path)
    oracles = None
    try:
        oracles = RunOracles.beside(path)
    except HarnessError as error:
        reason = reason or str(error)
    if reason is not None:
        yield RecheckResult(0, path.name[:LONGEST_NAME], "file", Status.REFUTED, reason)
    consistency = FileConsistency(path.name, oracles, corpus)
    records = ((place, record, consistency.problem(place, record)) for place, record in read_records(path))
    if jobs <= 1:
        solver = open_solver(name)
        yield from (_consistent(recheck(record, solver, place, folder), problem) for place, record, problem in records)
        return
    with ProcessPoolExecutor(jobs, initializer=_open, initargs=(name, folder)) as pool:
        waiting: deque[tuple[Future[list[RecheckResult]], list[str | None]]] = deque()
        while batch := list(itertools.islice(records, BATCH)):
            # Errors of JSON are passed as text: not every error can be sent to another process.
            sent = [(place, _sendable(record)) for place, record, _ in batch]
            waiting.append((pool.submit(_batch, sent), [problem for _, _, problem in batch]))
            if len(waiting) >= WAITING * jobs:
                yield from _results(*waiting.popleft())
        for future, problems in waiting:
            yield from _results(future, problems)


def _manifest_problem(path: Path) -> str | None:
    try:
        return manifest_problem(path)
    except OSError:
        # Reading the records says why.
        return None


def _results(future: Future[list[RecheckResult]], problems: list[str | None]) -> Iterator[RecheckResult]:
    return map(_consistent, future.result(), problems)


def _consistent(result: RecheckResult, problem: str | None) -> RecheckResult:
    """Return the result of a record, refuted where it does not agree with another record of its file."""
    if problem is None or result.status is not Status.CONFIRMED:
        return result
    return replace(result, status=Status.REFUTED, reason=problem)


def _sendable(record: Any) -> Any:
    return ValueError(str(record)[:100]) if isinstance(record, Exception) else record


_WORKER: dict[str, Any] = {}


def _open(name: SolverName, folder: Path | None) -> None:
    _WORKER.update(solver=open_solver(name), folder=folder)


def _batch(records: list[tuple[int, Any]]) -> list[RecheckResult]:
    return [recheck(record, _WORKER["solver"], place, _WORKER["folder"]) for place, record in records]
