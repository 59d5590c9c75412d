"""Records in the shards of an unsealed stage, found by key or by problem without holding them in memory."""

from __future__ import annotations

import json
import os
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

from harness.store.run_folder import MemoryShard, Shard

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from harness.store.run_folder import Stage


@dataclass(slots=True)
class BulkRecords:
    """Records by key, one write each, in a shard of this process; readers get the records of all processes.

    Only keys and offsets are in memory. A key written twice is read once; a line cut off by a kill is skipped, also if a
    later process with the same number wrote after it.
    """

    folder: Path
    shard: Shard
    _places: dict[str, list[_Place]] | None = field(default=None)

    @classmethod
    def open(cls, stage: Stage, worker: str) -> BulkRecords:
        """Open the bulk records of a stage for one process."""
        folder = stage.folder / "shards" / "bulk"
        return cls(folder, Shard(folder / f"{worker}-{os.getpid()}.jsonl"))

    def part(self) -> BulkRecords:
        """Return bulk records that stay in memory."""
        return BulkRecords(self.folder, MemoryShard(self.shard.path))

    def append(self, key: str, record: Any) -> None:
        """Write the record of a key."""
        self.shard.append({"key": key, "record": record})

    def keys(self) -> frozenset[str]:
        """Return the keys that all processes wrote."""
        return frozenset(self._known_places())

    def records(self, keys: Iterable[str]) -> Iterator[tuple[str, Any]]:
        """Yield the keys and their records in the order of `keys`; a key without a record is skipped."""
        places = self._known_places()
        streams: dict[Path, BinaryIO] = {}
        try:
            for key in keys:
                for path, offset in places.get(key, ()):
                    if path not in streams:
                        streams[path] = path.open("rb")
                    streams[path].seek(offset)
                    entry = _whole(streams[path].readline())
                    if entry is not None:
                        yield key, entry["record"]
                        break
        finally:
            for stream in streams.values():
                stream.close()

    def close(self) -> None:
        """Close the shard of this process."""
        self.shard.close()

    def _known_places(self) -> dict[str, list[_Place]]:
        if self._places is None:
            self._places = {}
            for path in sorted(self.folder.glob("*.jsonl")):
                for key, offset in _keys(path):
                    self._places.setdefault(key, []).append((path, offset))
        return self._places


@dataclass(slots=True)
class ShardIndex:
    """The lines of a folder's shards by problem, also those that other processes append from now on unless it is `closed`.

    Memory holds some 30 bytes for each row of lines of one problem.
    """

    folder: Path
    closed: bool = False
    _read: dict[Path, int] = field(default_factory=dict)
    _paths: list[Path] = field(default_factory=list)
    _last: dict[str, int] = field(default_factory=dict)
    _files: array[int] = field(default_factory=lambda: array("L"))
    _starts: array[int] = field(default_factory=lambda: array("Q"))
    _ends: array[int] = field(default_factory=lambda: array("Q"))
    _before: array[int] = field(default_factory=lambda: array("q"))

    @classmethod
    def snapshot(cls, folder: Path) -> ShardIndex:
        """Return the index of what stands in the shards now."""
        index = cls(folder)
        index._read_on()
        index.closed = True
        return index

    def problem_ids(self) -> Iterable[str]:
        """Return the problems that lines are about, in the order of their first lines."""
        self._read_on()
        return self._last.keys()

    def lines(self, problem_id: str) -> Iterator[str]:
        """Yield the whole lines of a problem that stand in the shards now, those that are no JSON left out."""
        self._read_on()
        rows, row = [], self._last.get(problem_id, -1)
        while row >= 0:
            rows.append(row)
            row = self._before[row]
        for row in reversed(rows):
            with self._paths[self._files[row]].open("rb") as stream:
                stream.seek(self._starts[row])
                text = stream.read(self._ends[row] - self._starts[row]).decode("utf-8", "replace")
                yield from text.split("\n")[:-1]

    def _read_on(self) -> None:
        for path in () if self.closed else sorted(self.folder.glob("*.jsonl")):
            if path not in self._read:
                self._read[path] = 0
                self._paths.append(path)
            offset, file = self._read[path], self._paths.index(path)
            with path.open("rb") as stream:
                stream.seek(offset)
                for line in stream:
                    if not line.endswith(b"\n"):
                        break
                    problem_id = _problem_of(line)
                    if problem_id is not None:
                        self._add(problem_id, file, offset, offset + len(line))
                    offset += len(line)
            self._read[path] = offset

    def _add(self, problem_id: str, file: int, start: int, end: int) -> None:
        """Note a line; one that follows another of its problem is noted with it."""
        last = self._last.get(problem_id, -1)
        if last >= 0 and self._files[last] == file and self._ends[last] == start:
            self._ends[last] = end
            return
        self._last[problem_id] = len(self._files)
        self._files.append(file)
        self._starts.append(start)
        self._ends.append(end)
        self._before.append(last)


def _problem_of(line: bytes) -> str | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    problem_id = record.get("problem_id") if isinstance(record, dict) else None
    return problem_id if isinstance(problem_id, str) else None


_Place = tuple["Path", int]
_HEAD = b'{"key":'
_DECODER = json.JSONDecoder()
LONGEST_KEY = 10_000
"""Longer keys are read with their records."""


def _keys(path: Path) -> Iterator[tuple[str, int]]:
    """Yield the keys of a shard's lines and the offsets of the lines in bytes."""
    offset = 0
    with path.open("rb") as lines:
        for line in lines:
            if line.endswith(b"\n") and line.startswith(_HEAD):
                key = _key(line)
                if isinstance(key, str):
                    yield key, offset
            offset += len(line)


def _key(line: bytes) -> Any:
    try:
        return _DECODER.raw_decode(line[len(_HEAD) : LONGEST_KEY].decode("utf-8", "replace"))[0]
    except ValueError:
        whole = _whole(line) if len(line) > LONGEST_KEY else None
        return None if whole is None else whole["key"]


def _whole(line: bytes) -> dict[str, Any] | None:
    """Return the key and record of a line, `None` if the line is cut off."""
    try:
        entry = json.loads(line)
    except ValueError:
        return None
    return entry if entry.keys() == {"key", "record"} else None
