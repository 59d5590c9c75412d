"""The pool of worker processes, which ends a process whose solver exceeds its time or memory limit."""

from __future__ import annotations

import contextlib
import enum
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from harness.store.run_folder import dump

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from oracles.constraints.limits import SolverLimits

T = TypeVar("T")
OUT_OF_MEMORY = {101, -6}
"""The exit statuses of processes without memory: 101 by z3, -6 by an uncaught exception of C++."""
STARTING = 120.0
"""Seconds a worker may take until it is ready: it loads two solvers, perhaps on a busy machine."""
STARTS = 3
"""How many workers may die one after the other before they are ready."""
IDLE = 20
"""How many times as long a process may take by the clock: one that waits for ever is ended, one beside others is not."""


class LossKind(enum.StrEnum):
    """The reasons for the loss of a task; `DIED` is a process ended by neither limit, but from outside or by a fault of a solver."""

    TIME = "time-limit"
    MEMORY = "memory-limit"
    DIED = "worker-died"


@dataclass(frozen=True, slots=True)
class LostTask:
    """A task without a result: the kind of the loss, the reason, and the solver that was running."""

    kind: LossKind
    reason: str
    at: str


@dataclass(slots=True)
class _Worker:
    """A process and its current task."""

    process: subprocess.Popen[bytes]
    began: float
    ready: bool = False
    place: int | None = None
    at: str = ""
    pending: bytes = b""
    told: list[Any] = field(default_factory=list)

    @classmethod
    def start(cls, limits: SolverLimits) -> _Worker:
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109  # as Python means it
        process = subprocess.Popen(  # noqa: S603  # our own command
            [
                sys.executable,
                "-m",
                "oracles.constraints.worker_process",
                *map(str, (limits.work, limits.memory, limits.seconds)),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
            # Ctrl-C is for the process that reads the results, which then ends its workers.
            start_new_session=True,
        )
        return cls(process, time.monotonic())

    def give(self, place: int, line: str) -> None:
        """Hand a task over."""
        assert self.process.stdin is not None  # noqa: S101  # it is a pipe
        self.place, self.at, self.began = place, "", time.monotonic()
        with contextlib.suppress(BrokenPipeError):  # it has died, which reading from it tells
            self.process.stdin.write(line.encode("utf-8", "backslashreplace"))
            self.process.stdin.flush()

    def read(self) -> list[Any] | None:
        """Return the lines received so far; `None` at the end of the stream."""
        assert self.process.stdout is not None  # noqa: S101  # it is a pipe
        data = os.read(self.process.stdout.fileno(), 1 << 20)
        if not data:
            return None
        *lines, self.pending = (self.pending + data).split(b"\n")
        return [json.loads(line) for line in lines]

    def end(self) -> int:
        """End the process; return its exit status."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        return self.process.wait()


@dataclass(slots=True)
class _Pool:
    limits: SolverLimits
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    workers: list[_Worker] = field(default_factory=list)

    def start(self) -> _Worker:
        worker = _Worker.start(self.limits)
        self.workers.append(worker)
        self.selector.register(worker.process.stdout, selectors.EVENT_READ, worker)  # type: ignore[arg-type]  # it is a pipe
        return worker

    def drop(self, worker: _Worker) -> int:
        self.selector.unregister(worker.process.stdout)  # type: ignore[arg-type]  # as above
        self.workers.remove(worker)
        return worker.end()

    def heard(self) -> Iterator[tuple[_Worker, dict[str, Any] | LostTask | None]]:
        """Wait for news: yield workers that are free, with the result of the task they had, or its loss."""
        for key, _ in self.selector.select(timeout=self._patience()):
            worker: _Worker = key.data
            lines = worker.read()
            if lines is None:
                yield worker, self._died(worker)
                continue
            for line in lines:
                match line:
                    case ["at", str(what)]:
                        worker.at = what
                    case ["ready"]:
                        worker.ready = True
                        yield worker, None
                    case ["done", dict(result)]:
                        yield worker, result
        for worker in list(self.workers):
            if self._left(worker) <= 0:
                self.drop(worker)
                yield worker, self._timed_out(worker)

    def _died(self, worker: _Worker) -> LostTask:
        """Return the reason for the loss of a task whose process has ended: solvers end themselves when memory runs out."""
        status = self.drop(worker)
        if status == -signal.SIGPROF:
            return self._timed_out(worker)
        if status in OUT_OF_MEMORY:
            return LostTask(LossKind.MEMORY, f"more than {self.limits.memory:,} MiB", worker.at)
        return LostTask(LossKind.DIED, f"its process ended with status {status}", worker.at)

    def _timed_out(self, worker: _Worker) -> LostTask:
        return LostTask(LossKind.TIME, f"no answer within {self.limits.seconds:g} s of processor time", worker.at)

    def _left(self, worker: _Worker) -> float:
        if worker.ready and worker.place is None:
            return STARTING
        most = IDLE * self.limits.seconds if worker.ready else STARTING
        return worker.began + most - time.monotonic()

    def _patience(self) -> float:
        return max(0.0, min(map(self._left, self.workers), default=0.0))

    def close(self) -> None:
        for worker in list(self.workers):
            self.drop(worker)
        self.selector.close()


def task_results(
    tasks: Iterable[tuple[str, dict[str, Any], T]], *, limits: SolverLimits, workers: int = 0
) -> Generator[tuple[T, dict[str, Any] | LostTask], None, None]:
    """Yield the results of tasks (the name of the job, the JSON form of its input, and a key), in their order.

    A task whose process died is given to a second one: a kill from outside tells nothing about the task. Closing the
    iterator ends the processes.

    Raises:
        RuntimeError: workers die before they are ready.
    """
    waiting = enumerate(tasks)
    known: dict[int, tuple[T, str]] = {}
    died: set[int] = set()
    again: list[int] = []
    results: dict[int, dict[str, Any] | LostTask] = {}
    following = unready = 0
    pool = _Pool(limits)
    try:
        for _ in range(workers or os.cpu_count() or 1):
            pool.start()
        while pool.workers:
            for worker, result in pool.heard():
                place = worker.place
                if isinstance(result, LostTask):
                    if place is None:
                        unready += 1
                        if unready == STARTS:
                            message = f"a worker of oracles.constraints did not start: {result.reason}"
                            raise RuntimeError(message)
                    elif result.kind is LossKind.DIED and place not in died:
                        died.add(place)
                        again.append(place)
                    else:
                        results[place] = result
                    pool.start()
                    continue
                unready = 0
                if place is not None and result is not None:
                    results[place], worker.place = result, None
                if again:
                    place = again.pop()
                elif (drawn := next(waiting, None)) is not None:
                    place, (name, task, what) = drawn
                    known[place] = what, f"{dump([name, task])}\n"
                else:
                    pool.drop(worker)
                    continue
                worker.give(place, known[place][1])
            while following in results:
                yield known.pop(following)[0], results.pop(following)
                following += 1
    finally:
        pool.close()
