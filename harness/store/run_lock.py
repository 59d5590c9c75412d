"""The lock of a run's folder; its owner is named to other processes that want it."""

from __future__ import annotations

import contextlib
import datetime as dt
import fcntl
import json
import os
import socket
import time
from typing import TYPE_CHECKING

from harness.errors import HarnessError
from harness.store.run_folder import writing
from harness.text.characters import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO

LOCK = ".lock"
PATIENCE = 5.0
"""Seconds to wait for the processes of a killed run, which end by themselves."""


@contextlib.contextmanager
def held_lock(folder: Path, option: str) -> Iterator[None]:
    """Hold the lock of a folder, which `option` names; the lock of a process that died is free.

    Raises:
        HarnessError: another process holds it; the message names the process.
    """
    path = folder / LOCK
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    deadline = time.monotonic() + PATIENCE
    while (lock := _taken(path)) is None:
        if time.monotonic() > deadline:
            raise HarnessError(f"{option} {folder}: another run works in this folder{_owner(path)}; wait until it ends")
        time.sleep(0.2)
    with lock:
        now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
        with writing(path):
            lock.truncate(0)
            lock.write(json.dumps({"process": os.getpid(), "host": socket.gethostname(), "since": now}))
            lock.flush()
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _taken(path: Path) -> IO[str] | None:
    """Return the locked file, `None` if another process holds it."""
    with writing(path):
        lock = path.open("a+", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The process that held it may have deleted the file since it was opened.
        if os.fstat(lock.fileno()).st_ino == path.stat().st_ino:
            return lock
    except (BlockingIOError, FileNotFoundError):
        pass
    lock.close()
    return None


def _owner(path: Path) -> str:
    """Return the owner of a lock, if the file names it."""
    try:
        owner = json.loads(path.read_text("utf-8"))
        words = f": process {owner['process']} on {owner['host']}, since {owner['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return one_line(words, limit=200)
