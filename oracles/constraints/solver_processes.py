"""Deciding programs in copies of this process, which are ended where a solver exceeds its limit of time or memory."""

import enum
import faulthandler
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Generic, NoReturn, TypeVar

from harness.limited_process import limit_memory

Task = TypeVar("Task")
Result = TypeVar("Result")
Announce = Callable[[str], None]
"""Is told the name of the next step, which is a solver's."""
OUT_OF_MEMORY = 101
"""The exit status of z3, and of ours, without memory."""
WITHOUT_MEMORY = {OUT_OF_MEMORY, -signal.SIGABRT}
"""The exit statuses of processes without memory; an uncaught exception of C++ aborts."""
STARTING, IDLE = 120.0, 20
"""Seconds of the clock for a busy machine, and how many times as long as its limit a process may wait: one that waits for ever is ended."""


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


class SolverProcess(Generic[Task, Result]):
    """Decides tasks one after the other in a copy of this process, which is followed by another copy where it ends."""

    def __init__(self, decide: Callable[[Task, Announce], Result], tasks: Iterable[Task], limits: SolverLimits) -> None:
        self._decide, self._tasks, self._limits = decide, deque(tasks), limits
        self._start()

    def _start(self) -> None:
        import cvc5  # noqa: F401  # the copy shares what is loaded before its memory is limited
        import z3  # noqa: F401  # as above

        self._receiver, sender = Pipe(duplex=False)
        self._process = os.fork()
        if self._process == 0:
            self._receiver.close()
            _decide_and_exit(self._decide, self._tasks, self._limits, sender)
        sender.close()

    def outcome(self) -> Result | LostTask:
        """Return the result of the next task.

        A task whose process died is given to a second one: a kill from outside tells nothing about the task.
        """
        at, died = "", False
        results: list[Result]
        while True:
            if not self._receiver.poll(STARTING + IDLE * self._limits.seconds):
                for sign in (signal.SIGPROF, signal.SIGCONT):  # one that was stopped takes no signal before it goes on
                    os.kill(self._process, sign)
            try:
                at, *results = self._receiver.recv()
            except (EOFError, OSError):
                lost = self._loss(self.close(), at)
                again, died = lost.kind is LossKind.DIED and not died, True
                if not again:
                    self._tasks.popleft()
                self._start()
                if not again:
                    return lost
            else:
                for result in results:
                    self._tasks.popleft()
                    return result

    def _loss(self, status: int, at: str) -> LostTask:
        """Return why a task is lost whose process ended with a status at a step."""
        if status == -signal.SIGPROF:
            kind, reason = LossKind.TIME, f"no answer within {self._limits.seconds:g} s of processor time"
        elif status in WITHOUT_MEMORY:
            kind, reason = LossKind.MEMORY, f"more than {self._limits.memory:,} MiB"
        else:
            kind, reason = LossKind.DIED, f"its process ended with status {status}"
        return LostTask(kind, f"{kind}: {reason}", at)

    def close(self) -> int:
        """End the process and return its exit status, 0 where it is ended already."""
        process, self._process = self._process, 0
        if not process:
            return 0
        self._receiver.close()
        os.kill(process, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def outcomes(
    decide: Callable[[Task, Announce], Result], tasks: Iterable[Task], limits: SolverLimits, *, workers: int = 0
) -> Generator[tuple[Task, Result | LostTask], None, None]:
    """Yield tasks with their results, in their order; with 0 `workers`, there is one for each core.

    Closing the iterator ends the processes.
    """
    tasks = list(tasks)
    count = min(workers or os.cpu_count() or 1, len(tasks))
    with ExitStack() as opened:
        shares = (tasks[number::count] for number in range(count))
        processes = [opened.enter_context(closing(SolverProcess(decide, share, limits))) for share in shares]
        for number, task in enumerate(tasks):
            yield task, processes[number % count].outcome()


def _decide_and_exit(
    decide: Callable[[Task, Announce], Result], tasks: Iterable[Task], limits: SolverLimits, sender: Connection
) -> NoReturn:
    """Send `(solver,)` before each step of a task, and `(solver, result)` at its end."""
    at, status = "", 1

    def announce(step: str) -> None:
        nonlocal at
        at = step
        sender.send((at,))

    try:
        # Ctrl-C is for the process that reads the results, which then ends this one; what solvers print is for nobody.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        faulthandler.disable()
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        limit_memory(limits.memory << 20)
        for task in tasks:
            signal.setitimer(signal.ITIMER_PROF, limits.seconds)
            result = decide(task, announce)
            signal.setitimer(signal.ITIMER_PROF, 0)
            sender.send((at, result))
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    finally:
        os._exit(status)
