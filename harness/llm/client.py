"""The client that sends each request once through the store, within rate limits and a budget."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore, BudgetReached, BusyRequest, RequestClaim, storable
from harness.llm.api_keys import redact
from harness.llm.faults import CLOSING, FAILING, TRANSIENT, UNBILLED, RequestFault, RequestFaultKind
from harness.llm.messages import Reply
from harness.llm.prices import PriceTable
from harness.llm.provider import PROVIDERS, Provider, ProviderAccess
from harness.llm.rate_limits import CircuitBreaker, ProviderLimits, RatePacer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping

    from harness.llm.api_keys import Secret
    from harness.llm.messages import Request

POLL = 0.2
"""Seconds between two looks at a question that another process is asking."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question: a reply, or the fault that was the last; `asked` is how often it was asked in this run."""

    request: Request
    reply: Reply | None
    fault: RequestFault | None = None
    asked: int = 0
    cost: int | None = 0

    @property
    def kept(self) -> bool:
        """Tell whether the reply was there before."""
        return self.reply is not None and self.asked == 0


@dataclass(slots=True)
class _Lane:
    """One provider with its limits, and the state of each of its models."""

    provider: Provider
    limits: ProviderLimits
    requests: RatePacer
    tokens: RatePacer
    places: asyncio.Semaphore
    circuits: dict[str, CircuitBreaker] = field(default_factory=dict)

    def circuit(self, model: str) -> CircuitBreaker:
        """Return a model's circuit: limits, rights and outages differ from one model to the next."""
        return self.circuits.setdefault(model, CircuitBreaker(self.limits))


@dataclass(frozen=True, slots=True)
class _Try:
    """One question sent once: what came of it, and what it cost."""

    outcome: Reply | RequestFault
    cost: int | None


