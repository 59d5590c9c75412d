"""Judging a stage without pytest: its problems go in parts to an engine, which is processes of this machine or tasks on a cluster of Ray, and whose lines are kept."""

import gc
import itertools
import json
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from harness.command_line.runnable_commands import optional_packages
from harness.errors import HarnessError
from harness.json_form import MalformedRecordError
from harness.paths import ROOT
from harness.store.progress_line import StageProgress
from properties.engine.stage_run import RARELY, REFUTED, Key, StageRun

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
    """Judge the claims of a part, in any process, and return the lines; whatever fails raises a `HarnessError`, since other errors may not survive pickling."""
    for key in part.keys:
        try:
            part.run.decide(key)
        except Exception as error:
            if isinstance(error, HarnessError) and not isinstance(error, MalformedRecordError):
                raise
            where = traceback.extract_tb(error.__traceback__)[-1]
            message = f"problem {key[1]!r}: {key[0]} {key[2]!r} cannot be judged ({type(error).__name__} in {Path(where.filename).name}:{where.lineno}: {str(error)[:300]}), which is a defect of oracle-factory; verdicts so far are kept; leave the problem out by --exclude FILE with [{json.dumps(key[1])}] into another --out, and report it"
            raise HarnessError(message) from error
    return part.run.part_lines()


def judge_stage(run: StageRun, *, engine: Engine, progress: StageProgress) -> None:
    """Judge all claims of a stage that no earlier session judged, and seal the stage.

    Errors are those of `Engine.judged`, and inputs that cannot be used; verdicts so far are kept, and the next call continues.
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
        message = (
            f"{run.claims.stage.folder}: {missing:,} claims were not judged; the same command continues from there"
        )
        raise HarnessError(message)


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


AHEAD = 3
"""Parts that wait or are judged, per process."""
LOOK = 1.0
"""Seconds between two checks of a process whether its parent is alive."""
ALWAYS = -1
"""How often Ray repeats a task whose machine or process died: without limit."""
_KEPT = "verdicts so far are kept, and the same command continues from there"


def _judged_parts(
    parts: Iterable[StagePart], processes: Callable[[], int], submit: Callable[[StagePart], Future[bytes]]
) -> JudgedParts:
    """Yield each part with its lines when its job has ended, before a job that failed; only a few parts are submitted ahead."""
    jobs: dict[Future[bytes], StagePart] = {}
    parts = iter(parts)
    while True:
        for part in itertools.islice(parts, max(AHEAD * processes() - len(jobs), 0)):
            jobs[submit(part)] = part
        if not jobs:
            return
        ended = wait(jobs, return_when=FIRST_COMPLETED).done
        for job in sorted(ended, key=lambda job: job.exception() is not None):
            yield jobs.pop(job), job.result()


@dataclass(frozen=True, slots=True)
class LocalPool:
    """Judges parts of a stage in a number of processes that are forked from this one."""

    processes: int

    def judged(self, parts: Iterable[StagePart]) -> JudgedParts:
        """Yield the results of the parts, as `Engine.judged` says."""
        # The children share what is loaded; the garbage collector need not look at it again, which would copy it.
        gc.freeze()
        pool = ProcessPoolExecutor(self.processes, multiprocessing.get_context("fork"), _begin, (os.getpid(),))
        try:
            yield from _judged_parts(parts, lambda: self.processes, lambda part: pool.submit(judge_part, part))
        except BrokenProcessPool:
            message = f"a process of the stage died, perhaps because memory ran out; {_KEPT}; --processes {max(self.processes // 2, 1)} needs less memory"
            raise LostProcessError(message) from None
        finally:
            pool.shutdown(cancel_futures=True)
            gc.unfreeze()


def _begin(parent: int) -> None:
    """Begin a process of the pool, which leaves interrupts to its parent and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    gc.set_threshold(*RARELY)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)


@dataclass(frozen=True, slots=True)
class RayCluster:
    """Judges parts of a stage on the cluster at an address; with `None`, on a cluster that it starts on this machine."""

    address: str | None
    processes: int

    def judged(self, parts: Iterable[StagePart]) -> JudgedParts:
        """Yield the results of the parts, as `Engine.judged` says.

        Ray runs a part again where a machine is lost, and a missing Ray or cluster is a `HarnessError`.
        """
        ray = self._connected()
        task = ray.remote(judge_part).options(max_retries=ALWAYS, scheduling_strategy="SPREAD", num_cpus=1)
        try:
            yield from _judged_parts(
                parts,
                lambda: max(int(ray.cluster_resources().get("CPU", 1)), 1),
                lambda part: task.remote(part).future(),
            )
        except ray.exceptions.RayTaskError as error:
            if isinstance(error.cause, HarnessError):
                raise error.cause from None
            raise HarnessError(f"a task of Ray failed: {str(error)[-500:]}") from None
        except ray.exceptions.RayError as error:
            message = f"Ray gave a part up ({type(error).__name__}: {str(error)[:300]}); {_KEPT}"
            raise LostProcessError(message) from None
        finally:
            ray.shutdown()

    def _connected(self) -> Any:
        # Ray sends usage statistics to its makers unless this is set before the import.
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        with optional_packages("--engine ray"):
            import ray  # an extra, which takes a second to import
        paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
        try:
            ray.init(
                address=self.address or "local",
                num_cpus=None if self.address else self.processes,
                include_dashboard=None if self.address else False,
                configure_logging=False,
                log_to_driver=False,
                runtime_env={"env_vars": {"PYTHONPATH": paths}},
            )
        except (ConnectionError, ValueError, RuntimeError, OSError) as error:
            message = f"--engine ray: no cluster answers at {self.address or 'this machine'} ({str(error)[:300]})"
            raise HarnessError(message) from None
        return ray
