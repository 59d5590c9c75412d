"""Records on disk that memory holds only the places of: values in a temporary file, and the lines of a stage's shards by problem."""

import itertools
import json
import os
import pickle
import tempfile
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from harness.store.run_folder import writing

T = TypeVar("T")


class Spool(Sequence[T], Generic[T]):
    """Values in a file without a name in `folder` (the folder of temporary files by default), which ends with its processes.

    Processes that are forked from the one that wrote it read it too: no place in the file is shared.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Open an empty spool; a full disk raises a `StorageError`, here and in `append`."""
        self._folder = Path(tempfile.gettempdir()) if folder is None else folder
        with writing(self._folder):
            self._stream: Any = tempfile.TemporaryFile(dir=self._folder)  # noqa: SIM115  # open as long as the spool
        self._ends = array("Q", [0])

    def append(self, value: T) -> None:
        """Add a value."""
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        with writing(self._folder):
            self._stream.write(data)
        self._ends.append(self._ends[-1] + len(data))

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, place: Any) -> Any:  # an int or a slice
        if isinstance(place, slice):
            return [self[number] for number in range(len(self))[place]]
        place = range(len(self))[place]
        with writing(self._folder):
            self._stream.flush()
        start, end = self._ends[place], self._ends[place + 1]
        return pickle.loads(os.pread(self._stream.fileno(), end - start, start))  # noqa: S301  # this process or its parent wrote it, and nobody else can open it


class ReadOnDemand(Mapping[str, T], Generic[T]):
    """Values by name, of which memory holds only the names: `read` returns one."""

    def __init__(self, names: Collection[str], read: Callable[[str], T]) -> None:
        """Take the names in their order, of which membership is quickly told."""
        self._names, self._value_of = names, read

    def __len__(self) -> int:
        return len(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise KeyError(name)
        return self._value_of(name)


@dataclass(slots=True)
class _Lines:
    """Lines of one problem that follow each other in a shard, from `start` to `end` in bytes."""

    path: Path
    start: int
    end: int


@dataclass(slots=True)
class ShardIndex:
    """The lines of a folder's shards by problem, also those that other processes append from now on unless it is `closed`."""

    folder: Path
    closed: bool = False
    _offsets: dict[Path, int] = field(default_factory=dict)
    _lines: dict[str, list[_Lines]] = field(default_factory=dict)

    @classmethod
    def snapshot(cls, folder: Path) -> Self:
        """Return the index of what stands in the shards now."""
        index = cls(folder)
        index._read_on()
        index.closed = True
        return index

    def problem_ids(self) -> list[str]:
        """Return the problems that lines are about, in the order of their first lines."""
        self._read_on()
        return list(self._lines)

    def lines(self, problem_id: str) -> Iterator[str]:
        """Yield the whole lines of a problem that stand in the shards now, those that are no JSON left out."""
        self._read_on()
        for lines in self._lines.get(problem_id, ()):
            with lines.path.open("rb") as stream:
                stream.seek(lines.start)
                yield from stream.read(lines.end - lines.start).decode("utf-8", "replace").split("\n")[:-1]

    def _read_on(self) -> None:
        for path in () if self.closed else sorted(self.folder.glob("*.jsonl")):
            offset = self._offsets.get(path, 0)
            with path.open("rb") as stream:
                stream.seek(offset)
                for line in itertools.takewhile(lambda line: line.endswith(b"\n"), stream):
                    self._add(line, path, offset, offset + len(line))
                    offset += len(line)
            self._offsets[path] = offset

    def _add(self, line: bytes, path: Path, start: int, end: int) -> None:
        try:
            record = json.loads(line)
        except ValueError:
            return
        problem_id = record.get("problem_id") if isinstance(record, dict) else None
        if not isinstance(problem_id, str):
            return
        known = self._lines.setdefault(problem_id, [])
        if known and known[-1].path == path and known[-1].end == start:
            known[-1].end = end
        else:
            known.append(_Lines(path, start, end))
