"""Outcomes of sessions that all workers share: the first that needs one makes it, the others wait for it and read it."""

import fcntl
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

Outcome = TypeVar("Outcome")


def shared_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    """Return a folder of that name which is the same for each worker of a session of pytest."""
    base = factory.getbasetemp()
    folder = (base.parent if base.name.startswith("popen-") else base) / "shared" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def shared_outcome(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Outcome]) -> Outcome:
    """Return what `make` gives for a folder of its own; it is called once, whichever worker comes first."""
    folder = shared_folder(factory, name)
    kept = folder.with_suffix(".pickle")
    with folder.with_suffix(".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            kept.write_bytes(pickle.dumps(make(folder)))
    outcome: Outcome = pickle.loads(kept.read_bytes())  # noqa: S301  # our own bytes
    return outcome
