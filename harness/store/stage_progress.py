"""A line of progress for each stage: how many problems are judged, for how long, and how long it will take."""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")

APART, APART_IN_A_FILE = 0.2, 15.0
"""Seconds between two states of a line on a terminal, which replace each other, and elsewhere, where each is a line."""


def processor_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


@dataclass(slots=True)
class StageProgress:
    """The progress of one stage, written to a stream; there is no thread, so that processes can be forked at any time."""

    stage: str
    stream: TextIO
    clock: Callable[[], float] = time.monotonic
    processor_clock: Callable[[], float] = processor_seconds
    _created: float = 0.0
    _processed: float = 0.0
    _began: float = 0.0
    _told: float = 0.0
    _total: int = 0
    _done: int = 0
    _wide: int = field(default=0)

    def __post_init__(self) -> None:
        self._created = self._began = self._told = self.clock()
        self._processed = self.processor_clock()

    def began(self, total: int) -> None:
        """Hear how much there is to do; the time before counts for no estimate."""
        self._total = total
        self._began = self._told = self.clock()
        if self.stream.isatty():
            self._write(f"{self.stage}: 0 of {total:,}", last=False)

    def advanced(self, count: int) -> None:
        """Hear that so much more is done."""
        self._done += count
        now = self.clock()
        if now - self._told >= (APART if self.stream.isatty() else APART_IN_A_FILE):
            self._told = now
            self._write(self._state(now - self._began), last=False)

    def ended(self, result: str) -> None:
        """Write the last state of the line: what came of the stage."""
        cpu = seconds_text(self.processor_clock() - self._processed)
        self._write(f"{self.stage}: {result}, {seconds_text(self.clock() - self._created)}, {cpu} of CPU", last=True)

    def over(self, items: Iterable[T], total: int) -> Iterator[T]:
        """Yield items, each of which counts as done when the next one is asked for."""
        self.began(total)
        for item in items:
            yield item
            self.advanced(1)

    def skipped(self) -> None:
        """Write that an earlier run sealed the stage."""
        self._write(f"{self.stage}: sealed before", last=True)

    def cleared(self) -> None:
        """Remove the line from a terminal: what follows says it better."""
        if self.stream.isatty():
            self.stream.write(f"\r{'':<{self._wide}}\r")
            self._wide = 0
            self.stream.flush()

    def _state(self, seconds: float) -> str:
        left = seconds / self._done * (self._total - self._done)
        share = self._done / self._total
        return f"{self.stage}: {self._done:,} of {self._total:,} ({share:.0%}), {seconds_text(seconds)}, ETA {seconds_text(left)}"

    def _write(self, line: str, *, last: bool) -> None:
        if not self.stream.isatty():
            self.stream.write(f"{line}\n")
        else:
            self.stream.write(f"\r{line:<{self._wide}}" + ("\n" if last else ""))
            self._wide = 0 if last else len(line)
        self.stream.flush()


def seconds_text(seconds: float) -> str:
    """Return a duration in the words of a person: `7 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
