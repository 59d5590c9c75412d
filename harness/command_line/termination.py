"""SIGTERM ends a program as Ctrl-C does."""

import os
import signal
import threading
from functools import cache, partial
from signal import SIG_BLOCK, SIG_UNBLOCK


def leave_at_sigterm() -> None:
    """Let SIGTERM raise KeyboardInterrupt in this process; processes that are forked from it end at once, as usual."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        _end_forked_processes()


@cache
def _end_forked_processes() -> None:
    # A signal that reached the new process while it still had its parent's handler would be lost: it waits until then.
    hold, let_through = (partial(signal.pthread_sigmask, how, {signal.SIGTERM}) for how in (SIG_BLOCK, SIG_UNBLOCK))

    def end_at_once() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        let_through()

    os.register_at_fork(before=hold, after_in_parent=let_through, after_in_child=end_at_once)
