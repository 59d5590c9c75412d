"""A line of progress for each stage: how many problems are judged, for how long, and how long it will take."""

import importlib
import io
import resource
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TextIO, TypeVar

T = TypeVar("T")

APART, APART_IN_A_FILE = 0.2, 15.0
"""Seconds between two states of a line on a terminal, which replace each other, and elsewhere, where each is a line."""
SHORT = 3.0
"""Seconds that a stage may take before a terminal shows its progress."""
BAR = 24
"""The width of the bar on a terminal."""


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
    noun: str = "problems"
    transient: bool = False
    """Shown on a terminal alone, and removed at the end."""
    _created: float = 0.0
    _processed: float = 0.0
    _began: float = 0.0
    _shown_at: float = 0.0
    _total: int = 0
    _done: int = 0
    _share: float = 0.0
    _findings: int | None = None

    def __post_init__(self) -> None:
        self._created = self._began = self._shown_at = self.clock()
        self._processed = self.processor_clock()

    def began(self, total: int) -> None:
        """Take the amount of work, at first or in another round; the time before does not count in the estimate."""
        self._total, self._done, self._share = total, 0, 0.0
        self._began = self._shown_at = self.clock()

    def advanced(self, count: int, *, findings: int | None = None, share: float | None = None) -> None:
        """Take the amount of further work done and the number of new findings; `share` is that of all work where its amount is not known, 0 where it is not known either."""
        self._done += count
        if share is None:
            share = min(self._done / self._total, 1.0) if self._total else 1.0
        self._share = share
        self._findings = self._findings if findings is None else (self._findings or 0) + findings
        now = self.clock()
        on_a_terminal = self.stream.isatty()
        if now - self._shown_at >= (APART if on_a_terminal else APART_IN_A_FILE) and now - self._created >= SHORT:
            self._shown_at = now
            state = self._state(now - self._began)
            self._write(f"{self._bar(len(state))}{state}" if on_a_terminal else state, last=False)

    def ended(self, result: str) -> None:
        """Write the last state of the line: the result of the stage."""
        cpu = seconds_text(self.processor_clock() - self._processed)
        self._write(f"{self.stage}: {result}, {seconds_text(self.clock() - self._created)}, {cpu} of CPU", last=True)

    def over(self, items: Iterable[T], total: int) -> Iterator[T]:
        """Yield items, each of which counts as done when the next one is asked for."""
        self.began(total)
        try:
            for item in items:
                yield item
                self.advanced(1)
        finally:
            self.cleared()

    def skipped(self) -> None:
        """Write that an earlier run sealed the stage."""
        self._write(f"{self.stage}: sealed before", last=True)

    def cleared(self) -> None:
        """Remove the line from a terminal, because the next output replaces it."""
        if self.stream.isatty():
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def _state(self, seconds: float) -> str:
        left = f", ETA {seconds_text(seconds / self._share * (1 - self._share))}" if self._share else ""
        found = "" if self._findings is None else f", {self._findings:,} finding{'' if self._findings == 1 else 's'}"
        of_all = f" of {self._total:,}" if self._total else ""
        count = f"{self._done:,}{of_all} {self.noun}{f' ({self._share:.0%})' if self._share else ''}"
        return f"{self.stage}: {count}{found}, {seconds_text(seconds)}{left}"

    def _bar(self, beside: int) -> str:
        """Return the bar, coloured, and a space, or nothing where the line has no room for it; `rich` knows what the terminal can show."""
        width = min(BAR, shutil.get_terminal_size().columns - beside - 2)
        if width < BAR // 3:
            return ""
        from rich.console import Console  # only needed to show progress
        from rich.progress_bar import ProgressBar

        console = Console(file=self.stream, force_terminal=True, force_jupyter=False)
        with console.capture() as captured:
            console.print(ProgressBar(1, self._share, width=width), end="")
        return f"{captured.get()} "

    def _write(self, line: str, *, last: bool) -> None:
        if self.transient and (last or not self.stream.isatty()):
            self.cleared()
        elif not self.stream.isatty():
            self.stream.write(f"{line}\n")
        else:
            # The rest of a longer previous line is erased.
            self.stream.write(f"\r{line}\x1b[K" + ("\n" if last else ""))
        self.stream.flush()


class NotebookLine(io.TextIOBase):
    """A line in the output of a cell of a notebook, as a terminal on which each state replaces the one before."""

    def __init__(self) -> None:
        self._shown: Any = None

    def isatty(self) -> bool:
        """Tell that states replace each other."""
        return True

    def write(self, text: str) -> int:
        """Show a state; the sign that erases a line of a terminal alone removes it, and no text does nothing."""
        line = {"text/plain": text.strip("\r\n").removesuffix("\x1b[K")}
        if text and self._shown is not None:
            self._shown.update(line, raw=True)
        elif line["text/plain"]:
            self._shown = importlib.import_module("IPython.display").display(line, raw=True, display_id=True)
        return len(text)


def caller_progress(stage: str, noun: str, *, shown: bool) -> StageProgress:
    """Return the progress of a function of Python: shown on a terminal and in a notebook, nowhere else, while it lasts."""
    stream: Any = sys.stderr if shown else io.StringIO()
    if shown and "IPython" in sys.modules:
        from rich.console import Console  # it knows the kinds of notebooks

        stream = NotebookLine() if Console().is_jupyter else stream
    return StageProgress(stage, stream, noun=noun, transient=True)


def seconds_text(seconds: float) -> str:
    """Return a duration in the words of a person: `7 s`, `3 min 20 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
