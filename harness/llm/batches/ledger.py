"""The table of submitted batches and the requests that each of them holds.

A batch is recorded with its requests before anything is sent. The state `submitting` becomes `submitted` with the provider's id,
`refused` if the provider rejects the batch, or `doubtful` if the outcome is unknown; a doubtful batch becomes `submitted` or
`absent`. A `collected` batch has no more results to fetch. A state changes only from the state that the change expects, so two
processes may attempt the same change.
"""

from __future__ import annotations

import enum
import time
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.llm.answer_store import AnswerStore, BudgetReached, BusyRequest, RequestClaim
from harness.llm.faults import RequestFault
from harness.llm.messages import Reply, Request
from harness.llm.protocols.batch_protocol import SoughtBatch

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from harness.llm.prices import TokenPrice

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
)
"""
_INDEX = (
    "CREATE INDEX IF NOT EXISTS claims_of_batches ON attempts (batch) WHERE state = 'claimed' AND batch IS NOT NULL"
)


class BatchState(enum.StrEnum):
    """The states of a batch."""

    SUBMITTING = "submitting"
    SUBMITTED = "submitted"
    DOUBTFUL = "doubtful"
    REFUSED = "refused"
    ABSENT = "absent"
    COLLECTED = "collected"


@dataclass(frozen=True, slots=True)
class Batch:
    """A row of the table: our name, the model, the state, the owner and start, the provider's id, and the reason of a failure."""

    name: str
    provider: str
    model: str
    state: BatchState
    owner: str
    began: float
    remote: str | None
    reason: str | None


@dataclass(slots=True)
class PendingBatch:
    """A batch before its submission: its claims, and the numbers of questions that it does not ask."""

    name: str
    claims: list[RequestClaim] = field(default_factory=list)
    kept: int = 0
    busy: int = 0
    over_budget: int = 0


@dataclass(frozen=True, slots=True)
class RecordedCounts:
    """The numbers of questions that were recorded as answered and as failed."""

    answered: int
    failed: int


