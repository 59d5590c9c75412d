"""Values in a temporary file: memory holds eight bytes for each."""

from __future__ import annotations

import os
import pickle
import tempfile
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

from harness.store.run_folder import writing

T = TypeVar("T")

READ_AHEAD = 1 << 20
"""Bytes that are read at once when all values are read in order."""


class Spool(Sequence[T], Generic[T]):
    """Values in a file without a name in `folder` (the folder of temporary files by default), which ends with its processes.

    Processes that are forked from the one that wrote it read it too: no place in the file is shared.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Open an empty spool.

        Raises:
            StorageError: the file cannot be made.
        """
        self._folder = Path(tempfile.gettempdir()) if folder is None else folder
        with writing(self._folder):
            self._stream: Any = tempfile.TemporaryFile(dir=self._folder, buffering=READ_AHEAD)  # noqa: SIM115  # open as long as the spool
        self._ends = array("Q", [0])
        self._flushed = True

    def append(self, value: T) -> None:
        """Add a value.

        Raises:
            StorageError: the disk is full.
        """
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        with writing(self._folder):
            self._stream.write(data)
        self._ends.append(self._ends[-1] + len(data))
        self._flushed = False

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            return [self[number] for number in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        place %= len(self)
        return self._value(self._read(self._ends[place], self._ends[place + 1]))

    def __iter__(self) -> Iterator[T]:
        """Yield all values in order; those that are added meanwhile may be left out."""
        first, count = 0, len(self)
        while first < count:
            last = first + 1
            while last < count and self._ends[last + 1] - self._ends[first] <= READ_AHEAD:
                last += 1
            start = self._ends[first]
            block = memoryview(self._read(start, self._ends[last]))
            for place in range(first, last):
                yield self._value(block[self._ends[place] - start : self._ends[place + 1] - start])
            first = last

    def _read(self, start: int, end: int) -> bytes:
        if not self._flushed:
            with writing(self._folder):
                self._stream.flush()
            self._flushed = True
        parts = []
        while start < end:
            parts.append(os.pread(self._stream.fileno(), end - start, start))
            if not parts[-1]:
                raise EOFError(f"a temporary file in {self._folder} was cut off")
            start += len(parts[-1])
        return b"".join(parts)

    def _value(self, data: bytes | memoryview) -> T:
        value: T = pickle.loads(data)  # noqa: S301  # this process or its parent wrote it, and nobody else can open it
        return value


def grouped_places(places: Sequence[int], count: int) -> tuple[array[int], array[int]]:
    """Return the numbers of all records sorted by their place, of `count` places, and where those of each place begin, with the end."""
    starts = array("L", bytes(array("L").itemsize * (count + 1)))
    for place in places:
        starts[place + 1] += 1
    for place in range(count):
        starts[place + 1] += starts[place]
    order, free = array("L", bytes(array("L").itemsize * len(places))), array("L", starts)
    for number, place in enumerate(places):
        order[free[place]] = number
        free[place] += 1
    return order, starts
