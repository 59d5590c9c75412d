"""The table of submitted batches in the answer store; the claims of its attempts name the batch that asks them.

A batch is recorded with its requests before anything is sent. The state `submitting` becomes `submitted` with the provider's id,
`refused` if the provider rejects the batch, or `doubtful` if the outcome is unknown; a doubtful batch becomes `submitted` or
`absent`. A `collected` batch has no more results to fetch. A state changes only from the state that the change expects, so two
processes may attempt the same change.
"""

from __future__ import annotations

import enum
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from harness.llm.answer_store import AnswerStore, BudgetReached, BusyRequest, RequestClaim
from harness.llm.batch_provider import SoughtBatch
from harness.llm.faults import RequestFault
from harness.llm.messages import Reply, Request

if TYPE_CHECKING:
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
    """A row of the table: our name, the model, the state, the owner and start, the provider's id, when its list was searched, the reason of a failure."""

    name: str
    provider: str
    model: str
    state: BatchState
    owner: str
    began: float
    remote: str | None
    looked: float | None
    reason: str | None


@dataclass(slots=True)
class PendingBatch:
    """A batch before its submission: its claims, and how many other questions are `kept`, `busy` or `over_budget`."""

    name: str
    claims: list[RequestClaim] = field(default_factory=list)
    others: Counter[str] = field(default_factory=Counter)


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
        with self.store.together() as connection:
            for request in requests:
                if begun.others["over_budget"]:
                    begun.others["over_budget"] += 1
                    continue
                most = None if price is None else price.most(request.bound(), batched=True)
                try:
                    claim = self.store.claim(request, most, budget=budget, batch=begun.name)
                except BudgetReached:
                    begun.others["over_budget"] += 1
                    continue
                if isinstance(claim, RequestClaim):
                    begun.claims.append(claim)
                else:
                    begun.others["busy" if isinstance(claim, BusyRequest) else "kept"] += 1
            if begun.claims:
                row = (request.provider, request.model, BatchState.SUBMITTING, self.store.owner, time.time())
                connection.execute(
                    "INSERT INTO batches (name, provider, model, state, owner, began) VALUES (?, ?, ?, ?, ?, ?)",
                    (begun.name, *row),
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
            connection.execute("UPDATE batches SET looked = coalesce(looked, ?) WHERE name = ?", (now, name))
            (batch,) = self.batches(name=name)
            if now - (batch.looked or now) < patience:
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
                    self.store.end(claim, RequestFault(fault.kind, fault.reason), 0, 0.0)

    def record(
        self, batch: Batch, outcomes: Mapping[str, Reply | RequestFault], price: TokenPrice | None
    ) -> Counter[str]:
        """Store the outcomes of questions and their costs, except those stored before; return how many are `answered` and `failed`."""
        seconds, counts = time.time() - batch.began, Counter[str]()
        with self.store.together():
            for key, outcome in outcomes.items():
                for claim in self.claims(batch.name, key).values():
                    self.store.end(claim, outcome, claim.cost(outcome, price, batched=True), seconds)
                    counts["answered" if isinstance(outcome, Reply) else "failed"] += 1
        return counts

    def collected(self, batch: Batch, rest: RequestFault, price: TokenPrice | None) -> int:
        """Store that a batch is collected; questions without a result fail with `rest`, and their number is returned."""
        with self.store.together():
            missing = self.record(batch, dict.fromkeys(self.claims(batch.name), rest), price)["failed"]
            self._change(batch.name, BatchState.COLLECTED, (BatchState.SUBMITTED, BatchState.DOUBTFUL))
        return missing

    def claims(self, name: str, *keys: str) -> dict[str, RequestClaim]:
        """Return the open claims of a batch by the keys of their questions: of all, or of the one that is given."""
        sql = f"SELECT * FROM attempts WHERE state = 'claimed' AND batch = ?{' AND key = ?' * len(keys)}"  # noqa: S608  # no text of others
        with self.store.together() as connection:
            rows = connection.execute(sql, (name, *keys))
            return {row["key"]: RequestClaim(row["id"], row["key"], row["number"], row["cost"]) for row in rows}

    def labels(self, name: str) -> frozenset[str]:
        """Return the keys of all questions of a batch."""
        with self.store.together() as connection:
            rows = connection.execute("SELECT key FROM attempts WHERE batch = ?", (name,))
            return frozenset(row["key"] for row in rows)

    def batches(self, *states: BatchState, name: str | None = None) -> list[Batch]:
        """Return the batches in the given states or of a name, without either all batches, oldest first."""
        with self.store.together() as connection:
            rows = connection.execute("SELECT * FROM batches ORDER BY began, name").fetchall()
        batches = [Batch(**{**dict(row), "state": BatchState(row["state"])}) for row in rows]
        return [batch for batch in batches if (not states or batch.state in states) and name in {None, batch.name}]

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
            if not any(batch.state in before for batch in self.batches(name=name)):
                return False
            connection.execute(
                "UPDATE batches SET state = ?, remote = coalesce(?, remote), reason = ? WHERE name = ?",
                (state, remote, reason, name),
            )
            return True