@dataclass(slots=True)
class BatchLedger:
    """The batches of one store."""

    store: AnswerStore

    def __post_init__(self) -> None:
        """Create the table if it is missing; errors as in `AnswerStore`."""
        with self.store.together() as connection:
            connection.execute(_TABLE)
            connection.execute(_INDEX)

    def begin(self, requests: Iterable[Request], price: TokenPrice | None, budget: int | None) -> PendingBatch:
        """Claim questions to one model for a new batch, as many as the budget allows, in one transaction."""
        begun = PendingBatch(f"of-{uuid.uuid4().hex}")
        first: Request | None = None
        with self.store.together() as connection:
            for request in requests:
                if begun.over_budget:
                    begun.over_budget += 1
                    continue
                first = first or request
                most = None if price is None else price.most(request.bound(), batched=True)
                try:
                    claim = self.store.claim(request, most, budget=budget, batch=begun.name)
                except BudgetReached:
                    begun.over_budget += 1
                    continue
                if isinstance(claim, RequestClaim):
                    begun.claims.append(claim)
                elif isinstance(claim, BusyRequest):
                    begun.busy += 1
                else:
                    begun.kept += 1
            if first is not None and begun.claims:
                connection.execute(
                    "INSERT INTO batches (name, provider, model, state, owner, began) VALUES (?, ?, ?, ?, ?, ?)",
                    (begun.name, first.provider, first.model, BatchState.SUBMITTING, self.store.owner, time.time()),
                )
        return begun

    def submitted(self, name: str, remote: str) -> None:
        """Store the provider's id of a batch."""
        self._change(name, BatchState.SUBMITTED, (BatchState.SUBMITTING, BatchState.DOUBTFUL), remote=remote)

    def doubtful(self, name: str, reason: str) -> None:
        """Store that it is unknown whether a batch was submitted."""
        self._change(name, BatchState.DOUBTFUL, (BatchState.SUBMITTING,), reason=reason)

    def unseen(self, name: str, patience: float) -> bool:
        """Store that the provider does not list a batch; after `patience` seconds, withdraw its claims and return `True`.

        The list of a provider may lag behind: a batch that is missing now may be listed later.
        """
        now = time.time()
        with self.store.together() as connection:
            row = connection.execute("SELECT looked FROM batches WHERE name = ?", (name,)).fetchone()
            if row["looked"] is None:
                connection.execute("UPDATE batches SET looked = ? WHERE name = ?", (now, name))
            if now - (now if row["looked"] is None else row["looked"]) < patience:
                return False
            if self._change(name, BatchState.ABSENT, (BatchState.DOUBTFUL,)):
                for claim in self.claims(name).values():
                    self.store.withdrawn(claim)
        return True

    def refused(self, name: str, fault: RequestFault) -> None:
        """Store that a batch was refused; its questions failed without cost and may be asked again."""
        with self.store.together():
            if self._change(name, BatchState.REFUSED, (BatchState.SUBMITTING,), reason=str(fault)):
                for claim in self.claims(name).values():
                    self.store.failed(claim, RequestFault(fault.kind, fault.reason), 0, 0.0)

    def record(
        self, batch: Batch, outcomes: Mapping[str, Reply | RequestFault], price: TokenPrice | None
    ) -> RecordedCounts:
        """Store the outcomes of questions and their costs, except those stored before."""
        seconds = time.time() - batch.began
        with self.store.together() as connection:
            claims = {key: claim for key in outcomes for claim in _claims(connection, batch.name, key)}
            for key, claim in claims.items():
                outcome = outcomes[key]
                cost = claim.cost(outcome, price, batched=True)
                if isinstance(outcome, Reply):
                    self.store.answered(claim, outcome, cost, seconds)
                else:
                    self.store.failed(claim, outcome, cost, seconds)
        answered = sum(isinstance(outcomes[key], Reply) for key in claims)
        return RecordedCounts(answered, len(claims) - answered)

    def collected(self, batch: Batch, rest: RequestFault, price: TokenPrice | None) -> int:
        """Store that a batch is collected; questions without a result fail with `rest`, and their number is returned."""
        with self.store.together():
            missing = self.record(batch, dict.fromkeys(self.claims(batch.name), rest), price).failed
            self._change(batch.name, BatchState.COLLECTED, (BatchState.SUBMITTED, BatchState.DOUBTFUL))
        return missing

    def claims(self, name: str) -> dict[str, RequestClaim]:
        """Return the open claims of a batch, by the keys of their questions."""
        with self.store.together() as connection:
            return {claim.key: claim for claim in _claims(connection, name)}

    def labels(self, name: str) -> frozenset[str]:
        """Return the keys of all questions of a batch."""
        with self.store.together() as connection:
            rows = connection.execute("SELECT key FROM attempts WHERE batch = ?", (name,))
            return frozenset(row["key"] for row in rows)

    def batches(self, *states: BatchState) -> list[Batch]:
        """Return the batches in the given states, without one all batches, oldest first."""
        with self.store.together() as connection:
            rows = connection.execute("SELECT * FROM batches ORDER BY began, name").fetchall()
        return [_batch(row) for row in rows if not states or row["state"] in states]

    def in_doubt(self) -> list[SoughtBatch]:
        """Return the doubtful batches; a batch whose process died during the submission becomes doubtful."""
        with self.store.together():
            for batch in self.batches(BatchState.SUBMITTING):
                if not self.store.lives(batch.owner):
                    self.doubtful(batch.name, "its process ended while it was submitted")
            others = frozenset(batch.remote for batch in self.batches() if batch.remote is not None)
            return [
                SoughtBatch(batch.name, batch.provider, self.labels(batch.name), batch.began, others)
                for batch in self.batches(BatchState.DOUBTFUL)
            ]

    def _change(
        self,
        name: str,
        state: BatchState,
        before: tuple[BatchState, ...],
        *,
        remote: str | None = None,
        reason: str | None = None,
    ) -> bool:
        """Change the state of a batch if it is still one of `before`; tell whether it was."""
        with self.store.together() as connection:
            row = connection.execute("SELECT state FROM batches WHERE name = ?", (name,)).fetchone()
            if row is None or row["state"] not in before:
                return False
            connection.execute(
                "UPDATE batches SET state = ?, remote = coalesce(?, remote), reason = ? WHERE name = ?",
                (state, remote, reason, name),
            )
            return True


def _batch(row: sqlite3.Row) -> Batch:
    names = ("name", "provider", "model", "owner", "began", "remote", "reason")
    return Batch(state=BatchState(row["state"]), **{name: row[name] for name in names})


def _claims(connection: sqlite3.Connection, name: str, key: str | None = None) -> list[RequestClaim]:
    condition, values = ("", (name,)) if key is None else (" AND key = ?", (name, key))
    rows = connection.execute(f"SELECT * FROM attempts WHERE state = 'claimed' AND batch = ?{condition}", values)  # noqa: S608  # `condition` is one of two literals
    return [RequestClaim(row["id"], row["key"], row["number"], row["cost"]) for row in rows]
