"""Worker processes that decide programs, and are ended where a solver exceeds its limit of time or memory."""

import contextlib
import enum
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from threading import Lock
from typing import Any, TypeVar

from harness.store.run_folder import dump

T = TypeVar("T")
OUT_OF_MEMORY = {101, -6}
"""The exit statuses of processes without memory: 101 by z3 and by ours, -6 by an uncaught exception of C++."""
STARTING = 120.0
"""Seconds until a worker begins, which loads two solvers, perhaps on a busy machine."""
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
    """A task without a result: the kind of the loss, its reason with the kind before it, and the solver that was running."""

    kind: LossKind
    reason: str
    at: str


@dataclass(slots=True)
class SolverWorker:
    """Decides one task after the other in a process, which is started for the first one and followed by another where it ends."""

    limits: SolverLimits = field(default_factory=SolverLimits)
    _process: subprocess.Popen[bytes] | None = None
    _connection: Connection | None = None
    _closed: bool = False
    _lock: Any = field(default_factory=Lock)

    def ask(self, name: str, task: dict[str, Any]) -> dict[str, Any] | LostTask:
        """Return the result of a task: the name of the job and the JSON form of its input.

        A task whose process died is given to a second one: a kill from outside tells nothing about the task.
        """
        message = dump([name, task]).encode("utf-8", "backslashreplace")
        outcome = self._task_outcome(message)
        again = isinstance(outcome, LostTask) and outcome.kind is LossKind.DIED and not self._closed
        return self._task_outcome(message) if again else outcome

    def _task_outcome(self, task: bytes) -> dict[str, Any] | LostTask:
        self._connection, at = self._connection or self._started(), ""
        connection = self._connection
        with contextlib.suppress(OSError):  # it has ended, which reading from it tells
            connection.send_bytes(task)
        deadline = time.monotonic() + STARTING + IDLE * self.limits.seconds
        while True:
            match _message(connection, deadline):
                case ["at", str(solver)]:
                    at = solver
                case ["done", dict(result)]:
                    return result
                case ending:
                    return self._lost(ending, at)

    def _started(self) -> Connection:
        """Start the process; return the connection to it, whose other end is its own alone, so that it ends with this process."""
        limits = map(str, (self.limits.work, self.limits.memory, self.limits.seconds))
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109  # as Python means it
        connection, other = multiprocessing.Pipe()
        with self._lock, other:
            self._process = subprocess.Popen(  # noqa: S603  # our own command
                [sys.executable, "-m", "oracles.constraints.worker_process", str(other.fileno()), *limits],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[other.fileno()],
                env={**os.environ, "PYTHONPATH": paths},
                # Ctrl-C is for the process that reads the results, which then ends its workers.
                start_new_session=True,
            )
            if self._closed:
                self._process.kill()
        return connection

    def _lost(self, ending: object, at: str) -> LostTask:
        """End the process; return the reason for the loss of its task: solvers end themselves when memory runs out."""
        status = self.close()
        if ending is None or status == -signal.SIGPROF:
            kind, reason = LossKind.TIME, f"no answer within {self.limits.seconds:g} s of processor time"
        elif status in OUT_OF_MEMORY:
            kind, reason = LossKind.MEMORY, f"more than {self.limits.memory:,} MiB"
        else:
            kind, reason = LossKind.DIED, f"its process ended with status {status}"
        return LostTask(kind, f"{kind}: {reason}", at)

    def kill(self) -> None:
        """End the process, whatever another thread asks of it; no other follows."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def close(self) -> int:
        """End the process and return its exit status; a later task starts another."""
        process, self._process = self._process, None
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        if process is None:
            return 0
        process.kill()
        return process.wait()


def _message(connection: Connection, deadline: float) -> Any:
    """Return the next message of a process: `None` if there is none until the deadline, empty if it has ended."""
    try:
        return json.loads(connection.recv_bytes()) if connection.poll(max(0.0, deadline - time.monotonic())) else None
    except (EOFError, OSError):
        return []


def task_results(
    tasks: Iterable[tuple[str, dict[str, Any], T]], *, limits: SolverLimits | None = None, workers: int = 0
) -> Generator[tuple[T, dict[str, Any] | LostTask], None, None]:
    """Yield the key and the result of tasks, in their order; with 0 `workers`, there is one for each core.

    Closing the iterator ends the processes.
    """
    pool = [SolverWorker(limits or SolverLimits()) for _ in range(workers or os.cpu_count() or 1)]
    free, own = iter(pool), threading.local()

    def begin() -> None:
        own.worker = next(free)

    def ask(name: str, task: dict[str, Any]) -> Any:
        return own.worker.ask(name, task)

    threads = ThreadPoolExecutor(len(pool), initializer=begin)
    waiting: deque[tuple[T, Any]] = deque()
    try:
        for name, task, key in tasks:
            waiting.append((key, threads.submit(ask, name, task)))
            while len(waiting) > AHEAD * len(pool) or (waiting and waiting[0][1].done()):
                key, future = waiting.popleft()
                yield key, future.result()
        for key, future in waiting:
            yield key, future.result()
    finally:
        for worker in pool:
            worker.kill()
        threads.shutdown(cancel_futures=True)
        for worker in pool:
            worker.close()
