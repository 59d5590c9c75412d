"""How is a question answered exactly once, whatever goes wrong on the way?"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from harness.errors import HarnessError
from harness.llm.faults import CLOSING, TRANSIENT, Fault, Kind
from harness.llm.keys import redact
from harness.llm.pace import Circuit, Limits, Pace
from harness.llm.prices import Prices
from harness.llm.provider import PROVIDERS, Access, Provider
from harness.llm.requests import Reply
from harness.llm.store import BudgetReached, Busy, Claim, Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping

    from harness.llm.requests import Request

POLL = 0.2
"""Seconds between two looks at a question that another process is asking."""
UNBILLED = frozenset(
    {Kind.RATE, Kind.OVERLOADED, Kind.SERVER, Kind.CONTEXT, Kind.REQUEST, Kind.ACCESS, Kind.QUOTA, Kind.DOWN}
)
"""Refusals of a server, which cost nothing. After any other fault the answer may have been made, and is counted as paid for."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question: a reply, or the fault that was the last; `asked` is how often it was asked in this run."""

    request: Request
    reply: Reply | None
    fault: Fault | None = None
    asked: int = 0
    cost: int | None = 0

    @property
    def kept(self) -> bool:
        """Tell whether the reply was there before."""
        return self.reply is not None and self.asked == 0


