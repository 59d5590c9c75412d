"""The client that sends each request once through the store, within rate limits and a budget."""

import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

from pydantic import SecretStr

from harness.errors import HarnessError
from harness.llm.answer_store import AnswerStore, BudgetReached, BusyRequest, RequestClaim
from harness.llm.api_keys import redact
from harness.llm.messages import CLOSING, FAILING, TRANSIENT, Reply, Request, RequestFault, RequestFaultKind
from harness.llm.prices import PriceTable
from harness.llm.provider import PROVIDERS, Provider, ProviderAccess, ProviderLimits
from harness.text.characters import storable

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

Outcome = TypeVar("Outcome", bound=Reply | RequestFault)
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


@dataclass(slots=True)
class Lane:
    """One provider with its limits, and why each of its models is no longer asked."""

    provider: Provider
    limits: ProviderLimits
    places: asyncio.Semaphore
    rates: "list[tuple[AsyncLimiter, bool]]"
    """The limiters, and whether each counts tokens."""
    failures: Counter[str] = field(default_factory=Counter)
    """Questions in a row that failed in every attempt, by model."""
    down: dict[str, str] = field(default_factory=dict)
    """The reason by model."""

    def count(self, model: str, fault: RequestFault | None) -> None:
        """Count the outcome of a question: too many failures in a row, or one that every question would meet, end the model for this run."""
        self.failures[model] = 0 if fault is None or fault.kind not in FAILING else self.failures[model] + 1
        if fault is not None and (fault.kind in CLOSING or 0 < self.limits.failures <= self.failures[model]):
            self.down[model] = str(fault)


