"""A stage judged by a pool of processes, without pytest: the claims of a problem go to one process, round by round."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from harness.errors import HarnessError
from harness.json_form import MalformedRecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from properties.engine.inputs import SessionInputs
    from properties.engine.stage_run import Key, StageRun

RARELY = (20_000, 10, 5)
"""Thresholds of the garbage collector: a stage makes hardly any cycles, and looking for them takes a tenth of its time."""
BATCH = 4
"""Problems that are handed to a process at once."""
LOOK = 1.0
"""Seconds between two looks of a process at whether its parent lives."""


class StageObserver(Protocol):
    """What is told how far a stage is."""

    def began(self, total: int) -> None:
        """Hear how many problems, each counted once a round, are to be judged."""

    def advanced(self, count: int) -> None:
        """Hear that so many more problems are judged."""


def judge_stage(
    open_run: Callable[[SessionInputs], StageRun],
    inputs: SessionInputs,
    *,
    processes: int,
    observer: StageObserver,
) -> StageRun:
    """Judge all claims of a stage that no earlier session judged, seal the stage, and return it.

    Raises:
        HarnessError: a process died or the inputs cannot be used; what was judged is kept, and the next call goes on.
    """
    run = open_run(inputs)
    run.begin(None)
    left = [key for key in run.expected() if key not in run.claims.known]
    if left and not run.claims.stage.sealed:
        _judge(run, _rounds(run, left), processes, observer)
    outcome = run.finish()
    if outcome.missing:
        raise HarnessError(
            f"{run.claims.stage.folder}: {outcome.missing:,} claims were not judged; the same command goes on from here"
        )
    return run


def _rounds(run: StageRun, keys: Sequence[Key]) -> list[list[list[Key]]]:
    """Return the claims of each problem, by round."""
    rounds: defaultdict[int, defaultdict[str, list[Key]]] = defaultdict(lambda: defaultdict(list))
    for key in keys:
        rounds[run.round_of(key[0])][key[1]].append(key)
    return [list(by_problem.values()) for _, by_problem in sorted(rounds.items())]


def _judge(run: StageRun, rounds: list[list[list[Key]]], processes: int, observer: StageObserver) -> None:
    run.prepare()
    # The children share what is loaded; the garbage collector need not look at it again, which would copy it.
    gc.freeze()
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("fork"), _continue, (run, os.getpid()))
    try:
        # Before the observer may start a thread: a fork copies the locks that other threads hold.
        pool.submit(_nothing).result()
        observer.began(sum(map(len, rounds)))
        for problems in rounds:
            batches = [problems[start : start + BATCH] for start in range(0, len(problems), BATCH)]
            jobs = {pool.submit(_decide, batch): len(batch) for batch in batches}
            for job in as_completed(jobs):
                job.result()
                observer.advanced(jobs[job])
    except BrokenProcessPool:
        message = f"{run.claims.stage.folder}: a process of the stage died, perhaps for want of memory; what was judged is kept, and the same command goes on from here; --processes {max(processes // 2, 1)} needs less memory"
        raise HarnessError(message) from None
    finally:
        pool.shutdown(cancel_futures=True)
        gc.unfreeze()


_STAGE: list[StageRun] = []
"""The stage of this process of a pool."""


def _continue(run: StageRun, parent: int) -> None:
    """Continue a stage in a process of the pool, which leaves interrupts to its parent and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    gc.set_threshold(*RARELY)
    _STAGE.append(run.forked())


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)


def _nothing() -> None:
    return None


def _decide(problems: list[list[Key]]) -> None:
    """Judge the claims of some problems.

    Raises:
        HarnessError: a claim could not be judged; any other error may not survive the way to the parent.
    """
    for keys in problems:
        for key in keys:
            try:
                _STAGE[0].decide(key)
            except Exception as error:
                if isinstance(error, HarnessError) and not isinstance(error, MalformedRecordError):
                    raise
                where = traceback.extract_tb(error.__traceback__)[-1]
                message = f"problem {key[1]!r}: {key[0]} {key[2]!r} cannot be judged ({type(error).__name__} in {Path(where.filename).name}:{where.lineno}: {str(error)[:300]}), which is a defect of oracle-factory; what was judged is kept; leave the problem out by --exclude FILE with [{json.dumps(key[1])}] into another --out, and report it"
                raise HarnessError(message) from error