@dataclass(slots=True)
class _Lane:
    """One provider with its limits."""

    provider: Provider
    limits: Limits
    requests: Pace
    tokens: Pace
    circuit: Circuit
    places: asyncio.Semaphore
    probe: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class Client:
    """Asks models through a store, within limits and a budget; used as an asynchronous context.

    `limits` are by provider and take the place of the provider's own; `budget` is in picodollars and holds for the whole
    store; `offline` asks nobody; `watch` is told of every answer.
    """

    store: Store
    access: Access = field(default_factory=Access.of_environment)
    prices: Prices = field(default_factory=Prices.load)
    limits: Mapping[str, Limits] = field(default_factory=dict)
    budget: int | None = None
    offline: bool = False
    seed: int = 0
    watch: Callable[[Answer], None] | None = None
    _lanes: dict[str, _Lane] = field(default_factory=dict)
    _asking: dict[str, asyncio.Future[Any]] = field(default_factory=dict)
    _under_way: int = 0
    _random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        """Seed the jitter."""
        self._random = random.Random(f"{self.seed}:jitter")  # spreads retries, guards nothing

    async def __aenter__(self) -> Self:
        """Count what dead processes left as lost."""
        self.store.recover()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close every provider that was opened."""
        for lane in self._lanes.values():
            await lane.provider.close()

    def limits_of(self, name: str) -> Limits:
        """Return what a provider is asked at most."""
        return self.limits.get(name) or PROVIDERS.require(name).limits

    def open(self, names: Iterable[str]) -> None:
        """Open providers before the first question, so that a missing key is told at once.

        Raises:
            HarnessError: a provider is not known, has no key, or its library is not installed.
        """
        for name in names:
            self._lane(name)

    def check_budget(self, request: Request) -> None:
        """Refuse a budget for a model without a price.

        Raises:
            HarnessError: there is a budget, and no price.
        """
        if self.budget is not None and self.prices.of(request) is None:
            raise HarnessError(
                f"no price of {request.name} is known, so that no budget can be kept: add it to a table and give --prices FILE"
            )

    async def ask(self, request: Request) -> Answer:
        """Return what came of a question; the same question is asked once, also when it is put twice at the same time.

        Raises:
            BudgetReached: an answer might cost more than is left.
            HarnessError: the provider is not known, has no key, or no price while there is a budget.
        """
        key = request.key
        while key in self._asking:
            await asyncio.wait([self._asking[key]])
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asking[key] = done
        try:
            answer = await self._answered(request)
        finally:
            del self._asking[key]
            done.set_result(None)
        if self.watch is not None:
            self.watch(answer)
        return answer

    async def _answered(self, request: Request) -> Answer:
        known = self.store.answer(request.key)
        if known is not None:
            return Answer(request, known)
        if self.offline:
            return Answer(request, None, Fault(Kind.DOWN, "no answer is kept, and nobody is to be asked"))
        self.check_budget(request)
        lane = self._lane(request.provider)
        async with lane.places:
            return await self._asked(request, lane)

    async def _asked(self, request: Request, lane: _Lane) -> Answer:
        price = self.prices.of(request)
        guess = request.estimate().total
        most = None if price is None else price.most(request.bound())
        spent, asked = 0, 0
        fault = Fault(Kind.DOWN, lane.circuit.reason or "the provider is down")
        while asked < lane.limits.tries and not lane.circuit.down:
            claim = await self._claimed(request, most)
            if isinstance(claim, Reply):
                return Answer(request, claim, asked=asked, cost=spent)
            self._under_way += 1
            try:
                outcome, seconds = await self._tried(request, claim, lane)
            except BaseException:
                # Nobody knows whether the question was sent: as if the process had died.
                self._fail(claim, Fault(Kind.LOST, "given up while it was under way"), 0.0)
                raise
            finally:
                self._under_way -= 1
            if outcome is None:
                self.store.withdrawn(claim)
                break
            asked += 1
            if isinstance(outcome, Reply):
                cost = None if price is None else price.of(outcome.usage)
                self.store.answered(claim, outcome, cost, seconds)
                lane.tokens.give_back(guess - (outcome.usage.total or guess))
                lane.circuit.answered()
                return Answer(request, outcome, asked=asked, cost=None if cost is None else spent + cost)
            fault = outcome
            spent += self._fail(claim, fault, seconds) or 0
            if fault.kind in CLOSING:
                lane.circuit.close_for_good(str(fault))
            if fault.kind not in TRANSIENT:
                break
            lane.circuit.failed(str(fault))
            if asked < lane.limits.tries:
                await self._pause(fault, asked, lane)
        return Answer(request, None, fault, asked, spent)

    async def _claimed(self, request: Request, most: int | None) -> Claim | Reply:
        """Return the right to ask, or the answer that another process got meanwhile.

        What is set aside for questions under way may come free again, so the budget is reached when none is.
        """
        while True:
            try:
                claim = self.store.claim(request, most, budget=self.budget)
            except BudgetReached:
                if not self._under_way:
                    raise
            else:
                if not isinstance(claim, Busy):
                    return claim
            await asyncio.sleep(POLL)

    async def _tried(self, request: Request, claim: Claim, lane: _Lane) -> tuple[Reply | Fault | None, float]:
        """Ask once, when it is this question's turn; `None` where the provider went down meanwhile."""
        if lane.circuit.opened:
            async with lane.probe:
                return await self._sent(request, claim, lane)
        return await self._sent(request, claim, lane)

    async def _sent(self, request: Request, claim: Claim, lane: _Lane) -> tuple[Reply | Fault | None, float]:
        await lane.circuit.ready()
        await lane.requests.take(1)
        await lane.tokens.take(request.estimate().total)
        await lane.circuit.ready()
        if lane.circuit.down:
            return None, 0.0
        began = time.monotonic()
        outcome: Reply | Fault
        try:
            async with asyncio.timeout(lane.limits.seconds or None):
                outcome = await lane.provider.ask(request, claim.key)
        except TimeoutError:
            outcome = Fault(Kind.TIME, f"no whole answer within {lane.limits.seconds:g} s")
        except Fault as fault:
            outcome = fault
        return self._clean(outcome), time.monotonic() - began

    def _clean(self, outcome: Reply | Fault) -> Reply | Fault:
        """Return an outcome without keys in it: servers repeat them, and models can be made to."""
        secrets = self.access.secrets
        if isinstance(outcome, Reply):
            return replace(outcome, text=redact(outcome.text, secrets), raw=redact(outcome.raw, secrets))
        return Fault(
            outcome.kind,
            redact(outcome.reason, secrets),
            retry_after=outcome.retry_after,
            usage=outcome.usage,
            raw=redact(outcome.raw, secrets),
        )

    def _fail(self, claim: Claim, fault: Fault, seconds: float) -> int | None:
        cost = 0 if fault.kind in UNBILLED else claim.reserved
        self.store.failed(claim, fault, cost, seconds)
        return cost

    async def _pause(self, fault: Fault, asked: int, lane: _Lane) -> None:
        """Wait before the next try: as long as the server asks, else longer each time, and never all at once."""
        if fault.retry_after is not None:
            if fault.kind in {Kind.RATE, Kind.OVERLOADED}:
                lane.circuit.wait_for(fault.retry_after)
            await asyncio.sleep(fault.retry_after * self._random.uniform(1.0, 1.1))
            return
        longest = min(lane.limits.pause * 2 ** (asked - 1), lane.limits.longest_pause)
        await asyncio.sleep(longest * self._random.uniform(0.5, 1.0))

    def _lane(self, name: str) -> _Lane:
        if name not in self._lanes:
            entry = PROVIDERS.require(name)
            limits = self.limits_of(name)
            self._lanes[name] = _Lane(
                entry.open(self.access),
                limits,
                Pace(limits.requests),
                Pace(limits.tokens),
                Circuit(limits),
                asyncio.Semaphore(limits.concurrency),
            )
        return self._lanes[name]


async def in_turn(jobs: Iterable[Callable[[], Awaitable[Any]]], at_once: int) -> AsyncIterator[Any]:
    """Run jobs, so many at once, and yield what they return as they end; jobs are drawn only when there is room for them.

    The first exception ends it: jobs under way are cancelled, and it is raised.
    """
    waiting: set[asyncio.Task[Any]] = set()
    drawn = iter(jobs)
    try:
        while True:
            while len(waiting) < at_once and (job := next(drawn, None)) is not None:
                waiting.add(asyncio.ensure_future(_run(job)))
            if not waiting:
                return
            ended, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                yield task.result()
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _run(job: Callable[[], Awaitable[Any]]) -> Any:
    return await job()


__all__ = ["Answer", "BudgetReached", "Client", "in_turn"]
