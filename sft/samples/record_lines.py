"""Reading items and writing judgements line by line, from and to files and pipes; an interrupted run loses nothing."""

from __future__ import annotations

import contextlib
import gzip
import json
import sys
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from harness.corpora.labelled_solutions import LONGEST_TEXT
from harness.errors import HarnessError
from harness.text.characters import kind_of
from sft.samples.solution_text import read_item

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sft.samples.items import Item

PIPE = "-"
LONGEST_LINE = 1_000_000
"""In bytes; a longer line is skipped without being kept in memory."""
KEYS = ("question", "solution")


@dataclass(frozen=True, slots=True)
class LineInput:
    """Lines of bytes; for a file, `raw` is the file and `size` its number of bytes."""

    stream: IO[bytes] | gzip.GzipFile
    raw: IO[bytes] | None = None
    size: int = 0

    def done(self) -> float | None:
        """Return the share of the file that was read, `None` for a pipe."""
        return min(1.0, self.raw.tell() / self.size) if self.raw is not None and self.size else None

    def lines(self) -> Iterator[bytes | None]:
        """Yield each line without its end, `None` for one that is too long."""
        while line := self.stream.readline(LONGEST_LINE + 1):
            if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
                yield line.rstrip(b"\r\n")
                continue
            while line and not line.endswith(b"\n"):
                line = self.stream.readline(LONGEST_LINE)
            yield None


@contextlib.contextmanager
def _kept_if_written(partial: Path) -> Iterator[None]:
    """Remove a file that an error leaves empty."""
    try:
        yield
    except BaseException:
        if not partial.stat().st_size:
            partial.unlink()
        raise


def require_lines(name: str, lines: int, *fields: str) -> None:
    """Check that a file had a line; a pipe may be empty.

    Raises:
        HarnessError: it had none.
    """
    if not lines and name != "-":
        raise HarnessError(f"{name}: the file is empty; expected JSON lines with {' and '.join(map(repr, fields))}")


@contextlib.contextmanager
def open_input(name: str) -> Iterator[LineInput]:
    """Open a file, plain or `.gz`, or standard input for `-`.

    Raises:
        HarnessError: the file cannot be read.
    """
    if name == PIPE:
        yield LineInput(sys.stdin.buffer)
        return
    path = Path(name)
    try:
        raw = path.open("rb")
    except OSError as error:
        raise HarnessError(f"{name}: cannot be read ({error.strerror}); give JSON lines, or - for a pipe") from None
    with raw:
        size = path.stat().st_size
        if path.suffix != ".gz":
            yield LineInput(raw, raw, size)
            return
        try:
            with gzip.open(raw) as stream:
                yield LineInput(stream, raw, size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise HarnessError(f"{name}: cannot be read to its end ({error})") from None


def read_items(source: LineInput) -> Iterator[Item | str]:
    """Yield the item of each line, or a message about what is wrong with the line."""
    for line in source.lines():
        yield f"the line is longer than {LONGEST_LINE:,} bytes" if line is None else _item(line)


def _item(line: bytes) -> Item | str:
    text = line.decode("utf-8", "replace").removeprefix("\ufeff")
    if not text.strip():
        return "the line is empty"
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        return f"no JSON: {str(error)[:100]}"
    if not isinstance(record, dict):
        return f"expected an object, found {kind_of(record)}"
    for key in KEYS:
        if key not in record:
            return f"expected {key!r}, found {', '.join(map(repr, list(record)[:5]))[:80] or 'no key'}"
        if not isinstance(record[key], str):
            return f"expected text in {key!r}, found {kind_of(record[key])}"
    item = read_item(record["question"], record["solution"])
    reference = record.get("reference")
    return replace(item, reference=reference[:LONGEST_TEXT]) if isinstance(reference, str) else item


@dataclass(frozen=True, slots=True)
class LineOutput:
    """The output of lines; `partial` is the file that holds them until the end, `None` for a pipe."""

    stream: IO[bytes] | gzip.GzipFile
    partial: Path | None = None

    def write(self, line: str) -> None:
        """Write a line; half a surrogate pair is written as its escape."""
        self.stream.write(line.encode("utf-8", "backslashreplace"))

    def flush(self) -> None:
        """Flush the written lines, so that a kill does not lose them."""
        self.stream.flush()


@contextlib.contextmanager
def open_output(name: str) -> Iterator[LineOutput]:
    """Open a file, plain or `.gz`, that appears when all lines are written; or standard output for `-`.

    Raises:
        HarnessError: the file cannot be written.
    """
    if name == PIPE:
        yield LineOutput(sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    path = Path(name)
    partial = path.with_name(f"{path.name}.partial")
    try:
        raw = partial.open("wb")
    except OSError as error:
        raise HarnessError(f"{name}: cannot be written ({error.strerror})") from None
    with raw, _kept_if_written(partial):
        if path.suffix == ".gz":
            # Without a date in the gzip header, the same judgements give the same bytes.
            with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as stream:
                yield LineOutput(stream, partial)
        else:
            yield LineOutput(raw, partial)
    partial.replace(path)