@dataclass(slots=True)
class Client:
    """Asks models through a store, within limits and a budget; used as an asynchronous context.

    `limits` are by provider and take the place of the provider's own; `budget` is in picodollars and holds for the whole
    store; `offline` asks nobody; `watch` is told of every answer.
    """

    store: AnswerStore
    access: ProviderAccess = field(default_factory=ProviderAccess.of_environment)
    prices: PriceTable = field(default_factory=PriceTable.load)
    limits: Mapping[str, ProviderLimits] = field(default_factory=dict)
    budget: int | None = None
    offline: bool = False
    seed: int = 0
    watch: Callable[[Answer], None] | None = None
    _lanes: dict[str, _Lane] = field(default_factory=dict)
    _asking: dict[str, asyncio.Future[Answer | None]] = field(default_factory=dict)
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
        closed = [lane.provider.close() for lane in self._lanes.values()]
        self._lanes.clear()
        for outcome in await asyncio.gather(*closed, return_exceptions=True):
            if isinstance(outcome, BaseException):
                raise outcome

    def limits_of(self, name: str) -> ProviderLimits:
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
                f"no price of {request.name} is known, and a budget needs one: add it to a price table and give --prices FILE"
            )

    async def ask(self, request: Request) -> Answer:
        """Return what came of a question; the same question is asked once, also when it is put twice at the same time.

        Raises:
            BudgetReached: an answer might cost more than is left.
            HarnessError: the provider is not known, has no key, or no price while there is a budget.
        """
        key = request.key
        answer = None
        while answer is None and (asking := self._asking.get(key)) is not None:
            await asyncio.wait([asking])
            answer = asking.result()
        answer = await self._first(request, key) if answer is None else replace(answer, asked=0, cost=0)
        if self.watch is not None:
            self.watch(answer)
        return answer

    async def _first(self, request: Request, key: str) -> Answer:
        """Ask while others who put the same question wait for what comes of it."""
        ended: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self._asking[key] = ended
        answer = None
        try:
            answer = await self._answered(request)
        finally:
            del self._asking[key]
            ended.set_result(answer)
        return answer

    async def _answered(self, request: Request) -> Answer:
        known = self.store.answer(request.key)
        if known is not None:
            return Answer(request, known)
        if self.offline:
            return Answer(
                request, None, RequestFault(RequestFaultKind.DOWN, "no answer is kept, and nobody is to be asked")
            )
        self.check_budget(request)
        lane = self._lane(request.provider)
        circuit = lane.circuit(request.model)
        price = self.prices.of(request)
        most = None if price is None else price.most(request.bound())
        spent: int | None = 0
        asked = 0
        fault: RequestFault | None = None
        while asked < lane.limits.tries and not circuit.down:
            standing = await self._unclaimed(request, most)
            if standing is not None:
                if isinstance(standing, Reply):
                    return Answer(request, standing, None, asked, spent)
                return Answer(request, None, standing, asked, spent)
            async with circuit.passage() as probe, lane.places:
                tried = await self._tried(request, most, lane, probe=probe)
            if tried is None:
                continue
            asked += 1
            spent = None if spent is None or tried.cost is None else spent + tried.cost
            if isinstance(tried.outcome, Reply):
                return Answer(request, tried.outcome, None, asked, spent)
            fault = tried.outcome
            if fault.kind not in TRANSIENT:
                break
            if asked < lane.limits.tries:
                await self._pause(fault, asked, lane)
        return Answer(request, None, fault or RequestFault(RequestFaultKind.DOWN, circuit.reason), asked, spent)

    async def _unclaimed(self, request: Request, most: int | None) -> Reply | RequestFault | None:
        """Wait until nobody else asks; return the answer that another process got, or the fault that a batch asks.

        Raises:
            BudgetReached: nothing under way here could be lost by it, and nothing elsewhere could free enough.
        """
        while True:
            try:
                found = self.store.peek(request, most, budget=self.budget)
            except BudgetReached:
                if not self._under_way:
                    raise
                found = BusyRequest()
            if not isinstance(found, BusyRequest):
                return found
            if found.batch is not None:
                return RequestFault(RequestFaultKind.PENDING, f"batch {found.batch} is asking")
            await asyncio.sleep(POLL)

    async def _tried(self, request: Request, most: int | None, lane: _Lane, *, probe: bool) -> _Try | None:
        """Ask once, when it is this question's turn; `None` where things changed until then.

        The right to ask is taken last, so that a process which dies while it waits leaves nothing that looks like a question sent.
        """
        circuit = lane.circuit(request.model)
        guess = request.estimate().total
        await lane.requests.take(1)
        await lane.tokens.take(guess)
        try:
            claim = self.store.claim(request, most, budget=self.budget) if circuit.lets(probe=probe) else None
        except BudgetReached:
            claim = None
        if not isinstance(claim, RequestClaim):
            lane.tokens.give_back(guess)
            return None
        outcome, seconds = await self._sent(request, claim, lane)
        cost = self._cost(request, claim, outcome)
        if isinstance(outcome, Reply):
            lane.tokens.give_back(guess - (outcome.usage.total or guess))
            circuit.answered()
            self.store.answered(claim, outcome, cost, seconds)
        else:
            if outcome.kind in CLOSING:
                circuit.close_for_good(str(outcome))
            elif outcome.kind in FAILING:
                circuit.failed(str(outcome), probe=probe)
            else:
                circuit.answered()
            if outcome.retry_after is not None and outcome.kind in {RequestFaultKind.RATE, RequestFaultKind.OVERLOADED}:
                circuit.wait_for(outcome.retry_after)
            self.store.failed(claim, outcome, cost, seconds)
        return _Try(outcome, cost)

    async def _sent(self, request: Request, claim: RequestClaim, lane: _Lane) -> tuple[Reply | RequestFault, float]:
        began = time.monotonic()
        self._under_way += 1
        outcome: Reply | RequestFault
        try:
            async with asyncio.timeout(lane.limits.seconds or None) as limit:
                outcome = await lane.provider.ask(request, claim.key)
        except RequestFault as fault:
            outcome = fault
        except BaseException as error:
            if isinstance(error, TimeoutError) and limit.expired():
                outcome = RequestFault(RequestFaultKind.TIME, f"no whole answer within {lane.limits.seconds:g} s")
            else:
                # Nobody knows what became of the question: as if the process had died.
                lost = RequestFault(RequestFaultKind.LOST, f"given up while it was under way: {type(error).__name__}")
                self.store.failed(claim, lost, claim.reserved, time.monotonic() - began)
                raise
        finally:
            self._under_way -= 1
        return redact_outcome(outcome, self.access.secrets), time.monotonic() - began

    def _cost(self, request: Request, claim: RequestClaim, outcome: Reply | RequestFault) -> int | None:
        """Return what was paid: by the tokens that were counted, else, unless it was refused, as much as was set aside."""
        price = self.prices.of(request)
        if isinstance(outcome, RequestFault) and outcome.kind in UNBILLED:
            return 0
        return claim.reserved if price is None or not outcome.usage.input else price.of(outcome.usage)

    async def _pause(self, fault: RequestFault, asked: int, lane: _Lane) -> None:
        """Wait before the next try: as long as the server asks, else longer each time, and never all at once."""
        doublings = asked - 1 if fault.retry_after is None else 0
        longest = min(lane.limits.pause * 2**doublings, lane.limits.longest_pause)
        seconds = longest * self._random.uniform(0.5, 1.0)
        await asyncio.sleep(max(seconds, (fault.retry_after or 0.0) * self._random.uniform(1.0, 1.1)))

    def _lane(self, name: str) -> _Lane:
        if name not in self._lanes:
            entry = PROVIDERS.require(name)
            limits = self.limits_of(name)
            self._lanes[name] = _Lane(
                entry.open(self.access),
                limits,
                RatePacer(limits.requests),
                RatePacer(limits.tokens),
                asyncio.Semaphore(limits.concurrency or sys.maxsize),
            )
        return self._lanes[name]


def redact_outcome(outcome: Reply | RequestFault, secrets: Iterable[Secret]) -> Reply | RequestFault:
    """Return an outcome without keys in it: servers repeat them, and models can be made to."""
    raw = redact(outcome.raw, secrets)
    if isinstance(outcome, Reply):
        return replace(outcome, text=storable(redact(outcome.text, secrets)), raw=raw)
    reason = storable(redact(outcome.reason, secrets))
    return RequestFault(outcome.kind, reason, retry_after=outcome.retry_after, usage=outcome.usage, raw=raw)


async def run_concurrently(jobs: Iterable[Callable[[], Awaitable[Any]]], at_once: int) -> AsyncIterator[Any]:
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
            ended, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                waiting.discard(task)
                yield task.result()
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _run(job: Callable[[], Awaitable[Any]]) -> Any:
    return await job()


__all__ = ["Answer", "BudgetReached", "Client", "run_concurrently"]
