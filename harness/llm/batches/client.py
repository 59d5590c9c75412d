"""The client that submits batches and collects their results, each request exactly once, also after a crash."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from harness.errors import HarnessError
from harness.llm.batch_protocol import BatchSize, DoubtfulSubmission
from harness.llm.batches.ledger import Batch, BatchLedger, BatchState
from harness.llm.client import redact_outcome
from harness.llm.faults import CLOSING, FAILING, RequestFault, RequestFaultKind
from harness.llm.messages import Request
from harness.llm.provider import PROVIDERS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from typing import TypeVar

    from harness.llm.batch_protocol import BatchProvider
    from harness.llm.client import Client
    from harness.llm.messages import Reply
    from harness.llm.prices import TokenPrice

    T = TypeVar("T")

SETTLED = 60.0
"""Seconds during which a provider's list may lag behind what was handed in."""
EVERY = 60.0
"""Seconds between two looks at what is under way."""
_BYTES_A_SECOND = 100_000
"""A connection slower than that is given up while it hands in."""
_AT_ONCE = 200
"""Results that are kept in one change: a kill loses so many, which are fetched again for nothing."""
_DOWNLOADS = 3
"""How often results are fetched that are fewer than the provider says there are."""


@dataclass(slots=True)
class BatchSubmission:
    """What became of questions to be handed in.

    `batches` are our names of those the provider took, `doubtful` of those it may have taken, `refused` says of the others why
    it did not. `asked` questions are in batches, `kept` had an answer, `busy` are being asked already, `over_budget` were left.
    """

    batches: list[str] = field(default_factory=list)
    doubtful: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    asked: int = 0
    kept: int = 0
    busy: int = 0
    over_budget: int = 0


@dataclass(slots=True)
class BatchCollection:
    """What was fetched.

    `pending` batches have not ended, `doubtful` ones may not exist. Of the results, `repeated` ones came twice, `foreign` ones belong to no
    question of their batch, `malformed` ones cannot be read; `missing` questions had none, and failed. `faults` are of looking.
    """

    answered: int = 0
    failed: int = 0
    missing: int = 0
    repeated: int = 0
    foreign: int = 0
    malformed: int = 0
    pending: int = 0
    doubtful: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def done(self) -> bool:
        """Tell whether nothing is under way any more."""
        return not self.pending and not self.doubtful


@dataclass(slots=True)
class _Draft:
    """Questions that are gathered for one batch."""

    requests: dict[str, Request] = field(default_factory=dict)
    lines: dict[str, bytes] = field(default_factory=dict)
    bytes: int = 0


@dataclass(slots=True)
class _Lines:
    """What stands in a file of results: questions of the batch, and the rest as in `BatchCollection`."""

    own: int = 0
    repeated: int = 0
    foreign: int = 0
    malformed: int = 0


