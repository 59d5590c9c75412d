"""The interface of a provider with batches that survive the end of the submitting process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from harness.llm.faults import RequestFault

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from harness.llm.messages import Reply, Request


class DoubtfulSubmission(RequestFault):
    """It is unknown whether a batch was submitted: the connection failed, or the answer does not tell."""


@dataclass(frozen=True, slots=True)
class BatchSize:
    """The number of questions of a batch, and of bytes of their lines."""

    requests: int
    bytes: int


@dataclass(frozen=True, slots=True)
class SoughtBatch:
    """A batch that may have been submitted: our name, the provider, the labels, the start in seconds of the epoch, the ids of our other batches."""

    name: str
    provider: str
    labels: frozenset[str]
    began: float
    others: frozenset[str]


@dataclass(frozen=True, slots=True)
class BatchEnding:
    """The end of a batch: the number of results that the provider states, and the fault of questions without a result."""

    results: int
    rest: RequestFault


@dataclass(frozen=True, slots=True)
class BatchResult:
    """A line of results; `label` is `None` if the line cannot be read."""

    label: str | None
    outcome: Reply | RequestFault


class BatchProvider(Protocol):
    """The interface to batches, which are answered within a day at a lower price."""

    most: BatchSize

    def line(self, label: str, request: Request) -> bytes:
        """Return the line of one question.

        Raises:
            UnicodeEncodeError: the question has half of a surrogate pair, for which a provider would refuse the whole batch.
        """

    async def submit(self, name: str, lines: Sequence[bytes]) -> str:
        """Submit a batch under our name and return the provider's id.

        Raises:
            DoubtfulSubmission: the batch may have been submitted; `find` tells later.
            RequestFault: the batch was not submitted.
        """

    async def find(self, sought: SoughtBatch) -> str | None:
        """Return the id of a submitted batch, `None` if the provider does not have it.

        Raises:
            RequestFault: the provider cannot be asked now, or its answer does not decide.
        """

    async def ended(self, remote: str) -> BatchEnding | None:
        """Return the end of a batch, `None` if it has not ended; errors as in `find`."""

    def results(self, remote: str) -> AsyncGenerator[BatchResult]:
        """Yield the results of a batch that ended, in any order; errors as in `find`."""

    async def close(self) -> None:
        """Close the connections."""
