"""The client that submits batches and collects their results, each request exactly once, also after a crash."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from harness.errors import HarnessError
from harness.llm.batch_ledger import Batch, BatchLedger, BatchState
from harness.llm.batch_provider import BatchSize, DoubtfulSubmission
from harness.llm.client import redact_outcome
from harness.llm.faults import CLOSING, FAILING, RequestFault, RequestFaultKind
from harness.llm.messages import Request
from harness.llm.provider import PROVIDERS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from typing import TypeVar

    from harness.llm.batch_provider import BatchEnding, BatchProvider
    from harness.llm.client import Client
    from harness.llm.messages import Reply
    from harness.llm.prices import TokenPrice

    T = TypeVar("T")

SETTLED = 60.0
"""Seconds by which the list of a provider may lag behind submissions."""
EVERY = 60.0
"""Seconds between two checks of open batches."""
_BYTES_A_SECOND = 100_000
"""The slowest accepted rate of an upload; a slower connection is closed."""
_AT_ONCE = 200
"""Results that are stored in one transaction; a kill loses at most this number, which is fetched again without cost."""
_DOWNLOADS = 3
"""The number of downloads while there are fewer results than the provider states."""


@dataclass(slots=True)
class BatchSubmission:
    """The outcome of a submission.

    `batches` are our names of the submitted batches, `doubtful` of those that may have been submitted; `refused` holds the reasons of
    the others. `asked` questions are in batches, `kept` have an answer, `busy` are already being asked, `over_budget` are not asked.
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
    """The outcome of a collection.

    `missing` questions have no result and failed; `odd` results came twice, belong to no question of their batch, or cannot be read.
    `pending` batches have not ended; `doubtful` ones may not exist. `faults` are those of the checks.
    """

    answered: int = 0
    failed: int = 0
    missing: int = 0
    odd: int = 0
    pending: int = 0
    doubtful: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def done(self) -> bool:
        """Tell whether no batch is open."""
        return not self.pending and not self.doubtful


