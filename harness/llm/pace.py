"""How fast may a provider be asked, and when is it left alone for a while?"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Limits:
    """What one provider is asked at most; 0 stands for no limit.

    `concurrency`: requests under way at once; `requests` and `tokens`: a minute; `seconds`: until a request is given up;
    `tries`: how often one question is asked; `pause`: seconds before the second try, doubled for each further one up to
    `longest_pause`; `failures`: that many in a row open the circuit, for `pause` times eight, doubled while it stays open;
    `openings`: after so many without an answer between them the provider counts as down.
    """

    concurrency: int = 8
    requests: float = 0.0
    tokens: float = 0.0
    seconds: float = 120.0
    tries: int = 6
    pause: float = 1.0
    longest_pause: float = 60.0
    failures: int = 10
    openings: int = 4


@dataclass(slots=True)
class Pace:
    """Spaces amounts evenly, `rate` a minute: the virtual scheduling of the generic cell rate algorithm (ITU-T I.371), no burst."""

    rate: float
    now: Callable[[], float] = time.monotonic
    _free: float = field(default=0.0)

    async def take(self, amount: float) -> None:
        """Wait until the amount may be used."""
        if self.rate <= 0:
            return
        now = self.now()
        at = max(now, self._free)
        self._free = at + amount * 60 / self.rate
        if at > now:
            await asyncio.sleep(at - now)

    def give_back(self, amount: float) -> None:
        """Return what was taken and not used; a negative amount takes what was used beyond."""
        if self.rate > 0:
            self._free -= amount * 60 / self.rate


@dataclass(slots=True)
class Circuit:
    """Opens after several failures in a row; then one question at a time is let through until one is answered."""

    limits: Limits
    now: Callable[[], float] = time.monotonic
    failures: int = 0
    openings: int = 0
    reason: str = ""
    _until: float = 0.0
    _probing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def down(self) -> bool:
        """Tell whether the provider is given up for this run."""
        return self.openings > self.limits.openings

    @property
    def opened(self) -> bool:
        """Tell whether questions go one at a time."""
        return self.openings > 0

    def close_for_good(self, reason: str) -> None:
        """Give the provider up: every question would fail alike."""
        self.openings, self.reason = self.limits.openings + 1, reason

    def wait_for(self, seconds: float) -> None:
        """Let nobody ask for so long."""
        self._until = max(self._until, self.now() + seconds)

    async def ready(self) -> None:
        """Wait as long as the provider is to be left alone."""
        while (left := self._until - self.now()) > 0 and not self.down:  # noqa: ASYNC110  # waits for a time that others may put off
            await asyncio.sleep(min(left, 1.0))

    def answered(self) -> None:
        """Count an answer: the circuit is whole again."""
        if not self.down:
            self.failures = self.openings = 0

    def failed(self, reason: str) -> None:
        """Count a failure; open the circuit when there were too many in a row."""
        self.failures += 1
        if self.failures >= self.limits.failures and not self.down:
            self.failures = 0
            self.openings += 1
            self.reason = reason
            self.wait_for(min(self.limits.pause * 8 * 2 ** (self.openings - 1), self.limits.longest_pause * 4))
