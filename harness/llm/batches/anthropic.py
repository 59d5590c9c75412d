"""Submission of batches to Anthropic's Message Batches, and reading of their results.

These batches have no names. A batch that may have been submitted is identified by its time, its size and, after it has ended,
the labels of its results. Before it ends, it cannot be identified.
"""

from __future__ import annotations

import datetime as dt
import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from harness.llm.anthropic_messages import AnthropicProvider, body_of, read_body
from harness.llm.batch_protocol import BatchEnding, BatchResult, BatchSize, SoughtBatch
from harness.llm.batches.openai import SKEW, create_batch
from harness.llm.batches.transport import BatchTransport, id_of, read_result
from harness.llm.chat_completions import count, object_or_empty
from harness.llm.faults import RequestFault, RequestFaultKind, kind_of_status

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from harness.llm.messages import Reply, Request

PATH = "/v1/messages/batches"
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
        self.wire = BatchTransport(opened)

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
        async with aclosing(self.wire.listed(PATH, "after_id", _created, sought.began - SKEW)) as records:
            async for record in records:
                if not _alike(record, sought):
                    continue
                if record.get("processing_status") != "ended":
                    waiting.append(id_of(record))
                elif await self._holds(id_of(record), sought):
                    return id_of(record)
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
                yield read_result(line, _outcome)

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


def _outcome(record: dict[str, Any], line: str) -> Reply | RequestFault:
    result = object_or_empty(record.get("result"))
    kind = result.get("type")
    if kind == "succeeded":
        return read_body(json.dumps(result.get("message")))
    if kind in {"expired", "canceled"}:
        return RequestFault(RequestFaultKind.EXPIRED, f"{kind} before it was answered", raw=line)
    error = result.get("error")
    if kind == "errored" and isinstance(error, dict):
        details = object_or_empty(error.get("error", error))
        name, message = str(details.get("type")), str(details.get("message"))
        return RequestFault(_KINDS.get(name) or kind_of_status(400, message), f"{name}: {message}", raw=line)
    return RequestFault(RequestFaultKind.MALFORMED, "a result with neither an answer nor an error", raw=line)