@dataclass(slots=True)
class BatchClient:
    """Hands questions in by batches and fetches what came of them, with the store, keys, prices and budget of a client.

    All it knows stands in the store: any process that opens the same one goes on where another ended. `most` makes batches smaller
    than the provider's limit. Used as an asynchronous context, or closed.
    """

    client: Client
    most: BatchSize | None = None
    settled: float = SETTLED
    ledger: BatchLedger = field(init=False)
    _open: dict[str, BatchProvider] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Open the table of batches; errors as in `AnswerStore`."""
        self.ledger = BatchLedger(self.client.store)

    async def __aenter__(self) -> Self:
        """Return itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close it."""
        await self.close()

    async def close(self) -> None:
        """Let go of connections; what is under way stays so."""
        for batching in self._open.values():
            await batching.close()
        self._open.clear()

    async def submit(self, requests: Iterable[Request]) -> BatchSubmission:
        """Hand in the questions that have no answer and are not being asked, split by model and by the provider's limits.

        What another process may have handed in before it died is looked for first, so that nothing is handed in twice. Stops at
        the budget, when what fits has been handed in.

        Raises:
            HarnessError: a provider takes no batches, has no key, or no price while there is a budget; a question exceeds a batch.
        """
        await self._settle()
        done = BatchSubmission()
        drafts: dict[tuple[str, str], _Draft] = {}
        for request in requests:
            self.client.check_budget(request)
            batching = self._batching(request.provider)
            most = self.most or batching.most
            key = request.key
            if self.client.store.answer(key) is not None:
                done.kept += 1
                continue
            try:
                line = batching.line(key, request)
            except UnicodeEncodeError as error:
                done.refused.append(f"question {key} to {request.name} cannot be written as UTF-8: {error.reason}")
                continue
            if len(line) > most.bytes:
                raise HarnessError(
                    f"question {key} has {len(line):,} bytes, a batch of {request.provider} {most.bytes:,}"
                )
            draft = drafts.setdefault((request.provider, request.model), _Draft())
            if key in draft.requests:
                continue
            if len(draft.requests) == most.requests or draft.bytes + len(line) > most.bytes:
                await self._hand_in(draft, done)
                draft = drafts[request.provider, request.model] = _Draft()
            draft.requests[key], draft.lines[key] = request, line
            draft.bytes += len(line)
            if done.over_budget:
                break
        for draft in drafts.values():
            await self._hand_in(draft, done)
        return done

    async def collect(self) -> BatchCollection:
        """Fetch what came of all batches of the store that have ended, and look for those in doubt.

        A batch that cannot be looked at now is told of in `faults`, and counts as pending.

        Raises:
            HarnessError: a provider denies access to a batch; what else there is was fetched.
        """
        got = BatchCollection()
        denied: list[str] = []
        got.doubtful = await self._resolve(got.faults)
        got.pending = len(self.ledger.batches(BatchState.SUBMITTING))
        for batch in self.ledger.batches(BatchState.SUBMITTED):
            try:
                if not await self._fetch(batch, got):
                    got.pending += 1
            except RequestFault as fault:
                got.faults.append(f"batch {batch.name} ({batch.remote}): {self._clean(fault)}")
                got.pending += 1
                if fault.kind in CLOSING:
                    denied.append(f"{got.faults[-1]}; see to it, or give it up by Batches.give_up({batch.name!r})")
        if denied:
            raise HarnessError("\n".join(denied))
        return got

    async def wait(
        self, *, every: float = EVERY, watch: Callable[[BatchCollection], None] | None = None
    ) -> BatchCollection:
        """Collect until nothing is under way, `every` so many seconds, and return the sum; errors as in `collect`.

        `watch` is told of every look.
        """
        whole = BatchCollection()
        while True:
            got = await self.collect()
            for name in ("answered", "failed", "missing", "repeated", "foreign", "malformed"):
                setattr(whole, name, getattr(whole, name) + getattr(got, name))
            whole.pending, whole.doubtful, whole.faults = got.pending, got.doubtful, got.faults
            if watch is not None:
                watch(got)
            if got.done:
                return whole
            await asyncio.sleep(every)

    def give_up(self, name: str) -> int:
        """Fail the open questions of a batch, as lost and paid for, since nobody knows; return how many there were."""
        found = [one for one in self.ledger.batches() if one.name == name]
        if not found:
            raise HarnessError(f"no batch {name!r} in {self.client.store.path}")
        return self.ledger.collected(
            found[0], RequestFault(RequestFaultKind.LOST, "its batch was given up"), self._price(found[0])
        )

    def _batching(self, name: str) -> BatchProvider:
        if name not in self._open:
            entry = PROVIDERS.require(name)
            if entry.batches is None:
                able = ", ".join(one.name for one in PROVIDERS if one.batches is not None)
                raise HarnessError(f"{name} takes no batches; those that do: {able}")
            self._open[name] = entry.batches(self.client.access)
        return self._open[name]

    def _price(self, batch: Batch) -> TokenPrice | None:
        return self.client.prices.of(Request(batch.provider, batch.model, ()))

    def _clean(self, fault: RequestFault) -> RequestFault:
        found = redact_outcome(fault, self.client.access.secrets)
        return found if isinstance(found, RequestFault) else fault

    async def _hand_in(self, draft: _Draft, done: BatchSubmission) -> None:
        if not draft.requests or done.over_budget:
            return
        first = next(iter(draft.requests.values()))
        price = self.client.prices.of(first)
        begun = self.ledger.begin(draft.requests.values(), price, self.client.budget)
        done.kept, done.busy, done.over_budget = (
            done.kept + begun.kept,
            done.busy + begun.busy,
            done.over_budget + begun.over_budget,
        )
        if not begun.claims:
            return
        lines = [draft.lines[claim.key] for claim in begun.claims]
        try:
            remote = await self._submitted(first.provider, begun.name, lines)
        except DoubtfulSubmission as fault:
            self.ledger.doubtful(begun.name, str(self._clean(fault)))
            done.doubtful.append(begun.name)
        except RequestFault as fault:
            fault = self._clean(fault)
            self.ledger.refused(begun.name, fault)
            done.refused.append(f"{len(lines)} questions to {first.name}: {fault}")
            return
        except BaseException as error:
            self.ledger.doubtful(begun.name, f"{type(error).__name__} while it was handed in")
            raise
        else:
            self.ledger.submitted(begun.name, remote)
            done.batches.append(begun.name)
        done.asked += len(lines)

    async def _submitted(self, provider: str, name: str, lines: list[bytes]) -> str:
        """Hand in, again after faults that pass; errors as in `BatchProvider.submit`."""
        limits = self.client.limits_of(provider)
        seconds = limits.seconds and limits.seconds + sum(map(len, lines)) / _BYTES_A_SECOND
        tried = 0
        while True:
            tried += 1
            try:
                async with asyncio.timeout(seconds or None):
                    return await self._batching(provider).submit(name, lines)
            except TimeoutError:
                raise DoubtfulSubmission(RequestFaultKind.TIME, f"not handed in within {seconds:g} s") from None
            except DoubtfulSubmission:
                raise
            except RequestFault as fault:
                if fault.kind not in FAILING or tried >= limits.tries:
                    raise
                longest = min(limits.pause * 2 ** (tried - 1), limits.longest_pause)
                await asyncio.sleep(longest if fault.retry_after is None else fault.retry_after)

    async def _settle(self) -> None:
        """Look for batches in doubt until each is found, not there for long enough, or cannot be told by looking now."""
        until = time.monotonic() + 2 * self.settled
        untold: list[str] = []
        while await self._resolve(untold) > len(untold) and time.monotonic() < until:
            untold.clear()
            await asyncio.sleep(min(self.settled / 4, 5.0))

    async def _resolve(self, faults: list[str]) -> int:
        """Look once for batches in doubt; return how many remain so."""
        left = 0
        for sought in self.ledger.in_doubt():
            try:
                remote = await self._timed(sought.provider, self._batching(sought.provider).find(sought))
            except RequestFault as fault:
                faults.append(f"batch {sought.name}: {self._clean(fault)}")
                left += 1
                continue
            if remote is not None:
                self.ledger.submitted(sought.name, remote)
            elif not self.ledger.unseen(sought.name, self.settled):
                left += 1
        return left

    async def _timed(self, provider: str, job: Awaitable[T]) -> T:
        seconds = self.client.limits_of(provider).seconds
        try:
            async with asyncio.timeout(seconds or None):
                return await job
        except TimeoutError:
            raise RequestFault(RequestFaultKind.TIME, f"no whole answer within {seconds:g} s") from None

    async def _fetch(self, batch: Batch, got: BatchCollection) -> bool:
        """Fetch a batch if it has ended, and tell whether; errors as in `BatchProvider`."""
        batching, remote = self._batching(batch.provider), str(batch.remote)
        ending = await self._timed(batch.provider, batching.ended(remote))
        if ending is None:
            return False
        price, labels = self._price(batch), self.ledger.labels(batch.name)
        for download in range(_DOWNLOADS):
            if download:
                await asyncio.sleep(self.client.limits_of(batch.provider).pause)
            odd = await self._read(batch, labels, price, got)
            if odd.own >= min(ending.results, len(labels)):
                break
        got.repeated, got.foreign, got.malformed = (
            got.repeated + odd.repeated,
            got.foreign + odd.foreign,
            got.malformed + odd.malformed,
        )
        got.missing += self.ledger.collected(batch, self._clean(ending.rest), price)
        return True

    async def _read(
        self, batch: Batch, labels: frozenset[str], price: TokenPrice | None, got: BatchCollection
    ) -> _Lines:
        """Keep all results of a batch, and count what else stands there; errors as in `BatchProvider`."""
        lines, seen = _Lines(), set[str]()
        some: dict[str, Reply | RequestFault] = {}
        try:
            async with aclosing(self._batching(batch.provider).results(str(batch.remote))) as results:
                while (result := await self._timed(batch.provider, anext(results, None))) is not None:
                    if result.label is None:
                        lines.malformed += 1
                    elif result.label not in labels:
                        lines.foreign += 1
                    elif result.label in seen:
                        lines.repeated += 1
                    else:
                        seen.add(result.label)
                        some[result.label] = redact_outcome(result.outcome, self.client.access.secrets)
                    if len(some) == _AT_ONCE:
                        self._keep(batch, some, price, got)
        finally:
            self._keep(batch, some, price, got)
        lines.own = len(seen)
        return lines

    def _keep(
        self, batch: Batch, some: dict[str, Reply | RequestFault], price: TokenPrice | None, got: BatchCollection
    ) -> None:
        kept = self.ledger.record(batch, some, price)
        got.answered += kept.answered
        got.failed += kept.failed
        some.clear()
