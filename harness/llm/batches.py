"""The client that submits batches and collects their results, each request once; all state is in the answer store.

A batch is recorded with its requests before anything is sent. The state `submitting` becomes `submitted` with the provider's id,
or `refused`; a `collected` batch has no more results to fetch. Where it is unknown whether a batch was submitted, its questions
count as lost and as paid for, as those of a process that died do. `doubtful` and `absent` are states of former builds.
"""

from __future__ import annotations

import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from harness.errors import HarnessError
from harness.llm.answer_store import BudgetReached, BusyRequest, RequestClaim
from harness.llm.client import redact_outcome
from harness.llm.faults import CLOSING, RequestFault, RequestFaultKind
from harness.llm.messages import Reply, Request
from harness.llm.provider import PROVIDERS, batch_providers

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from harness.llm.client import Client
    from harness.llm.prices import TokenPrice
    from harness.llm.provider import BatchProvider

_TABLE = """
CREATE TABLE IF NOT EXISTS batches (
    name TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('submitting', 'submitted', 'doubtful', 'refused', 'absent', 'collected')),
    owner TEXT NOT NULL,
    began REAL NOT NULL,
    remote TEXT,
    looked REAL,
    reason TEXT
);
CREATE INDEX IF NOT EXISTS claims_of_batches ON attempts (batch) WHERE state = 'claimed' AND batch IS NOT NULL;
"""


@dataclass(slots=True)
class BatchReport:
    """The outcome of a submission or a collection: how many questions, results and batches became what, and the faults met.

    A submission counts questions that are `asked` in so many `batches`, `kept` with their answer, `busy`, or `over_budget`. A
    collection counts questions `answered`, `failed` and `missing` without a result, results that are `odd` (twice, unreadable, of no
    question of the batch), and batches that are `pending`.
    """

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


