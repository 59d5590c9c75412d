"""The protocol of batches: submit, search, look whether they ended, fetch; what differs between providers is an adapter."""

from __future__ import annotations

import datetime as dt
import json
import re
from abc import ABC, abstractmethod
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from harness.llm.connection import Connection, json_object
from harness.llm.faults import UNBILLED, RequestFault, RequestFaultKind

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

    from harness.llm.messages import Reply, Request

SKEW = 600.0
"""Seconds by which the clock of the provider may differ from ours."""
_PAGE, _MOST_PAGES = "100", 200
_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}")


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
    """The end of a batch: how many results the provider states, where they are, and the fault of questions without one."""

    results: int
    paths: tuple[str, ...]
    rest: RequestFault


@dataclass(frozen=True, slots=True)
class BatchResult:
    """A line of results; `label` is `None` if the line cannot be read."""

    label: str | None
    outcome: Reply | RequestFault


class BatchProvider(ABC):
    """Batches of one provider, which are answered within a day at a lower price."""

    most: ClassVar[BatchSize]
    path: ClassVar[str]
    """The path of the list of batches."""
    cursor: ClassVar[str]
    """The parameter with the last id of the page before."""

    def __init__(self, connection: Connection) -> None:
        """Use an open connection."""
        self.connection = connection

    @abstractmethod
    def record_of(self, label: str, request: Request) -> dict[str, Any]:
        """Return the record of one question in a batch."""

    @abstractmethod
    async def parts(self, name: str, lines: Sequence[bytes]) -> dict[str, Any]:
        """Return the `body` or `content` of the request that creates a batch, after what must be uploaded before."""

    @abstractmethod
    async def is_sought(self, record: Mapping[str, Any], sought: SoughtBatch) -> bool:
        """Tell whether a batch is the sought one; errors as in `find`."""

    @abstractmethod
    def ending(self, record: Mapping[str, Any]) -> BatchEnding | None:
        """Return the end in the record of a batch, `None` if it has not ended."""

    @abstractmethod
    def outcome(self, record: Mapping[str, Any], line: str) -> Reply | RequestFault:
        """Return the outcome in a line of results; a fault of its own may be raised."""

    def line(self, label: str, request: Request) -> bytes:
        """Return the line of one question.

        Raises:
            UnicodeEncodeError: the question has half of a surrogate pair, for which a provider would refuse the whole batch.
        """
        return json.dumps(self.record_of(label, request), ensure_ascii=False).encode() + b"\n"

    async def submit(self, name: str, lines: Sequence[bytes]) -> str:
        """Submit a batch under our name and return the provider's id.

        Raises:
            DoubtfulSubmission: the batch may have been submitted; `find` tells later.
            RequestFault: the batch was not submitted.
        """
        parts = await self.parts(name, lines)
        headers = {"Idempotency-Key": name, "Content-Type": "application/json"}
        try:
            return id_of(json_object(await self.connection.post(self.path, headers=headers, **parts)))
        except RequestFault as fault:
            # An overloaded or failing server may have created the batch before it failed.
            if fault.kind in UNBILLED - {RequestFaultKind.SERVER, RequestFaultKind.OVERLOADED}:
                raise
            raise DoubtfulSubmission(fault.kind, fault.reason, retry_after=fault.retry_after, raw=fault.raw) from None

    async def find(self, sought: SoughtBatch) -> str | None:
        """Return the id of a submitted batch, `None` if the provider does not list it.

        Raises:
            RequestFault: the provider cannot be asked now, or its answer does not decide.
        """
        query = {"limit": _PAGE}
        for _ in range(_MOST_PAGES):
            page = await self.connection.get(self.path, query)
            records = page.get("data")
            if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
                raise RequestFault(RequestFaultKind.MALFORMED, f"expected a list of batches, found {records!r}")
            for record in records:
                if _created(record) < sought.began - SKEW:
                    return None
                if record.get("id") not in sought.others and await self.is_sought(record, sought):
                    return id_of(record)
            if not page.get("has_more") or not records:
                return None
            query[self.cursor] = id_of(records[-1])
        raise RequestFault(RequestFaultKind.MALFORMED, f"more than {_MOST_PAGES} pages of batches")

    async def ended(self, remote: str) -> BatchEnding | None:
        """Return the end of a batch, `None` if it has not ended; errors as in `find`."""
        return self.ending(await self.connection.get(f"{self.path}/{remote}"))

    async def results(self, paths: Sequence[str]) -> AsyncGenerator[BatchResult]:
        """Yield the results of a batch that ended, in any order; errors as in `find`."""
        for path in paths:
            async with aclosing(self.connection.lines(path)) as lines:
                async for line in lines:
                    label = None
                    try:
                        record = json_object(line)
                        label = record.get("custom_id")
                        outcome = self.outcome(record, line)
                    except RequestFault as fault:
                        outcome = fault
                    yield BatchResult(label if isinstance(label, str) else None, outcome)

    async def close(self) -> None:
        """Close the connections."""
        await self.connection.close()


def id_of(record: Mapping[str, Any], name: str = "id") -> str:
    """Return an id in a record.

    Raises:
        RequestFault: there is no id, or it has characters that an address may not have.
    """
    identifier = record.get(name)
    if not isinstance(identifier, str) or not _ID.fullmatch(identifier) or not identifier.strip("."):
        raise RequestFault(RequestFaultKind.MALFORMED, f"expected an id in {name!r}, found {identifier!r}")
    return identifier


def _created(record: Mapping[str, Any]) -> float:
    """Return when a batch was created, in seconds of the epoch, which a provider states as a number or an ISO date.

    Raises:
        RequestFault: the record has no such time.
    """
    created = record.get("created_at")
    if isinstance(created, int | float):
        return created
    try:
        return dt.datetime.fromisoformat(str(created)).timestamp()
    except (ValueError, OverflowError):
        raise RequestFault(RequestFaultKind.MALFORMED, f"expected a time in created_at, found {created!r}") from None
