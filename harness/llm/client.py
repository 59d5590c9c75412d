"""The client that sends each request once through the store, within rate limits and a budget."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore, BudgetReached, BusyRequest, RequestClaim, storable
from harness.llm.api_keys import redact
from harness.llm.faults import CLOSING, FAILING, TRANSIENT, RequestFault, RequestFaultKind
from harness.llm.messages import Reply
from harness.llm.prices import PriceTable
from harness.llm.provider import PROVIDERS, Provider, ProviderAccess, ProviderLimits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping

    from aiolimiter import AsyncLimiter

    from harness.llm.api_keys import Secret
    from harness.llm.messages import Request

POLL = 0.2
"""Seconds between two checks of a question that another process is asking."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a question: a reply or the last fault.

    `asked` is the number of attempts in this run; `cost` is in picodollars, `None` where no price is known.
    """

    request: Request
    reply: Reply | None
    fault: RequestFault | None = None
    asked: int = 0
    cost: int | None = 0

    @property
    def kept(self) -> bool:
        """Tell whether the reply was in the store before this run."""
        return self.reply is not None and self.asked == 0


@dataclass(slots=True)
class _Lane:
    """One provider with its limits, and why each of its models is no longer asked."""

    provider: Provider
    limits: ProviderLimits
    requests: AsyncLimiter | None
    tokens: AsyncLimiter | None
    places: asyncio.Semaphore
    failures: Counter[str] = field(default_factory=Counter)
    """Questions in a row that failed in every attempt, by model."""
    down: dict[str, str] = field(default_factory=dict)
    """The reason by model."""

    async def turn(self, tokens: int) -> None:
        """Wait until the rates allow another request with so many tokens."""
        if self.requests is not None:
            await self.requests.acquire()
        if self.tokens is not None:
            await self.tokens.acquire(min(tokens, self.tokens.max_rate))

    def count(self, model: str, fault: RequestFault | None) -> None:
        """Count the outcome of a question: too many failures in a row, or one that every question would meet, end the model for this run."""
        self.failures[model] = 0 if fault is None or fault.kind not in FAILING else self.failures[model] + 1
        if fault is not None and (fault.kind in CLOSING or 0 < self.limits.failures <= self.failures[model]):
            self.down[model] = str(fault)


@dataclass(frozen=True, slots=True)
class _Try:
    """The outcome and the cost of one attempt, in picodollars."""

    outcome: Reply | RequestFault
    cost: int | None


@dataclass(slots=True)
class Client:
    """Asks models through a store, within limits and a budget; an asynchronous context manager.

    `limits` replace the limits of a provider, by its name. `budget` is in picodollars and covers the whole store. An
    `offline` client sends no request. `watch` is called with every answer.
    """

    store: AnswerStore
    access: ProviderAccess = field(default_factory=ProviderAccess.of_environment)
    prices: PriceTable = field(default_factory=PriceTable.load)
    limits: Mapping[str, ProviderLimits] = field(default_factory=dict)
    budget: int | None = None
    offline: bool = False
    watch: Callable[[Answer], None] | None = None
    _lanes: dict[str, _Lane] = field(default_factory=dict)
    _asking: dict[str, asyncio.Future[Answer | None]] = field(default_factory=dict)
    _under_way: int = 0
    _random: random.Random = field(default_factory=lambda: random.Random("jitter"))  # spreads retries, guards nothing

    async def __aenter__(self) -> Self:
        """Count the open attempts of dead processes as lost."""
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
        """Return the limits of a provider."""
        return self.limits.get(name) or PROVIDERS.require(name).limits

    def open(self, names: Iterable[str]) -> None:
        """Open providers before the first question, so that a missing key is reported at once.

        Raises:
            HarnessError: a provider is not known, has no key, or its library is not installed.
        """
        for name in names:
            self._lane(name)

    def check_budget(self, request: Request) -> None:
        """Check that a model has a price if there is a budget.

        Raises:
            HarnessError: the client has a budget and no price of the model.
        """
        if self.budget is not None and self.prices.of(request) is None:
            raise HarnessError(
                f"no price of {request.name} is known, and a budget needs one: add it to a price table and give --prices FILE"
            )

    async def ask(self, request: Request) -> Answer:
        """Return the outcome of a question; concurrent equal questions are sent once.

        Raises:
            BudgetReached: an answer might cost more than the rest of the budget.
            HarnessError: the provider is unknown or has no key, or there is a budget and the model has no price.
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
        """Ask while concurrent callers with the same question wait for the outcome."""
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
                request,
                None,
                RequestFault(RequestFaultKind.DOWN, "the store has no answer, and no request may be sent"),
            )
        self.check_budget(request)
        lane = self._lane(request.provider)
        price = self.prices.of(request)
        most = None if price is None else price.most(request.bound())
        spent: int | None = 0
        asked = 0
        fault: RequestFault | None = None
        while asked < lane.limits.tries and request.model not in lane.down:
            standing = await self._unclaimed(request, most)
            if standing is not None:
                if isinstance(standing, Reply):
                    return Answer(request, standing, None, asked, spent)
                return Answer(request, None, standing, asked, spent)
            async with lane.places:
                tried = await self._tried(request, most, lane)
            if tried is None:
                continue
            asked += 1
            spent = None if spent is None or tried.cost is None else spent + tried.cost
            if isinstance(tried.outcome, Reply):
                lane.count(request.model, None)
                return Answer(request, tried.outcome, None, asked, spent)
            fault = tried.outcome
            if fault.kind not in TRANSIENT:
                break
            if asked < lane.limits.tries:
                await asyncio.sleep(self.pause(fault, asked, lane.limits))
        if asked:
            lane.count(request.model, fault)
        return Answer(
            request, None, fault or RequestFault(RequestFaultKind.DOWN, lane.down[request.model]), asked, spent
        )

    async def _unclaimed(self, request: Request, most: int | None) -> Reply | RequestFault | None:
        """Wait until no other process asks; return its answer, a fault if a batch asks, or `None` if the question is free.

        Raises:
            BudgetReached: the budget is too small, no request of this client is under way, and no other process can free enough.
        """
        while True:
            try:
                standing = self.store.peek(request, most, budget=self.budget)
            except BudgetReached:
                if not self._under_way:
                    raise
                standing = BusyRequest()
            if not isinstance(standing, BusyRequest):
                return standing
            if standing.batch is not None:
                return RequestFault(RequestFaultKind.PENDING, f"batch {standing.batch} is asking")
            await asyncio.sleep(POLL)

    async def _tried(self, request: Request, most: int | None, lane: _Lane) -> _Try | None:
        """Ask once, after the waits for the rate limits; `None` if the question can no longer be asked then.

        The claim is taken after the waits, so that a process that dies while it waits leaves no claim.
        """
        await lane.turn(request.estimate().total)
        try:
            claim = None if request.model in lane.down else self.store.claim(request, most, budget=self.budget)
        except BudgetReached:
            claim = None
        if not isinstance(claim, RequestClaim):
            return None
        outcome, seconds = await self._sent(request, claim, lane)
        cost = claim.cost(outcome, self.prices.of(request))
        self.store.end(claim, outcome, cost, seconds)
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
                # The outcome is unknown, as after the death of the process.
                lost = RequestFault(RequestFaultKind.LOST, f"given up while it was under way: {type(error).__name__}")
                self.store.end(claim, lost, claim.reserved, time.monotonic() - began)
                raise
        finally:
            self._under_way -= 1
        return redact_outcome(outcome, self.access.secrets), time.monotonic() - began

    def pause(self, fault: RequestFault, asked: int, limits: ProviderLimits) -> float:
        """Return the seconds before the next attempt: as long as the server asks, else twice as long each time, with jitter."""
        doublings = asked - 1 if fault.retry_after is None else 0
        longest: float = min(limits.pause * 2**doublings, limits.longest_pause)
        seconds = longest * self._random.uniform(0.5, 1.0)
        return max(seconds, (fault.retry_after or 0.0) * self._random.uniform(1.0, 1.1))

    def _lane(self, name: str) -> _Lane:
        if name not in self._lanes:
            from aiolimiter import AsyncLimiter

            entry = PROVIDERS.require(name)
            limits = self.limits_of(name)
            self._lanes[name] = _Lane(
                entry.open(self.access),
                limits,
                AsyncLimiter(1, 60 / limits.requests) if limits.requests else None,
                AsyncLimiter(limits.tokens, 60) if limits.tokens else None,
                asyncio.Semaphore(limits.concurrency or sys.maxsize),
            )
        return self._lanes[name]


def redact_outcome(outcome: Reply | RequestFault, secrets: Iterable[Secret]) -> Reply | RequestFault:
    """Return an outcome without keys: servers repeat keys, and models can be made to."""
    raw = redact(outcome.raw, secrets)
    if isinstance(outcome, Reply):
        return replace(outcome, text=storable(redact(outcome.text, secrets)), raw=raw)
    reason = storable(redact(outcome.reason, secrets))
    return RequestFault(outcome.kind, reason, retry_after=outcome.retry_after, usage=outcome.usage, raw=raw)


async def run_concurrently(jobs: Iterable[Callable[[], Awaitable[Any]]], at_once: int) -> AsyncIterator[Any]:
    """Run at most `at_once` jobs concurrently and yield their results as they end; a job is drawn when it can start.

    The first exception of a job cancels the other jobs and is raised.
    """
    waiting: set[asyncio.Task[Any]] = set()
    drawn = iter(jobs)
    try:
        while True:
            while len(waiting) < at_once and (job := next(drawn, None)) is not None:
                waiting.add(asyncio.ensure_future(job()))
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


__all__ = ["Answer", "BudgetReached", "Client", "run_concurrently"]
