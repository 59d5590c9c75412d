"""SIGTERM ends a program as Ctrl-C does."""

import os
import signal
import threading
from functools import cache


def leave_at_sigterm() -> None:
    """Let SIGTERM raise KeyboardInterrupt in this process; processes that are forked from it end at once, as usual."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        _end_forked_processes()


@cache
def _end_forked_processes() -> None:
    # A signal that reached the new process while it still had its parent's handler would be lost: it waits until then.
    os.register_at_fork(before=_hold, after_in_parent=_let_through, after_in_child=_end_at_once)


def _hold() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})


def _let_through() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def _end_at_once() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _let_through()
