"""Interruption of a job that asks models: Ctrl-C once waits for open requests, twice gives them up."""

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Any


async def interruptible(
    job: Coroutine[Any, Any, None],
    stop: Callable[[], None],
    tell: Callable[[str], None] | None = None,
    *,
    patient: bool = True,
) -> None:
    """Run a job until it ends or Ctrl-C is pressed: once to wait for open requests, if it is patient, twice to give it up."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    pressed = 0

    def interrupted() -> None:
        nonlocal pressed
        pressed += 1
        stop()
        if task is not None and (pressed > 1 or not patient):
            task.cancel()
        elif pressed == 1 and tell is not None:
            tell("waiting for what is under way; Ctrl-C again gives it up, though it may be billed")

    loop.add_signal_handler(signal.SIGINT, interrupted)
    try:
        await job
    except asyncio.CancelledError:
        if not pressed:
            raise
    finally:
        loop.remove_signal_handler(signal.SIGINT)
