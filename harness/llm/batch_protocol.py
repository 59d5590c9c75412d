"""The interface of a provider with batches that survive the end of the submitting process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from harness.llm.faults import RequestFault

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from harness.llm.messages import Reply, Request


class DoubtfulSubmission(RequestFault):
    """Nobody knows whether a batch was handed in: the connection failed, or the answer says nothing of it."""


@dataclass(frozen=True, slots=True)
class BatchSize:
    """How many questions a batch holds, and how many bytes their lines have together."""

    requests: int
    bytes: int


@dataclass(frozen=True, slots=True)
class SoughtBatch:
    """A batch that may have been handed in: our name of it, whom it went to, its labels, when it was begun, and the ids of our other ones."""

    name: str
    provider: str
    labels: frozenset[str]
    began: float
    others: frozenset[str]


@dataclass(frozen=True, slots=True)
class BatchEnding:
    """How a batch ended: how many results the provider says it has, and what the questions without one met."""

    results: int
    rest: RequestFault


@dataclass(frozen=True, slots=True)
class BatchResult:
    """A line of results; without a label where it cannot be read."""

    label: str | None
    outcome: Reply | RequestFault


class BatchProvider(Protocol):
    """The part of a provider that answers many questions within a day, for less."""

    most: BatchSize

    def line(self, label: str, request: Request) -> bytes:
        """Return what is handed in of one question.

        Raises:
            UnicodeEncodeError: it has half of a surrogate pair, for which a provider would refuse all that stand beside it.
        """

    async def submit(self, name: str, lines: Sequence[bytes]) -> str:
        """Hand in a batch under our name and return the provider's id of it.

        Raises:
            Doubt: it may have been handed in, which `find` tells later.
            Fault: it was not.
        """

    async def find(self, sought: SoughtBatch) -> str | None:
        """Return the id of a batch that was handed in, `None` where the provider has none such.

        Raises:
            Fault: that cannot be told now.
        """

    async def ended(self, remote: str) -> BatchEnding | None:
        """Return how a batch ended, `None` where it has not yet; errors as in `find`."""

    def results(self, remote: str) -> AsyncGenerator[BatchResult]:
        """Yield the results of a batch that ended, in any order; errors as in `find`."""

    async def close(self) -> None:
        """Let go of connections."""
