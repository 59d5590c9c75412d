"""Judging a stage without pytest: its problems go in parts to the processes of an engine, whose results are kept."""

from __future__ import annotations

import json
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from harness.domain import Status
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError
from harness.store.run_folder import dump

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from properties.engine.inputs import SessionInputs
    from properties.engine.stage_run import Key, StageRecords, StageRun

LARGEST_PART, PARTS = 32, 256
"""The most problems of a part, and the number of parts that few problems are divided into."""

REFUTED = dump({"status": Status.REFUTED.name})[1:-1].encode()
"""The text that marks the line of a refuted claim; in a model's text its quotes would be escaped."""

MOST_PREPARED = 20_000
"""The most problems for which one process embeds all texts; with more, each part embeds its own, so that no process holds all."""


class StageObserver(Protocol):
    """A receiver of the progress of a stage."""

    def began(self, total: int) -> None:
        """Take the number of problems to judge."""

    def advanced(self, count: int, *, findings: int) -> None:
        """Take the number of further problems that are judged, and of their refuted claims."""


@dataclass(frozen=True, slots=True)
class StagePart:
    """Some problems of a stage with their answers, and the claims about them that are not judged yet."""

    run: StageRun
    keys: tuple[Key, ...]
    problems: int

    def judged(self) -> StageRecords:
        """Judge the claims, in any process.

        Raises:
            HarnessError: a claim could not be judged; errors of other types may not survive pickling.
        """
        self.run.load()
        try:
            for key in self.keys:
                self._decide(key)
        finally:
            self.run.close()
        return self.run.part_records()

    def _decide(self, key: Key) -> None:
        try:
            self.run.decide(key)
        except Exception as error:
            if isinstance(error, HarnessError) and not isinstance(error, MalformedRecordError):
                raise
            where = traceback.extract_tb(error.__traceback__)[-1]
            message = f"problem {key[1]!r}: {key[0]} {key[2]!r} cannot be judged ({type(error).__name__} in {Path(where.filename).name}:{where.lineno}: {str(error)[:300]}), which is a defect of oracle-factory; verdicts so far are kept; leave the problem out by --exclude FILE with [{json.dumps(key[1])}] into another --out, and report it"
            raise HarnessError(message) from error


class LostProcessError(HarnessError):
    """The processes of an engine died, and it starts no others."""


class Engine(Protocol):
    """Processes that judge parts of a stage, on one machine or many."""

    def records(self, parts: Iterable[StagePart]) -> Iterator[tuple[StagePart, StageRecords]]:
        """Yield the results of the parts, in any order; only a few parts are taken ahead of their results.

        Raises:
            HarnessError: a claim could not be judged, or the processes died (`LostProcessError`); the results yielded
                before are complete.
        """
        ...


def judge_stage(
    open_run: Callable[[SessionInputs], StageRun],
    inputs: SessionInputs,
    *,
    engine: Engine,
    observer: StageObserver,
) -> StageRun:
    """Judge all claims of a stage that no earlier session judged, seal the stage, and return it.

    Raises:
        HarnessError: as `Engine.records` says, or the inputs cannot be used; verdicts so far are kept, and the next
            call continues.
    """
    run = open_run(inputs)
    run.begin(None)
    if not run.claims.stage.sealed:
        problem_ids = run.problem_ids()
        if len(problem_ids) <= MOST_PREPARED:
            run.prepare()
        observer.began(len(problem_ids))
        try:
            for part, records in engine.records(parts(run, problem_ids, observer)):
                run.keep(records)
                observer.advanced(part.problems, findings=records.verdicts.count(REFUTED))
        except LostProcessError as error:
            raise HarnessError(f"{run.claims.stage.folder}: {error}") from None
    if missing := run.finish():
        raise HarnessError(
            f"{run.claims.stage.folder}: {missing:,} claims were not judged; the same command continues from there"
        )
    return run


def parts(run: StageRun, problem_ids: list[str], observer: StageObserver) -> Iterator[StagePart]:
    """Yield the parts of a stage that have a claim which is not judged yet."""
    size = min(max(len(problem_ids) // PARTS, 1), LARGEST_PART)
    for start in range(0, len(problem_ids), size):
        wanted = problem_ids[start : start + size]
        part = run.part(wanted)
        left = tuple(key for key in part.expected() if key not in run.claims.known)
        if left:
            yield StagePart(part, left, len(wanted))
        else:
            known = (run.claims.known[key] for key in part.expected())
            observer.advanced(len(wanted), findings=sum(REFUTED.decode() in line for line in known))
