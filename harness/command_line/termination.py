"""The end of a program that is told to end: SIGTERM leaves as Ctrl-C does."""

import os
import signal
import threading


def leave_at_sigterm() -> None:
    """Let SIGTERM raise KeyboardInterrupt in this process; processes that are forked from it end at once, as usual."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        os.register_at_fork(after_in_child=_end_at_once)


def _end_at_once() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