@dataclass(slots=True)
class Client:
    """Asks models through a store, within limits and a budget; an asynchronous context manager.

    `limits` replace the limits of a provider, by its name. `budget` is in picodollars and covers the whole store. An
    `offline` client sends no request.
    """

    store: AnswerStore
    access: ProviderAccess = field(default_factory=ProviderAccess)
    prices: PriceTable = field(default_factory=PriceTable.load)
    limits: Mapping[str, ProviderLimits] = field(default_factory=dict)
    budget: int | None = None
    offline: bool = False
    _lanes: dict[str, Lane] = field(default_factory=dict)
    _under_way: int = 0
    _random: random.Random = field(default_factory=lambda: random.Random("jitter"))  # spreads retries, guards nothing

    async def __aenter__(self) -> Self:
        """Count the open attempts of dead processes as lost."""
        self.store.recover()
        return self

    async def __aexit__(self, *_: object) -> None:
        async with AsyncExitStack() as opened:
            while self._lanes:
                opened.push_async_callback(self._lanes.popitem()[1].provider.close)

    def lane(self, name: str) -> Lane:
        """Return a provider with its limits, opened at first; one that is not known, has no key or whose library is not installed is a `HarnessError`."""
        if name not in self._lanes:
            from aiolimiter import AsyncLimiter

            limits = self.limits.get(name) or PROVIDERS.require(name).limits
            rates = [(AsyncLimiter(1, 60 / limits.requests), False)] if limits.requests else []
            rates += [(AsyncLimiter(limits.tokens, 60), True)] if limits.tokens else []
            places = asyncio.Semaphore(limits.concurrency or sys.maxsize)
            self._lanes[name] = Lane(PROVIDERS.require(name).open(self.access), limits, places, rates)
        return self._lanes[name]

    def check_budget(self, request: Request) -> None:
        """Raise a `HarnessError` if the client has a budget and no price of the model."""
        if self.budget is not None and self.prices.of(request) is None:
            raise HarnessError(
                f"no price of {request.name} is known, and a budget needs one: add it to a price table and give --prices FILE"
            )

    async def ask(self, request: Request) -> Answer:
        """Return the outcome of a question; while another task or process asks it, this one waits for that outcome.

        Raises:
            BudgetReached: an answer might cost more than the rest of the budget.
            HarnessError: the provider is unknown or has no key, or there is a budget and the model has no price.
        """
        known = self.store.answer(request.key)
        if known is not None:
            return Answer(request, known)
        if self.offline:
            fault = RequestFault(RequestFaultKind.DOWN, "the store has no answer, and no request may be sent")
            return Answer(request, None, fault)
        self.check_budget(request)
        lane = self.lane(request.provider)
        answer = Answer(request, None)
        while answer.asked < lane.limits.tries and request.model not in lane.down:
            async with lane.places:
                outcome = await self._attempt(request, lane)
            if isinstance(outcome, Reply):
                return replace(answer, reply=outcome, fault=None)
            if isinstance(outcome, BusyRequest):
                if outcome.batch is not None:
                    pending = RequestFault(RequestFaultKind.PENDING, f"batch {outcome.batch} is asking")
                    return replace(answer, fault=pending)
                await asyncio.sleep(POLL)
                continue
            cost = None if None in {answer.cost, outcome.cost} else (answer.cost or 0) + (outcome.cost or 0)
            answer = replace(outcome, asked=answer.asked + 1, cost=cost)
            if answer.fault is None or answer.fault.kind not in TRANSIENT:
                break
            if answer.asked < lane.limits.tries:
                await asyncio.sleep(self._pause(answer.fault, answer.asked, lane.limits))
        if answer.asked:
            lane.count(request.model, answer.fault)
            return answer
        return replace(answer, fault=RequestFault(RequestFaultKind.DOWN, lane.down[request.model]))

    async def _attempt(self, request: Request, lane: Lane) -> Answer | Reply | BusyRequest:
        """Ask once, after the waits for the rate limits; the answer of another process, or that it is asking, is returned instead.

        The claim is taken after the waits, so that a process that dies while it waits leaves no claim.
        `BudgetReached` is raised where no request of this client is under way, and no other process can free enough.
        """
        standing = self.store.standing(request.key)
        if standing is not None:
            return standing
        for limiter, counts_tokens in lane.rates:
            await limiter.acquire(min(request.estimate().total, limiter.max_rate) if counts_tokens else 1)
        if request.model in lane.down:
            return BusyRequest()
        price = self.prices.of(request)
        most = None if price is None else price.most(request.bound())
        try:
            claim = self.store.claim(request, most, budget=self.budget)
        except BudgetReached:
            if not self._under_way:
                raise
            return BusyRequest()
        if not isinstance(claim, RequestClaim):
            return claim
        began = time.monotonic()
        outcome = redacted(await self._sent(request, claim, lane), self.access.secrets)
        cost = claim.cost(outcome, price)
        self.store.end(claim, outcome, cost, time.monotonic() - began)
        if isinstance(outcome, Reply):
            return Answer(request, outcome, None, 1, cost)
        return Answer(request, None, outcome, 1, cost)

    async def _sent(self, request: Request, claim: RequestClaim, lane: Lane) -> Reply | RequestFault:
        began = time.monotonic()
        self._under_way += 1
        try:
            async with asyncio.timeout(lane.limits.seconds or None) as limit:
                return await lane.provider.ask(request, claim.key)
        except RequestFault as fault:
            return fault
        except BaseException as error:
            if isinstance(error, TimeoutError) and limit.expired():
                return RequestFault(RequestFaultKind.TIME, f"no whole answer within {lane.limits.seconds:g} s")
            # The outcome is unknown, as after the death of the process.
            lost = RequestFault(RequestFaultKind.LOST, f"given up while it was under way: {type(error).__name__}")
            self.store.end(claim, lost, claim.reserved, time.monotonic() - began)
            raise
        finally:
            self._under_way -= 1

    def _pause(self, fault: RequestFault, asked: int, limits: ProviderLimits) -> float:
        """Return the seconds before the next attempt: as long as the server asks, else twice as long each time, with jitter."""
        longest: float = min(limits.pause * 2 ** (asked - 1), limits.longest_pause)
        return max(
            longest * self._random.uniform(0.5, 1.0), (fault.retry_after or 0.0) * self._random.uniform(1.0, 1.1)
        )


def redacted(outcome: Outcome, secrets: Iterable[SecretStr]) -> Outcome:
    """Return an outcome without keys: servers repeat keys, and models can be made to."""
    name = "text" if isinstance(outcome, Reply) else "reason"
    clean: dict[str, Any] = {
        name: storable(redact(getattr(outcome, name), secrets)),
        "raw": redact(outcome.raw, secrets),
    }
    return replace(outcome, **clean)