@dataclass(slots=True)
class BatchClient:
    """Submits questions in batches and collects the results, with the store, keys, prices and budget of a client.

    Any process that opens the store continues where another ended. It is an asynchronous context manager, whose end closes the
    connections.
    """

    client: Client
    _open: dict[str, BatchProvider] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Create the table of batches if it is missing; errors as in `AnswerStore`."""
        with self.client.store.transaction() as connection:
            for statement in _TABLE.split(";\n")[:-1]:
                connection.execute(statement)

    async def __aenter__(self) -> Self:
        """Return the client itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connections; submitted batches continue."""
        for batching in self._open.values():
            await batching.connection.close()
        self._open.clear()

    async def submit(self, requests: Iterable[Request]) -> BatchReport:
        """Submit the questions that have no answer and are not being asked, split by model and by the provider's limits.

        Questions beyond the budget are not submitted.

        Raises:
            HarnessError: a provider takes no batches or has no key, there is a budget and a model has no price, or a question
                is larger than a batch.
        """
        done = BatchReport()
        by_model: dict[tuple[str, str], list[Request]] = {}
        for key, request in {request.key: request for request in requests}.items():
            self.client.check_budget(request)
            self._batching(request.provider)
            if self.client.store.answer(key) is None:
                by_model.setdefault((request.provider, request.model), []).append(request)
            else:
                done.counts["kept"] += 1
        for (provider, _), group in by_model.items():
            batching = self._batching(provider)
            chunk: list[tuple[Request, bytes]] = []
            size = 0
            for request in group:
                try:
                    line = batching.line(request.key, request)
                except UnicodeEncodeError as error:
                    reason = f"cannot be written as UTF-8: {error.reason}"
                    done.faults.append(f"question {request.key} to {request.name} {reason}")
                    continue
                if len(line) > batching.most.bytes:
                    most = f"a batch of {provider} {batching.most.bytes:,}"
                    raise HarnessError(f"question {request.key} has {len(line):,} bytes, {most}")
                if len(chunk) == batching.most.requests or size + len(line) > batching.most.bytes:
                    await self._hand_in(chunk, done)
                    chunk, size = [], 0
                chunk.append((request, line))
                size += len(line)
            await self._hand_in(chunk, done)
        return done

    async def _hand_in(self, chunk: Sequence[tuple[Request, bytes]], done: BatchReport) -> None:
        """Claim questions to one model, as many as the budget allows, in one transaction, and submit them as a batch."""
        store, name = self.client.store, f"of-{uuid.uuid4().hex}"
        lines: list[bytes] = []
        with store.transaction() as connection:
            for request, line in chunk:
                price = self.client.prices.of(request)
                most = None if price is None else price.most(request.bound(), batched=True)
                try:
                    claim = (
                        None
                        if done.counts["over_budget"]
                        else store.claim(request, most, budget=self.client.budget, batch=name)
                    )
                except BudgetReached:
                    claim = None
                if isinstance(claim, RequestClaim):
                    lines.append(line)
                done.counts["over_budget"] += claim is None
                done.counts["busy"] += isinstance(claim, BusyRequest)
                done.counts["kept"] += isinstance(claim, Reply)
            if not lines:
                return
            connection.execute(
                "INSERT INTO batches (name, provider, model, state, owner, began) VALUES (?, ?, ?, 'submitting', ?, ?)",
                (name, request.provider, request.model, store.owner, time.time()),
            )
        try:
            remote = await self._batching(request.provider).submit(name, lines)
        except RequestFault as error:
            fault = self._redacted(error)
            self._close(name, "refused", fault, price)
            done.faults.append(f"{len(lines)} questions to {request.name}: {fault}")
            return
        with store.transaction() as connection:
            connection.execute("UPDATE batches SET state = 'submitted', remote = ? WHERE name = ?", (remote, name))
        done.counts["batches"] += 1
        done.counts["asked"] += len(lines)

    async def collect(self) -> BatchReport:
        """Fetch the results of all batches of the store that have ended.

        A batch that cannot be checked now is named in `faults` and counts as pending.

        Raises:
            HarnessError: a provider denies access to a batch; all other results have been stored.
        """
        got = BatchReport()
        denied: list[str] = []
        for batch in self._batches("submitting", "submitted", "doubtful"):
            name = batch["name"]
            try:
                if batch["state"] == "submitted":
                    got.counts["pending"] += not await self._fetch(batch, got)
                elif batch["state"] == "submitting" and self.client.store.lives(batch["owner"]):
                    got.counts["pending"] += 1
                else:
                    lost = RequestFault(RequestFaultKind.LOST, "its process ended while it was submitted")
                    got.counts["missing"] += self._close(name, "collected", lost, self._price(batch))
            except RequestFault as fault:
                got.faults.append(f"batch {name} ({batch['remote']}): {self._redacted(fault)}")
                got.counts["pending"] += 1
                if fault.kind in CLOSING:
                    advice = f"check the key, or give the batch up with BatchClient.give_up({name!r})"
                    denied.append(f"{got.faults[-1]}; {advice}")
        if denied:
            raise HarnessError("\n".join(denied))
        return got

    def give_up(self, name: str) -> int:
        """Count the open questions of a batch as lost and paid for, and return their number.

        Raises:
            HarnessError: the store has no open batch of that name.
        """
        for batch in self._batches("submitting", "submitted", "doubtful"):
            if batch["name"] == name:
                lost = RequestFault(RequestFaultKind.LOST, "its batch was given up")
                return self._close(name, "collected", lost, self._price(batch))
        raise HarnessError(f"no open batch {name!r} in {self.client.store.path}")

    async def _fetch(self, batch: sqlite3.Row, got: BatchReport) -> bool:
        """Store the results of a batch; `False` if it has not ended. Errors as in `BatchProvider`."""
        batching, price = self._batching(batch["provider"]), self._price(batch)
        ending = await batching.ended(str(batch["remote"]))
        if ending is None:
            return False
        claims = self._claims(batch["name"])
        async for label, outcome in batching.results(ending.paths):
            if label not in claims:
                got.counts["odd"] += 1
                continue
            claim = claims.pop(str(label))
            if claim is not None and self._end(claim, outcome, price, time.time() - batch["began"]):
                got.counts["answered"] += isinstance(outcome, Reply)
                got.counts["failed"] += isinstance(outcome, RequestFault)
        got.counts["missing"] += self._close(batch["name"], "collected", self._redacted(ending.rest), price)
        return True

    def _batching(self, name: str) -> BatchProvider:
        if name not in self._open:
            entry = PROVIDERS.require(name)
            if entry.batches is None:
                raise HarnessError(f"{name} takes no batches; those that do: {batch_providers()}")
            self._open[name] = entry.batches(self.client.access)
            self._open[name].connection.seconds = self.client.limits_of(name).seconds or None
        return self._open[name]

    def _price(self, batch: sqlite3.Row) -> TokenPrice | None:
        return self.client.prices.of(Request(batch["provider"], batch["model"], ()))

    def _redacted(self, fault: RequestFault) -> RequestFault:
        redacted = redact_outcome(fault, self.client.access.secrets)
        return redacted if isinstance(redacted, RequestFault) else fault

    def _batches(self, *states: str) -> list[sqlite3.Row]:
        """Return the rows of the batches in some states, oldest first."""
        with self.client.store.transaction() as connection:
            rows = connection.execute("SELECT * FROM batches ORDER BY began, name").fetchall()
        return [row for row in rows if row["state"] in states]

    def _claims(self, name: str) -> dict[str, RequestClaim | None]:
        """Return the claims of a batch by the keys of their questions, `None` for a question that has its outcome."""
        with self.client.store.transaction() as connection:
            rows = connection.execute("SELECT * FROM attempts WHERE batch = ?", (name,)).fetchall()
        claims: dict[str, Any] = {row["key"]: None for row in rows}
        ids = (
            RequestClaim(*(row[part] for part in ("id", "key", "number", "cost")))
            for row in rows
            if row["state"] == "claimed"
        )
        return claims | {claim.key: claim for claim in ids}

    def _end(
        self, claim: RequestClaim, outcome: Reply | RequestFault, price: TokenPrice | None, seconds: float
    ) -> bool:
        """Store an outcome; `False` if another process has stored it."""
        outcome = redact_outcome(outcome, self.client.access.secrets)
        return self.client.store.end(claim, outcome, claim.cost(outcome, price, batched=True), seconds)

    def _close(self, name: str, state: str, fault: RequestFault, price: TokenPrice | None) -> int:
        """End a batch: its open questions fail with a fault, and their number is returned."""
        with self.client.store.transaction() as connection:
            connection.execute("UPDATE batches SET state = ?, reason = ? WHERE name = ?", (state, str(fault), name))
            claims = [claim for claim in self._claims(name).values() if claim is not None]
            return sum(self._end(claim, fault, price, 0.0) for claim in claims)
