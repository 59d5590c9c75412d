"""The pool of processes that judges the parts of a stage."""

import gc
import itertools
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from properties.engine.stage_judging import JudgedParts, LostProcessError, StagePart, judge_part
from properties.engine.stage_run import RARELY

AHEAD = 3
"""Parts that wait or are judged, per process."""
LOOK = 1.0
"""Seconds between two checks of a process whether its parent is alive."""


@dataclass(frozen=True, slots=True)
class LocalPool:
    """Judges parts of a stage in a number of processes that are forked from this one."""

    processes: int

    def judged(self, parts: Iterable[StagePart]) -> JudgedParts:
        """Yield the results of the parts, as `Engine.judged` says."""
        # The children share what is loaded; the garbage collector need not look at it again, which would copy it.
        gc.freeze()
        pool = ProcessPoolExecutor(self.processes, multiprocessing.get_context("fork"), _begin, (os.getpid(),))

        jobs: dict[Future[bytes], StagePart] = {}
        waiting = iter(parts)
        try:
            while True:
                for part in itertools.islice(waiting, max(AHEAD * self.processes - len(jobs), 0)):
                    jobs[pool.submit(judge_part, part)] = part
                if not jobs:
                    return
                # The verdicts from before a process died come first.
                done = wait(jobs, return_when=FIRST_COMPLETED).done
                for job in sorted(done, key=lambda job: job.exception() is not None):
                    yield jobs.pop(job), job.result()
        except BrokenProcessPool:
            message = f"a process of the stage died, perhaps because memory ran out; verdicts so far are kept, and the same command continues from there; --processes {max(self.processes // 2, 1)} needs less memory"
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
