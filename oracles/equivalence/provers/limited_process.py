"""Results computed in a copy of this process that ends when they take too long."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

Result = TypeVar("Result")
IDLE = 600.0


def limited_results(compute: Callable[[], Iterable[Result]], processor_seconds: float) -> Generator[Result]:
    """Yield the results of `compute` from a copy of this process, until it has used a number of seconds of processor time.

    Processor time does not depend on what else the machine does; by the clock `IDLE` seconds may pass without a result, so that only
    a copy that waits for ever is ended by it. The copy ends when the iterator is closed. An exception in it is printed and ends the results.
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, processor_seconds)
        _send_and_exit(compute, sender.send)
    sender.close()
    try:
        while receiver.poll(IDLE):
            yield receiver.recv()
    except EOFError:
        return
    finally:
        receiver.close()
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _send_and_exit(compute: Callable[[], Iterable[Result]], send: Callable[[Result], None]) -> None:
    try:
        for result in compute():
            send(result)
    except Exception:  # noqa: BLE001  # the copy ends here, whatever happens
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(0)
