"""The client that submits batches and collects their results, each request once; all state is in the answer store.

A batch is recorded with its requests before anything is sent. The state `submitting` becomes `submitted` with the provider's id,
or `refused`; a `collected` batch has no more results to fetch. Where it is unknown whether a batch was submitted, its questions
count as lost and as paid for, as those of a process that died do. `doubtful` and `absent` are states of former builds.
"""

import json
import sqlite3
import time
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from harness.errors import HarnessError
from harness.llm.answer_store import BudgetReached, BusyRequest, RequestClaim
from harness.llm.client import Client, redacted
from harness.llm.connection import Connection, json_object
from harness.llm.messages import CLOSING, Reply, Request, RequestFault, RequestFaultKind
from harness.llm.prices import TokenPrice
from harness.llm.provider import BatchInterface, HttpProvider, batch_interface, id_of
from harness.llm.unsupported_parameters import advised

_TABLE = """
CREATE TABLE IF NOT EXISTS batches (
    name TEXT PRIMARY KEY,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('submitting', 'submitted', 'doubtful', 'refused', 'absent', 'collected')),
    owner TEXT NOT NULL,
    began REAL NOT NULL,
    remote TEXT,
    reason TEXT
);
CREATE INDEX IF NOT EXISTS claims_of_batches ON attempts (batch) WHERE state = 'claimed' AND batch IS NOT NULL;
"""
_OPEN = "SELECT * FROM batches WHERE state NOT IN ('refused', 'absent', 'collected') ORDER BY began, name"


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
    """Submits questions in batches and collects the results, with the store, keys, prices and budget of a client, which closes the connections.

    Any process that opens the store continues where another ended.
    """

    client: Client

    def __post_init__(self) -> None:
        """Create the table of batches if it is missing; errors as in `AnswerStore`."""
        with self.client.store.transaction() as connection:
            for statement in _TABLE.split(";"):
                connection.execute(statement)

    async def submit(self, requests: Iterable[Request]) -> BatchReport:
        """Submit the questions that have no answer and are not being asked, split by model and by the provider's limits.

        Questions beyond the budget are not submitted. Errors as in `check_budget` and `batch_interface`; a question larger than a batch is one, too.
        """
        report, by_model = BatchReport(), dict[tuple[str, str], list[Request]]()
        for key, request in {request.key: request for request in requests}.items():
            self.client.check_budget(request)
            self._provider(request.provider)
            if self.client.store.answer(key) is None:
                by_model.setdefault((request.provider, request.model), []).append(request)
            else:
                report.counts["kept"] += 1
        for (provider, _), group in by_model.items():
            interface, refused = batch_interface(provider), self._provider(provider).refused
            chunk: list[tuple[Request, bytes]] = []
            size = 0
            for request in group:
                try:
                    record = interface.record_of(request.key, request)
                    record[interface.body] = refused.allowed(record[interface.body])
                    line = json.dumps(record, ensure_ascii=False).encode() + b"\n"
                except (
                    UnicodeEncodeError
                ) as error:  # for half of a surrogate pair a provider would refuse the whole batch
                    reason = f"cannot be written as UTF-8: {error.reason}"
                    report.faults.append(f"question {request.key} to {request.name} {reason}")
                    continue
                if len(line) > interface.most_bytes:
                    most = f"a batch of {provider} {interface.most_bytes:,}"
                    raise HarnessError(f"question {request.key} has {len(line):,} bytes, {most}")
                if len(chunk) == interface.most_requests or size + len(line) > interface.most_bytes:
                    await self._hand_in(interface, chunk, report)
                    chunk, size = [], 0
                chunk.append((request, line))
                size += len(line)
            await self._hand_in(interface, chunk, report)
        return report

    async def _hand_in(
        self, interface: BatchInterface, chunk: Sequence[tuple[Request, bytes]], report: BatchReport
    ) -> None:
        """Claim questions to one model, as many as the budget allows, in one transaction, and submit them as a batch."""
        store, name, counts = self.client.store, f"of-{uuid.uuid4().hex}", report.counts
        lines: list[bytes] = []
        with store.transaction() as connection:
            for request, line in chunk:
                price = self.client.prices.of(request)
                most = None if price is None else price.most(request.bound(), batched=True)
                claim: RequestClaim | Reply | BusyRequest | None = None
                if not counts["over_budget"]:
                    with suppress(BudgetReached):
                        claim = store.claim(request, most, budget=self.client.budget, batch=name)
                if isinstance(claim, RequestClaim):
                    lines.append(line)
                counts["over_budget"] += claim is None
                counts["busy"] += isinstance(claim, BusyRequest)
                counts["kept"] += isinstance(claim, Reply)
            if not lines:
                return
            connection.execute(
                "INSERT INTO batches (name, provider, model, state, owner, began) VALUES (?, ?, ?, 'submitting', ?, ?)",
                (name, request.provider, request.model, store.owner, time.time()),
            )
        server = self._provider(request.provider).connection
        try:
            parts = await interface.parts(server, name, lines)
            headers = {"Idempotency-Key": name, "Content-Type": "application/json"}
            remote = id_of(json_object(await server.post(interface.path, headers=headers, **parts)))
        except RequestFault as error:
            fault = redacted(error, self.client.access.secrets)
            self._close(name, "refused", fault, price)
            report.faults.append(f"{len(lines)} questions to {request.name}: {fault}")
            return
        with store.transaction() as connection:
            connection.execute("UPDATE batches SET state = 'submitted', remote = ? WHERE name = ?", (remote, name))
        counts["batches"] += 1
        counts["asked"] += len(lines)

    async def collect(self) -> BatchReport:
        """Fetch the results of all batches of the store that have ended.

        A batch that cannot be checked now is named in `faults` and counts as pending.
        Where a provider denies access to one, a `HarnessError` is raised after all others are stored.
        """
        report, store = BatchReport(), self.client.store
        denied: list[str] = []
        with store.transaction() as connection:
            batches = connection.execute(_OPEN).fetchall()
        for batch in batches:
            name = batch["name"]
            price = self.client.prices.of(Request(batch["provider"], batch["model"], ()))
            try:
                if batch["state"] == "submitted":
                    await self._fetch(batch, price, report)
                elif batch["state"] == "submitting" and store.lives(batch["owner"]):
                    report.counts["pending"] += 1
                else:
                    lost = RequestFault(RequestFaultKind.LOST, "its process ended while it was submitted")
                    report.counts["missing"] += self._close(name, "collected", lost, price)
            except RequestFault as error:
                fault = redacted(error, self.client.access.secrets)
                report.faults.append(f"batch {name} ({batch['remote']}): {fault}")
                report.counts["pending"] += 1
                if fault.kind in CLOSING:
                    denied.append(
                        f"{report.faults[-1]}; check the key, or ask its questions again with another --store FILE"
                    )
        if denied:
            raise HarnessError("\n".join(denied))
        return report

    async def _fetch(self, batch: sqlite3.Row, price: TokenPrice | None, report: BatchReport) -> None:
        """Store the results of a batch, if it has ended."""
        interface, server = batch_interface(batch["provider"]), self._provider(batch["provider"]).connection
        ending = interface.ending(await server.get(f"{interface.path}/{batch['remote']}"))
        if ending is None:
            report.counts["pending"] += 1
            return
        claims = self._claims(batch["name"])
        async for label, outcome in _results(interface, server, ending.paths):
            if label not in claims:
                report.counts["odd"] += 1
            elif (claim := claims.pop(label)) and self._end(claim, outcome, price, time.time() - batch["began"]):
                report.counts["answered" if isinstance(outcome, Reply) else "failed"] += 1
        rest = redacted(ending.rest, self.client.access.secrets)
        report.counts["missing"] += self._close(batch["name"], "collected", rest, price)

    def _provider(self, name: str) -> HttpProvider:
        """Return a provider that takes batches; errors as in `batch_interface` and `Client.lane`."""
        batch_interface(name)
        lane = self.client.lane(name)
        provider = lane.provider
        assert isinstance(provider, HttpProvider)  # noqa: S101  # as its decorator says
        provider.connection.seconds = lane.limits.seconds or None
        return provider

    def _claims(self, name: str) -> dict[object, RequestClaim | None]:
        """Return the claims of a batch by the keys of their questions, `None` for a question that has its outcome."""
        with self.client.store.transaction() as connection:
            # Of several attempts in one batch, the open one comes last.
            rows = connection.execute("SELECT * FROM attempts WHERE batch = ? ORDER BY number", (name,)).fetchall()
        return {
            row["key"]: RequestClaim(row["id"], row["key"], row["cost"]) if row["state"] == "claimed" else None
            for row in rows
        }

    def _end(
        self, claim: RequestClaim, outcome: Reply | RequestFault, price: TokenPrice | None, seconds: float
    ) -> bool:
        """Store an outcome; `False` if another process has stored it."""
        outcome = redacted(outcome, self.client.access.secrets)
        return self.client.store.end(claim, outcome, claim.cost(outcome, price, batched=True), seconds)

    def _close(self, name: str, state: str, fault: RequestFault, price: TokenPrice | None) -> int:
        """End a batch: its open questions fail with a fault, and their number is returned."""
        with self.client.store.transaction() as connection:
            connection.execute("UPDATE batches SET state = ?, reason = ? WHERE name = ?", (state, str(fault), name))
            claims = [claim for claim in self._claims(name).values() if claim is not None]
            return sum(self._end(claim, fault, price, 0.0) for claim in claims)


async def _results(
    interface: BatchInterface, server: Connection, paths: Sequence[str]
) -> AsyncGenerator[tuple[object, Reply | RequestFault]]:
    """Yield the label and the outcome of each result of a batch that ended, in any order; the label is `None` in an unreadable line."""
    for path in paths:
        async with aclosing(server.lines(path)) as lines:
            async for line in lines:
                label = None
                try:
                    record = json_object(line)
                    label = record.get("custom_id")
                    outcome = interface.outcome(record, line)
                except RequestFault as fault:
                    outcome = fault
                outcome = advised(outcome) if isinstance(outcome, RequestFault) else outcome
                yield label if isinstance(label, str) else None, outcome
