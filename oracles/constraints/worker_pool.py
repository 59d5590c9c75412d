"""Worker processes that decide programs, and are ended where a solver exceeds its limit of time or memory."""

from __future__ import annotations

import contextlib
import enum
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from harness.store.run_folder import dump

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

T = TypeVar("T")
OUT_OF_MEMORY = {101, -6}
"""The exit statuses of processes without memory: 101 by z3, -6 by an uncaught exception of C++."""
STARTING = 120.0
"""Seconds a worker may take until it is ready: it loads two solvers, perhaps on a busy machine."""
STARTS = 3
"""How many processes may end one after the other before they are ready."""
IDLE = 20
"""How many times as long a process may take by the clock: one that waits for ever is ended, one beside others is not."""
AHEAD = 32
"""The tasks of each worker that are drawn before their results are read."""


@dataclass(frozen=True, slots=True)
class SolverLimits:
    """The limits of deciding one program: solver work for a question, and seconds of processor time and MiB of memory as a second limit.

    Solvers count work, in units of z3, the same on every machine: ten million take z3 one to five seconds. Seconds and
    memory end what is not counted as work; they are those of the process that decides, so that a busy machine changes no verdict.
    """

    work: int = 10_000_000
    seconds: float = 60.0
    memory: int = 2_048


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
class SolverWorker:
    """Decides one task after the other in a process, which is started for the first one and followed by another where it ends."""

    limits: SolverLimits = field(default_factory=SolverLimits)
    _process: subprocess.Popen[bytes] | None = None
    _pending: bytes = b""
    _closed: bool = False
    _lock: Any = field(default_factory=Lock)

    def ask(self, name: str, task: dict[str, Any]) -> dict[str, Any] | LostTask:
        """Return the result of a task: the name of the job and the JSON form of its input.

        A task whose process died is given to a second one: a kill from outside tells nothing about the task.

        Raises:
            RuntimeError: processes end before they are ready.
        """
        line = f"{dump([name, task])}\n".encode("utf-8", "backslashreplace")
        outcome = self._outcome(line)
        again = isinstance(outcome, LostTask) and outcome.kind is LossKind.DIED and not self._closed
        return self._outcome(line) if again else outcome

    def _outcome(self, line: bytes) -> dict[str, Any] | LostTask:
        process = self._ready_process()
        assert process.stdin is not None  # noqa: S101  # it is a pipe
        with contextlib.suppress(BrokenPipeError):  # it has ended, which reading from it tells
            process.stdin.write(line)
            process.stdin.flush()
        deadline, at = time.monotonic() + IDLE * self.limits.seconds, ""
        while True:
            match self._message(process, deadline):
                case ["at", str(what)]:
                    at = what
                case ["done", dict(result)]:
                    return result
                case str(reason):
                    return self._lost(reason, at)

    def _ready_process(self) -> subprocess.Popen[bytes]:
        """Return the process, once it is ready for a task."""
        for _ in range(STARTS):
            if self._process is not None:
                return self._process
            process = self._process = self._started()
            message = self._message(process, time.monotonic() + STARTING)
            if message == ["ready"] or self._closed:
                return process
            reason = self._lost(str(message), "").reason
        raise RuntimeError(f"a worker of oracles.constraints did not start: {reason}")

    def _started(self) -> subprocess.Popen[bytes]:
        limits = map(str, (self.limits.work, self.limits.memory, self.limits.seconds))
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109  # as Python means it
        self._pending = b""
        with self._lock:
            process = subprocess.Popen(  # noqa: S603  # our own command
                [sys.executable, "-m", "oracles.constraints.worker_process", *limits],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": paths},
                # Ctrl-C is for the process that reads the results, which then ends its workers.
                start_new_session=True,
            )
            if self._closed:
                process.kill()
        return process

    def _message(self, process: subprocess.Popen[bytes], deadline: float) -> list[Any] | str:
        """Return the next line, or how the process ended: by `end` of its output or by `time`."""
        assert process.stdout is not None  # noqa: S101  # it is a pipe
        poll = select.poll()
        poll.register(process.stdout, select.POLLIN | select.POLLHUP)
        while b"\n" not in self._pending:
            if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                return "time"
            data = os.read(process.stdout.fileno(), 1 << 20)
            if not data:
                return "end"
            self._pending += data
        line, _, self._pending = self._pending.partition(b"\n")
        message: list[Any] = json.loads(line)
        return message

    def _lost(self, ending: str, at: str) -> LostTask:
        """End the process; return the reason for the loss of its task: solvers end themselves when memory runs out."""
        status = self._end()
        if ending == "time" or status == -signal.SIGPROF:
            return LostTask(LossKind.TIME, f"no answer within {self.limits.seconds:g} s of processor time", at)
        if status in OUT_OF_MEMORY:
            return LostTask(LossKind.MEMORY, f"more than {self.limits.memory:,} MiB", at)
        return LostTask(LossKind.DIED, f"its process ended with status {status}", at)

    def _end(self) -> int:
        """End the process; return its exit status."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        return process.wait()

    def kill(self) -> None:
        """End the process, whatever another thread asks of it; no other follows."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> None:
        """End the process; a later task starts another."""
        self._end()


def task_results(
    tasks: Iterable[tuple[str, dict[str, Any], T]], *, limits: SolverLimits | None = None, workers: int = 0
) -> Generator[tuple[T, dict[str, Any] | LostTask], None, None]:
    """Yield the key and the result of tasks, in their order; with 0 `workers`, there is one for each core.

    Closing the iterator ends the processes. Errors as in `SolverWorker.ask`.
    """
    pool = [SolverWorker(limits or SolverLimits()) for _ in range(workers or os.cpu_count() or 1)]
    free: SimpleQueue[SolverWorker] = SimpleQueue()
    for worker in pool:
        free.put(worker)

    def result(name: str, task: dict[str, Any]) -> dict[str, Any] | LostTask:
        worker = free.get()
        try:
            return worker.ask(name, task)
        finally:
            free.put(worker)

    threads = ThreadPoolExecutor(len(pool))
    waiting: deque[tuple[T, Any]] = deque()
    try:
        for name, task, key in tasks:
            waiting.append((key, threads.submit(result, name, task)))
            while len(waiting) > AHEAD * len(pool) or (waiting and waiting[0][1].done()):
                key, future = waiting.popleft()
                yield key, future.result()
        while waiting:
            key, future = waiting.popleft()
            yield key, future.result()
    finally:
        for worker in pool:
            worker.kill()
        threads.shutdown(cancel_futures=True)
        for worker in pool:
            worker.close()
