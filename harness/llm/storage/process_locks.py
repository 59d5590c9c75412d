"""File locks that show which of the processes that share a store are still alive."""

from __future__ import annotations

import fcntl
import os
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(slots=True)
class ProcessLock:
    """The lock of a process, or of an open store of a process, under a unique name; errors are those of the file system."""

    folder: Path
    name: str = field(default_factory=lambda: uuid.uuid4().hex)
    _lock: int = -1

    def sign(self) -> None:
        """Create and lock the file of this name; again if another process removed it before it was locked."""
        self.folder.mkdir(exist_ok=True)
        path = self.folder / self.name
        while True:
            self._lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            try:
                if path.stat().st_ino == os.fstat(self._lock).st_ino:
                    return
            except FileNotFoundError:
                pass
            os.close(self._lock)

    def release(self) -> None:
        """Remove and unlock the file."""
        if self._lock >= 0:
            (self.folder / self.name).unlink(missing_ok=True)
            os.close(self._lock)
            self._lock = -1

    def lives(self, name: str) -> bool:
        """Tell whether the process with a name holds its lock."""
        return name == self.name or not self._free(name, clear=False)

    def clear(self) -> None:
        """Remove the files of processes that died."""
        for path in self.folder.iterdir():
            if path.name != self.name:
                self._free(path.name, clear=True)

    def _free(self, name: str, *, clear: bool) -> bool:
        """Tell whether no process holds a lock; a shared lock tests it, so that two testing processes do not see each other.

        A file is removed while it is locked, because a process that has just created it may be about to lock it.
        """
        try:
            descriptor = os.open(self.folder / name, os.O_RDWR)
        except FileNotFoundError:
            return True
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_EX if clear else fcntl.LOCK_SH) | fcntl.LOCK_NB)
            if clear:
                (self.folder / name).unlink(missing_ok=True)
        except BlockingIOError:
            return False
        finally:
            os.close(descriptor)
        return True
