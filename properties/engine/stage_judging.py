"""Judging a stage without pytest: its problems go in parts to the processes of an engine, whose lines are kept."""

import json
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from harness.errors import HarnessError
from harness.json_form import MalformedRecordError
from harness.store.stage_progress import StageProgress
from properties.engine.stage_run import REFUTED, Key, StageRun

LARGEST_PART, PARTS = 32, 256
"""The most problems of a part, and the number of parts that few problems are divided into."""
MOST_PREPARED = 20_000
"""The most problems for which one process embeds all texts; with more, each part embeds its own, so that no process holds all."""


@dataclass(frozen=True, slots=True)
class StagePart:
    """Some problems of a stage with their answers, and the claims about them that are not judged yet."""

    run: StageRun
    keys: tuple[Key, ...]
    problems: int


JudgedParts = Iterator[tuple[StagePart, bytes]]


class LostProcessError(HarnessError):
    """The processes of an engine died, and it starts no others."""


class Engine(Protocol):
    """Processes that judge parts of a stage, on one machine or many."""

    def judged(self, parts: Iterable[StagePart]) -> JudgedParts:
        """Yield the parts with their lines, in any order; only a few parts are taken ahead of their results.

        Raises:
            HarnessError: a claim could not be judged, or the processes died (`LostProcessError`); the results yielded
                before are complete.
        """
        ...


def judge_part(part: StagePart) -> bytes:
    """Judge the claims of a part, in any process; return the lines.

    Raises:
        HarnessError: a claim could not be judged; errors of other types may not survive pickling.
    """
    try:
        for key in part.keys:
            try:
                part.run.decide(key)
            except Exception as error:
                if isinstance(error, HarnessError) and not isinstance(error, MalformedRecordError):
                    raise
                where = traceback.extract_tb(error.__traceback__)[-1]
                message = f"problem {key[1]!r}: {key[0]} {key[2]!r} cannot be judged ({type(error).__name__} in {Path(where.filename).name}:{where.lineno}: {str(error)[:300]}), which is a defect of oracle-factory; verdicts so far are kept; leave the problem out by --exclude FILE with [{json.dumps(key[1])}] into another --out, and report it"
                raise HarnessError(message) from error
    finally:
        part.run.close()
    return part.run.part_lines()


def judge_stage(run: StageRun, *, engine: Engine, progress: StageProgress) -> None:
    """Judge all claims of a stage that no earlier session judged, and seal the stage.

    Raises:
        HarnessError: as `Engine.judged` says, or the inputs cannot be used; verdicts so far are kept, and the next
            call continues.
    """
    run.begin(None)
    if not run.claims.stage.sealed:
        problem_ids = run.problem_ids()
        if len(problem_ids) <= MOST_PREPARED:
            run.prepare()
        progress.began(len(problem_ids))
        try:
            for part, lines in engine.judged(parts(run, problem_ids, progress)):
                run.claims.shard.write(lines)
                progress.advanced(part.problems, findings=lines.count(REFUTED.encode()))
        except LostProcessError as error:
            raise HarnessError(f"{run.claims.stage.folder}: {error}") from None
    if missing := run.finish():
        raise HarnessError(
            f"{run.claims.stage.folder}: {missing:,} claims were not judged; the same command continues from there"
        )


def parts(run: StageRun, problem_ids: list[str], progress: StageProgress) -> Iterator[StagePart]:
    """Yield the parts of a stage that have a claim which is not judged yet."""
    size = min(max(len(problem_ids) // PARTS, 1), LARGEST_PART)
    for start in range(0, len(problem_ids), size):
        wanted = problem_ids[start : start + size]
        part = run.part(wanted)
        keys = list(part.expected())
        known = [run.claims.known(key[1]).get(key) for key in keys]
        if left := tuple(key for key, line in zip(keys, known, strict=True) if line is None):
            yield StagePart(part, left, len(wanted))
        else:
            progress.advanced(len(wanted), findings=sum(REFUTED in (line or "") for line in known))
