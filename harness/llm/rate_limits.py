"""Rate limits of providers, the pacing of requests, and a circuit breaker after repeated failures."""

from __future__ import annotations

import asyncio
import math
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from harness.errors import HarnessError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable


@dataclass(frozen=True, slots=True)
class ProviderLimits:
    """The limits of one provider.

    `concurrency`: concurrent requests; `requests` and `tokens`: per minute; `seconds`: until a request is abandoned;
    `tries`: attempts at one question; `pause`: seconds before the second attempt, doubled for each further one up to
    `longest_pause`; `failures`: so many in a row open a model's circuit, for `pause` times eight, doubled while it stays
    open; `openings`: after so many without an answer between them the model counts as down. 0 means no limit in
    `concurrency`, `requests`, `tokens`, `seconds` and `failures`.
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

    def __post_init__(self) -> None:
        """Check that limits allow a request.

        Raises:
            HarnessError: a limit is negative or no number, or `tries` is 0.
        """
        for limit in fields(self):
            value = getattr(self, limit.name)
            if not 0 <= value < math.inf:
                raise HarnessError(f"limits: {limit.name} is 0 or more, found {value!r}")
        if self.tries < 1:
            raise HarnessError("limits: tries is 1 or more, found 0")


@dataclass(slots=True)
class RatePacer:
    """Spaces amounts evenly, `rate` a minute: the virtual scheduling of the generic cell rate algorithm (ITU-T I.371), no burst."""

    rate: float
    now: Callable[[], float] = time.monotonic
    _free: float = field(default=0.0)

    async def take(self, amount: float) -> None:
        """Wait until the amount may be used."""
        at = self.turn(amount)
        if (left := at - self.now()) > 0:
            await asyncio.sleep(left)

    def turn(self, amount: float) -> float:
        """Reserve an amount and return when it may be used, in seconds of the clock `now`."""
        now = self.now()
        if self.rate <= 0:
            return now
        at = max(now, self._free)
        self._free = at + amount * 60 / self.rate
        return at

    def give_back(self, amount: float) -> None:
        """Give back an unused amount; a negative amount takes the excess."""
        if self.rate > 0:
            self._free = (self._free if amount > 0 else max(self._free, self.now())) - amount * 60 / self.rate


@dataclass(slots=True)
class CircuitBreaker:
    """Opens after several failures in a row; then one question at a time passes until one is answered."""

    limits: ProviderLimits
    now: Callable[[], float] = time.monotonic
    failures: int = 0
    openings: int = 0
    reason: str = ""
    _until: float = 0.0
    _probing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def down(self) -> bool:
        """Tell whether the model is abandoned for this run."""
        return self.openings > self.limits.openings

    @property
    def opened(self) -> bool:
        """Tell whether questions pass one at a time."""
        return self.openings > 0

    def close_for_good(self, reason: str) -> None:
        """Abandon the model because every question would fail alike."""
        self.openings, self.reason = self.limits.openings + 1, reason

    def wait_for(self, seconds: float) -> None:
        """Let no question pass for a number of seconds."""
        self._until = max(self._until, self.now() + seconds)

    @asynccontextmanager
    async def passage(self) -> AsyncIterator[bool]:
        """Wait until the model may be asked; yield whether the circuit is open, in which case no other question passes."""
        while True:
            await self._ready()
            if not self.opened or self.down:
                yield False
                return
            async with self._probing:
                await self._ready()
                if self.opened and not self.down:
                    yield True
                    return

    def lets(self, *, probe: bool) -> bool:
        """Tell whether a question that has passed may still be asked."""
        return not self.down and self._until <= self.now() and (probe or not self.opened)

    async def _ready(self) -> None:
        while (left := self._until - self.now()) > 0 and not self.down:  # noqa: ASYNC110  # waits for a time that others may put off
            await asyncio.sleep(min(left, 1.0))

    def answered(self) -> None:
        """Count an answer, or a refusal of one question, which shows that the server works."""
        if not self.down:
            self.failures = self.openings = 0

    def failed(self, reason: str, *, probe: bool) -> None:
        """Count a failure; open the circuit after too many in a row, and again if the probe failed.

        Failures of questions that were under way when the circuit opened do not count: they have the same cause.
        """
        if self.down or not self.limits.failures or (self.opened and not probe):
            return
        self.failures += 1
        if probe or self.failures >= self.limits.failures:
            self.failures = 0
            self.openings += 1
            self.reason = reason
            self.wait_for(min(self.limits.pause * 8 * 2 ** (self.openings - 1), self.limits.longest_pause * 4))
