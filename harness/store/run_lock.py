"""The lock of a run's folder; its owner is named to other processes that want it."""

import contextlib
import datetime as dt
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from harness.errors import HarnessError
from harness.store.run_folder import writing
from harness.text.characters import one_line

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
    lock = FileLock(path)
    now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
    try:
        with writing(path):
            folder.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=PATIENCE)
            path.write_text(json.dumps({"process": os.getpid(), "host": socket.gethostname(), "since": now}))
    except Timeout:
        raise HarnessError(
            f"{option} {folder}: another run works in this folder{_owner(path)}; wait until it ends"
        ) from None
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        lock.release()


def _owner(path: Path) -> str:
    """Return the owner of a lock, if the file names it."""
    try:
        owner = json.loads(path.read_text("utf-8"))
        words = f": process {owner['process']} on {owner['host']}, since {owner['since']}"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return one_line(words, limit=200)