@dataclass(slots=True)
class BatchClient:
    """Submits questions in batches and collects the results, with the store, keys, prices and budget of a client.

    All state is in the store: any process that opens it continues where another ended. `most` makes batches smaller
    than the provider's limit. It is an asynchronous context manager, whose end closes the connections.
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
        """Return the client itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connections; submitted batches continue."""
        for batching in self._open.values():
            await batching.close()
        self._open.clear()

    async def submit(self, requests: Iterable[Request]) -> BatchSubmission:
        """Submit the questions that have no answer and are not being asked, split by model and by the provider's limits.

        Batches that a dead process may have submitted are searched for first, so that no question is submitted twice. Questions
        beyond the budget are not submitted.

        Raises:
            HarnessError: a provider takes no batches or has no key, there is a budget and a model has no price, or a question
                is larger than a batch.
        """
        await self._settle()
        done = BatchSubmission()
        drafts: dict[tuple[str, str], _Draft] = {}
        for key, request in {request.key: request for request in requests}.items():
            self.client.check_budget(request)
            batching = self._batching(request.provider)
            most = self.most or batching.most
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
            if len(draft.lines) == most.requests or draft.bytes + len(line) > most.bytes:
                await self._hand_in(draft, done)
                draft = drafts[request.provider, request.model] = _Draft()
            draft.requests.append(request)
            draft.lines[key] = line
            draft.bytes += len(line)
        for draft in drafts.values():
            await self._hand_in(draft, done)
        return done

    async def collect(self) -> BatchCollection:
        """Fetch the results of all batches of the store that have ended, and search for doubtful ones.

        A batch that cannot be checked now is named in `faults` and counts as pending.

        Raises:
            HarnessError: a provider denies access to a batch; all other results have been stored.
        """
        got = BatchCollection()
        denied: list[str] = []
        got.doubtful = await self._resolve(got.faults)
        got.pending = len(self.ledger.batches(BatchState.SUBMITTING))
        for batch in self.ledger.batches(BatchState.SUBMITTED):
            try:
                got.pending += not await self._fetch(batch, got)
            except RequestFault as fault:
                got.faults.append(f"batch {batch.name} ({batch.remote}): {self._clean(fault)}")
                got.pending += 1
                if fault.kind in CLOSING:
                    advice = f"check the key, or give the batch up with BatchClient.give_up({batch.name!r})"
                    denied.append(f"{got.faults[-1]}; {advice}")
        if denied:
            raise HarnessError("\n".join(denied))
        return got

    async def wait(
        self, *, every: float = EVERY, watch: Callable[[BatchCollection], None] | None = None
    ) -> BatchCollection:
        """Collect every `every` seconds until no batch is open, and return the sums; errors as in `collect`.

        `watch` is called with each collection.
        """
        whole = BatchCollection()
        while True:
            got = await self.collect()
            for name in ("answered", "failed", "missing", "odd"):
                setattr(whole, name, getattr(whole, name) + getattr(got, name))
            whole.pending, whole.doubtful, whole.faults = got.pending, got.doubtful, got.faults
            if watch is not None:
                watch(got)
            if got.done:
                return whole
            await asyncio.sleep(every)

    def give_up(self, name: str) -> int:
        """Count the open questions of a batch as lost and paid for, and return their number.

        Raises:
            HarnessError: the store has no batch of that name.
        """
        for batch in self.ledger.batches(name=name):
            lost = RequestFault(RequestFaultKind.LOST, "its batch was given up")
            return self.ledger.collected(batch, lost, self._price(batch))
        raise HarnessError(f"no batch {name!r} in {self.client.store.path}")

    def _batching(self, name: str) -> BatchProvider:
        if name not in self._open:
            entry = PROVIDERS.require(name)
            if entry.batches is None:
                able = ", ".join(provider.name for provider in PROVIDERS if provider.batches is not None)
                raise HarnessError(f"{name} takes no batches; those that do: {able}")
            self._open[name] = entry.batches(self.client.access)
        return self._open[name]

    def _price(self, batch: Batch) -> TokenPrice | None:
        return self.client.prices.of(Request(batch.provider, batch.model, ()))

    def _clean(self, fault: RequestFault) -> RequestFault:
        redacted = redact_outcome(fault, self.client.access.secrets)
        return redacted if isinstance(redacted, RequestFault) else fault

    async def _hand_in(self, draft: _Draft, done: BatchSubmission) -> None:
        if done.over_budget:
            return
        first = draft.requests[0]
        begun = self.ledger.begin(draft.requests, self.client.prices.of(first), self.client.budget)
        done.kept += begun.others["kept"]
        done.busy += begun.others["busy"]
        done.over_budget += begun.others["over_budget"]
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
            self.ledger.doubtful(begun.name, f"{type(error).__name__} while it was submitted")
            raise
        else:
            self.ledger.submitted(begun.name, remote)
            done.batches.append(begun.name)
        done.asked += len(lines)

    async def _submitted(self, provider: str, name: str, lines: list[bytes]) -> str:
        """Submit lines, again after transient faults; errors as in `BatchProvider.submit`."""
        limits = self.client.limits_of(provider)
        seconds = limits.seconds and limits.seconds + sum(map(len, lines)) / _BYTES_A_SECOND
        tried = 0
        while True:
            tried += 1
            try:
                async with asyncio.timeout(seconds or None):
                    return await self._batching(provider).submit(name, lines)
            except TimeoutError:
                raise DoubtfulSubmission(RequestFaultKind.TIME, f"not submitted within {seconds:g} s") from None
            except DoubtfulSubmission:
                raise
            except RequestFault as fault:
                if fault.kind not in FAILING or tried >= limits.tries:
                    raise
                await asyncio.sleep(self.client.pause(fault, tried, limits))

    async def _settle(self) -> None:
        """Search for doubtful batches until each is found, is absent for long enough, or cannot be checked now."""
        until = time.monotonic() + 2 * self.settled
        faults: list[str] = []
        while await self._resolve(faults) > len(faults) and time.monotonic() < until:
            faults.clear()
            await asyncio.sleep(min(self.settled / 4, 5.0))

    async def _resolve(self, faults: list[str]) -> int:
        """Search once for doubtful batches; return how many remain doubtful."""
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
            else:
                left += not self.ledger.unseen(sought.name, self.settled)
        return left

    async def _timed(self, provider: str, job: Awaitable[T]) -> T:
        seconds = self.client.limits_of(provider).seconds
        try:
            async with asyncio.timeout(seconds or None):
                return await job
        except TimeoutError:
            raise RequestFault(RequestFaultKind.TIME, f"no whole answer within {seconds:g} s") from None

    async def _fetch(self, batch: Batch, got: BatchCollection) -> bool:
        """Fetch the results of a batch; `False` if it has not ended. Errors as in `BatchProvider`."""
        ending = await self._timed(batch.provider, self._batching(batch.provider).ended(str(batch.remote)))
        if ending is None:
            return False
        labels = self.ledger.labels(batch.name)
        for download in range(_DOWNLOADS):
            if download:
                await asyncio.sleep(self.client.limits_of(batch.provider).pause)
            read = await self._read(batch, ending, labels, got)
            if read.own >= min(ending.results, len(labels)):
                break
        got.odd += read.odd
        got.missing += self.ledger.collected(batch, self._clean(ending.rest), self._price(batch))
        return True

    async def _read(self, batch: Batch, ending: BatchEnding, labels: frozenset[str], got: BatchCollection) -> _Lines:
        """Store all results of a batch, and count the lines; errors as in `BatchProvider`."""
        seen, lines = set[str](), _Lines()
        outcomes: dict[str, Reply | RequestFault] = {}
        try:
            async with aclosing(self._batching(batch.provider).results(ending.paths)) as results:
                while (result := await self._timed(batch.provider, anext(results, None))) is not None:
                    if result.label is None or result.label not in labels or result.label in seen:
                        lines.odd += 1
                        continue
                    seen.add(result.label)
                    outcomes[result.label] = redact_outcome(result.outcome, self.client.access.secrets)
                    if len(outcomes) == _AT_ONCE:
                        self._keep(batch, outcomes, got)
        finally:
            self._keep(batch, outcomes, got)
        lines.own = len(seen)
        return lines

    def _keep(self, batch: Batch, outcomes: dict[str, Reply | RequestFault], got: BatchCollection) -> None:
        kept = self.ledger.record(batch, outcomes, self._price(batch))
        got.answered += kept["answered"]
        got.failed += kept["failed"]
        outcomes.clear()


@dataclass(slots=True)
class _Draft:
    """The questions of one batch before its submission."""

    requests: list[Request] = field(default_factory=list)
    lines: dict[str, bytes] = field(default_factory=dict)
    bytes: int = 0


@dataclass(slots=True)
class _Lines:
    """The lines of a file of results: those of questions of the batch, and others."""

    own: int = 0
    odd: int = 0
