"""A computation in a copy of this process, which is ended at a limit of processor time or of memory."""

import multiprocessing
import os
import resource
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

Result = TypeVar("Result")
IDLE = 600.0
"""The seconds by the clock that may pass without a result of a copy of this process."""


def limited_result(compute: Callable[[], Result], processor_seconds: float, *, idle: float = IDLE) -> Result | None:
    """Return the result of `compute` from a copy of this process, `None` once it has used a number of seconds of processor time.

    Processor time does not depend on what else the machine does; by the clock `idle` seconds may pass, so that only a copy that waits
    for ever is ended by it. An exception in the copy is printed, and gives no result.
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        signal.setitimer(signal.ITIMER_PROF, processor_seconds)
        try:
            sender.send(compute())
        except Exception:  # noqa: BLE001  # the copy ends here, whatever happens
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(0)
    sender.close()
    try:
        return cast("Result", receiver.recv()) if receiver.poll(idle) else None
    except EOFError:
        return None
    finally:
        receiver.close()
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def limit_memory(more: int) -> None:
    """Let this process have so many bytes of memory more than it has."""
    held = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + more,) * 2)
