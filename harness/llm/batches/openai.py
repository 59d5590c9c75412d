"""Submission of batches to OpenAI's Batch interface, and reading of their results.

A file of lines is uploaded, a batch is created from it, and its answers and errors are two files. The name of a batch is in its
metadata.
"""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from harness.llm.batches.transport import BatchTransport, id_of
from harness.llm.faults import UNBILLED, RequestFault, RequestFaultKind, kind_of_status
from harness.llm.protocols.batch_protocol import BatchEnding, BatchResult, BatchSize, DoubtfulSubmission, SoughtBatch
from harness.llm.protocols.chat_completions import (
    CompatibleProvider,
    body_of,
    count,
    error_message,
    json_object,
    object_or_empty,
    read_body,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from harness.llm.messages import Reply, Request

NAME = "oracle_factory_batch"
SKEW = 600.0
"""Seconds by which the clock of the provider may differ from ours."""
_ENDS = frozenset({"completed", "failed", "expired", "cancelled"})
_PAGE = 100
_MOST_PAGES = 200


class OpenAIBatches:
    """OpenAI's batches: 50,000 questions or 200 MB each, all to one model."""

    most = BatchSize(50_000, 200_000_000)

    def __init__(self, opened: CompatibleProvider) -> None:
        """Use an open connection."""
        import openai

        self.dialect = replace(opened.dialect, idempotent=False)
        self.wire = BatchTransport(openai, opened.client, opened.secrets)

    def line(self, label: str, request: Request) -> bytes:
        """Return a line of the file."""
        body = body_of(request, self.dialect)
        record = {"custom_id": label, "method": "POST", "url": "/v1/chat/completions", "body": body}
        return json.dumps(record, ensure_ascii=False).encode() + b"\n"

    async def submit(self, name: str, lines: Sequence[bytes]) -> str:
        """Upload the file and create a batch of it; a file without a batch costs nothing. Errors as in `BatchProvider`."""
        parts = {"file": (f"{name}.jsonl", b"".join(lines), "application/jsonl")}
        record = await self.wire.post(
            "/files", body={"purpose": "batch"}, files=parts, headers={"Content-Type": "multipart/form-data"}
        )
        body = {
            "input_file_id": id_of(record),
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {NAME: name},
        }
        return await create_batch(self.wire, "/batches", name, body=body)

    async def find(self, sought: SoughtBatch) -> str | None:
        """Search the list of batches for the name, newest first; errors as in `BatchProvider`."""
        query = {"limit": str(_PAGE)}
        for _ in range(_MOST_PAGES):
            page = await self.wire.get("/batches", query)
            records = page_records(page)
            for record in records:
                metadata = record.get("metadata")
                if isinstance(metadata, dict) and metadata.get(NAME) == sought.name:
                    return id_of(record)
            if not page.get("has_more") or not records or _created(records[-1]) < sought.began - SKEW:
                return None
            query["after"] = id_of(records[-1])
        raise RequestFault(RequestFaultKind.MALFORMED, f"more than {_MOST_PAGES} pages of batches")

    async def ended(self, remote: str) -> BatchEnding | None:
        """Return the end of a batch; errors as in `BatchProvider`."""
        record = await self.wire.get(f"/batches/{remote}")
        status = record.get("status")
        if status not in _ENDS:
            return None
        counts = object_or_empty(record.get("request_counts"))
        return BatchEnding(count(counts.get("completed")) + count(counts.get("failed")), _rest(status, record))

    async def results(self, remote: str) -> AsyncGenerator[BatchResult]:
        """Yield the results in the files of answers and of errors; errors as in `BatchProvider`."""
        record = await self.wire.get(f"/batches/{remote}")
        for name in ("output_file_id", "error_file_id"):
            if record.get(name):
                async with aclosing(self.wire.lines(f"/files/{id_of(record, name)}/content")) as lines:
                    async for line in lines:
                        yield read_line(line)

    async def close(self) -> None:
        """Close the connections."""
        await self.wire.close()


async def create_batch(wire: BatchTransport, path: str, name: str, **parts: Any) -> str:
    """Create a batch by a request and return its id; errors as in `BatchProvider.submit`."""
    headers = {"Idempotency-Key": name, "Content-Type": "application/json"}
    try:
        return id_of(await wire.post(path, headers=headers, **parts))
    except RequestFault as fault:
        # An overloaded or failing server may have created the batch before it failed.
        if fault.kind in UNBILLED - {RequestFaultKind.SERVER, RequestFaultKind.OVERLOADED}:
            raise
        raise DoubtfulSubmission(fault.kind, fault.reason, retry_after=fault.retry_after, raw=fault.raw) from None


def page_records(page: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the records of a page of a list.

    Raises:
        RequestFault: the page has no list of records.
    """
    records = page.get("data")
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise RequestFault(RequestFaultKind.MALFORMED, f"expected a list of batches, found {records!r}")
    return records


def _created(record: dict[str, Any]) -> float:
    """Return when a batch was created, in seconds of the epoch.

    Raises:
        RequestFault: the record has no such time.
    """
    created = record.get("created_at")
    if not isinstance(created, int | float):
        raise RequestFault(RequestFaultKind.MALFORMED, f"expected a time in created_at, found {created!r}")
    return created


def read_line(line: str) -> BatchResult:
    """Return the result in a line of OpenAI's results."""
    try:
        record = json_object(line)
    except RequestFault as fault:
        return BatchResult(None, fault)
    label = record.get("custom_id")
    return BatchResult(label if isinstance(label, str) else None, _outcome(record, line))


def _outcome(record: dict[str, Any], line: str) -> Reply | RequestFault:
    response, error = record.get("response"), record.get("error")
    if isinstance(response, dict):
        status, text = response.get("status_code"), json.dumps(response.get("body"))
        if status == 200:
            try:
                return read_body(text)
            except RequestFault as fault:
                return fault
        if isinstance(status, int) and 400 <= status < 600:
            return RequestFault(kind_of_status(status, text), f"HTTP {status}: {error_message(text)}", raw=line)
    elif isinstance(error, dict):
        code = str(error.get("code"))
        kind = (
            RequestFaultKind.EXPIRED
            if code in {"batch_expired", "batch_cancelled"}
            else kind_of_status(400, json.dumps(error))
        )
        return RequestFault(kind, f"{code}: {error.get('message')}", raw=line)
    return RequestFault(RequestFaultKind.MALFORMED, "a result with neither an answer nor an error", raw=line)


def _rest(status: str, record: dict[str, Any]) -> RequestFault:
    if status == "completed":
        return RequestFault(RequestFaultKind.LOST, "the batch was completed without a result for it")
    if status in {"expired", "cancelled"}:
        return RequestFault(RequestFaultKind.EXPIRED, f"the batch was {status} before it was answered")
    data = object_or_empty(record.get("errors")).get("data")
    first = object_or_empty(data[0]) if isinstance(data, list) and data else {}
    code = str(first.get("code"))
    kind = RequestFaultKind.RATE if code == "token_limit_exceeded" else kind_of_status(400, json.dumps(first))
    return RequestFault(kind, f"the batch was refused: {code}: {first.get('message')}")
