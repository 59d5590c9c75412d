"""The engine of one machine: a pool of processes that are forked from this one."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TYPE_CHECKING

from properties.engine.stage_judging import LostProcessError
from properties.engine.stage_run import RARELY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future

    from properties.engine.stage_judging import StagePart
    from properties.engine.stage_run import StageRecords

AHEAD = 3
"""Parts that wait or are judged, per process."""
LOOK = 1.0
"""Seconds between two checks of a process whether its parent is alive."""


@dataclass(frozen=True, slots=True)
class LocalPool:
    """Judges parts of a stage in a number of processes on this machine."""

    processes: int

    def records(self, parts: Iterable[StagePart]) -> Iterator[tuple[StagePart, StageRecords]]:
        """Yield the results of the parts, as `Engine.records` says."""
        # The children share what is loaded; the garbage collector need not look at it again, which would copy it.
        gc.freeze()
        pool = ProcessPoolExecutor(self.processes, multiprocessing.get_context("fork"), _begin, (os.getpid(),))
        try:
            yield from self._records(pool, iter(parts))
        except BrokenProcessPool:
            message = f"a process of the stage died, perhaps because memory ran out; verdicts so far are kept, and the same command continues from there; --processes {max(self.processes // 2, 1)} needs less memory"
            raise LostProcessError(message) from None
        finally:
            pool.shutdown(cancel_futures=True)
            gc.unfreeze()

    def _records(
        self, pool: ProcessPoolExecutor, parts: Iterator[StagePart]
    ) -> Iterator[tuple[StagePart, StageRecords]]:
        judged: dict[Future[StageRecords], StagePart] = {}
        while True:
            for part in itertools.islice(parts, AHEAD * self.processes - len(judged)):
                judged[pool.submit(_judge, part)] = part
            if not judged:
                return
            done = wait(judged, return_when=FIRST_COMPLETED).done
            # The verdicts from before a process died come first.
            for job in sorted(done, key=lambda job: job.exception() is not None):
                yield judged.pop(job), job.result()


def _begin(parent: int) -> None:
    """Begin a process of the pool, which leaves interrupts to its parent and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    gc.set_threshold(*RARELY)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)


def _judge(part: StagePart) -> StageRecords:
    return part.judged()
