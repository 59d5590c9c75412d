"""Submission of batches to Anthropic's Message Batches, and reading of their results.

These batches have no names. A batch that may have been submitted is identified by its time, its size and, after it has ended,
the labels of its results. Before it ends, it cannot be identified.
"""

from __future__ import annotations

import datetime as dt
import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from harness.llm.batches.openai import SKEW, create_batch, page_records
from harness.llm.batches.transport import BatchTransport, id_of
from harness.llm.faults import RequestFault, RequestFaultKind, kind_of_status
from harness.llm.protocols.anthropic_messages import AnthropicProvider, body_of, read_body
from harness.llm.protocols.batch_protocol import BatchEnding, BatchResult, BatchSize, SoughtBatch
from harness.llm.protocols.chat_completions import count, json_object, object_or_empty

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from harness.llm.messages import Reply, Request

PATH = "/v1/messages/batches"
_PAGE = 100
_MOST_PAGES = 200
_KINDS = {
    "api_error": RequestFaultKind.SERVER,
    "authentication_error": RequestFaultKind.ACCESS,
    "billing_error": RequestFaultKind.QUOTA,
    "not_found_error": RequestFaultKind.ACCESS,
    "overloaded_error": RequestFaultKind.OVERLOADED,
    "permission_error": RequestFaultKind.ACCESS,
    "rate_limit_error": RequestFaultKind.RATE,
    "timeout_error": RequestFaultKind.SERVER,
}


class AnthropicBatches:
    """Anthropic's batches: 100,000 questions or 256 MB each."""

    most = BatchSize(100_000, 256_000_000 - 100)

    def __init__(self, opened: AnthropicProvider) -> None:
        """Use an open connection."""
        import anthropic

        self.wire = BatchTransport(anthropic, opened.client, opened.secrets)

    def line(self, label: str, request: Request) -> bytes:
        """Return an item of the list."""
        record = {"custom_id": label, "params": body_of(request)}
        return json.dumps(record, ensure_ascii=False).encode() + b"\n"

    async def submit(self, name: str, lines: Sequence[bytes]) -> str:
        """Submit all lines in one request; errors as in `BatchProvider`."""
        content = b'{"requests": [' + b",".join(lines) + b"]}"
        return await create_batch(self.wire, PATH, name, content=content)

    async def find(self, sought: SoughtBatch) -> str | None:
        """Search the batches of that time and size; errors as in `BatchProvider`.

        Raises:
            RequestFault: a batch that may be the sought one has not ended.
        """
        waiting: list[str] = []
        query = {"limit": str(_PAGE)}
        for _ in range(_MOST_PAGES):
            page = await self.wire.get(PATH, query)
            records = page_records(page)
            for record in records:
                if not _alike(record, sought):
                    continue
                if record.get("processing_status") != "ended":
                    waiting.append(id_of(record))
                elif await self._holds(id_of(record), sought):
                    return id_of(record)
            if not page.get("has_more") or not records or _created(records[-1]) < sought.began - SKEW:
                break
            query["after_id"] = id_of(records[-1])
        else:
            raise RequestFault(RequestFaultKind.MALFORMED, f"more than {_MOST_PAGES} pages of batches")
        if waiting:
            raise RequestFault(
                RequestFaultKind.PENDING,
                f"{', '.join(waiting)} may be this batch; that can be told only when it has ended",
            )
        return None

    async def _holds(self, remote: str, sought: SoughtBatch) -> bool:
        """Tell whether the labels of a batch are the sought ones; a batch whose results are gone has none."""
        seen = False
        try:
            async with aclosing(self.results(remote)) as results:
                async for result in results:
                    if result.label is not None and result.label not in sought.labels:
                        return False
                    seen = seen or result.label is not None
        except RequestFault as fault:
            if fault.kind is not RequestFaultKind.ACCESS:
                raise
        return seen

    async def ended(self, remote: str) -> BatchEnding | None:
        """Return the end of a batch; errors as in `BatchProvider`."""
        record = await self.wire.get(f"{PATH}/{remote}")
        if record.get("processing_status") != "ended":
            return None
        return BatchEnding(
            _total(record), RequestFault(RequestFaultKind.LOST, "the batch ended without a result for it")
        )

    async def results(self, remote: str) -> AsyncGenerator[BatchResult]:
        """Yield the results in the file of results; errors as in `BatchProvider`.

        The address is made here, because an address from the server could send the key anywhere.
        """
        async with aclosing(self.wire.lines(f"{PATH}/{remote}/results")) as lines:
            async for line in lines:
                yield read_line(line)

    async def close(self) -> None:
        """Close the connections."""
        await self.wire.close()


def _alike(record: dict[str, Any], sought: SoughtBatch) -> bool:
    return (
        record.get("id") not in sought.others
        and _created(record) >= sought.began - SKEW
        and _total(record) == len(sought.labels)
    )


def _total(record: dict[str, Any]) -> int:
    return sum(count(value) for value in object_or_empty(record.get("request_counts")).values())


def _created(record: dict[str, Any]) -> float:
    """Return when a batch was created, in seconds of the epoch.

    Raises:
        RequestFault: the record has no such time.
    """
    try:
        return dt.datetime.fromisoformat(str(record.get("created_at"))).timestamp()
    except (ValueError, OverflowError):
        raise RequestFault(
            RequestFaultKind.MALFORMED, f"expected a time in created_at, found {record.get('created_at')!r}"
        ) from None


def read_line(line: str) -> BatchResult:
    """Return the result in a line of Anthropic's results."""
    try:
        record = json_object(line)
    except RequestFault as fault:
        return BatchResult(None, fault)
    label = record.get("custom_id")
    return BatchResult(label if isinstance(label, str) else None, _outcome(object_or_empty(record.get("result")), line))


def _outcome(result: dict[str, Any], line: str) -> Reply | RequestFault:
    kind = result.get("type")
    if kind == "succeeded":
        try:
            return read_body(json.dumps(result.get("message")))
        except RequestFault as fault:
            return fault
    if kind in {"expired", "canceled"}:
        return RequestFault(RequestFaultKind.EXPIRED, f"{kind} before it was answered", raw=line)
    error = result.get("error")
    if kind == "errored" and isinstance(error, dict):
        details = object_or_empty(error.get("error", error))
        name, message = str(details.get("type")), str(details.get("message"))
        return RequestFault(_KINDS.get(name) or kind_of_status(400, message), f"{name}: {message}", raw=line)
    return RequestFault(RequestFaultKind.MALFORMED, "a result with neither an answer nor an error", raw=line)
