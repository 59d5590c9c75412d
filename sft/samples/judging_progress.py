"""The progress of a command that judges a file line by line: how much is judged, what was found, and the time left."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field

from harness.store.stage_progress import seconds_text

APART = 5.0
"""Seconds between two lines of progress."""


@dataclass(slots=True)
class JudgingProgress:
    """Counts of what a command has judged, which it writes to standard error every few seconds and at the end.

    `noun` names the judged items, such as `solutions`, and `finding` a finding about one, such as `flawed`.
    """

    command: str
    noun: str
    finding: str
    quiet: bool = False
    judged: int = 0
    found: int = 0
    unjudged: int = 0
    first_error: str = ""
    _started: float = field(default_factory=time.monotonic)
    _told: float = field(default_factory=time.monotonic)

    def add(self, *, found: bool, error: str | None = None) -> None:
        """Count a judgement; one with an error is of a line that could not be judged."""
        self.judged += 1
        self.found += found
        if error:
            self.unjudged += 1
            self.first_error = self.first_error or f"line {self.judged}: {error}"

    def tell(self, *, done: float | None, last: bool = False) -> None:
        """Write a line if the last one is five seconds old; `done` is the share of the input that was read, `None` if unknown."""
        now = time.monotonic()
        if self.quiet or (last and not self.judged) or not (last or now - self._told >= APART):
            return
        self._told = now
        seconds = now - self._started
        rate = self.judged / max(seconds, 1e-3)
        noun = self.noun.removesuffix("s") if self.judged == 1 else self.noun
        speed = f"{rate:,.1f} a second" if rate >= 1 else f"{seconds_text(1 / rate)} each"
        text = f"{self.command}: {self.judged:,} {noun}, {self.found:,} {self.finding}, {speed}"
        if not last and done and done < 1:  # a short file is read whole before its first line is judged
            text += f", {done:.0%} of the file read, ETA {seconds_text(seconds * (1 - done) / done)}"
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
