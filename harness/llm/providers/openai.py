"""The provider `openai`: OpenAI's chat completions interface and its batches.

A file of lines is uploaded, a batch is created from it, and its answers and errors are two files. Our name of a batch is in its
metadata.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.llm.batch_provider import BatchEnding, BatchProvider, BatchSize, SoughtBatch, id_of
from harness.llm.chat_completions import CompatibleProvider, ServerDialect, body_of, read_body
from harness.llm.connection import count, error_message, json_object, object_or_empty
from harness.llm.faults import RequestFault, RequestFaultKind, kind_of_status
from harness.llm.provider import provider

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.llm.messages import Reply, Request
    from harness.llm.provider import Provider, ProviderAccess

BASE_URL = "https://api.openai.com/v1"
DIALECT = ServerDialect(limit="max_completion_tokens", openai=True)
NAME = "oracle_factory_batch"
_EARLY = {"batch_expired", "batch_cancelled"}


class OpenAIBatches(BatchProvider):
    """OpenAI's batches: 50,000 questions or 200 MB each, all to one model."""

    most = BatchSize(50_000, 200_000_000)
    path = "/batches"
    cursor = "after"

    def record_of(self, label: str, request: Request) -> dict[str, Any]:
        """Return a line of the file."""
        body = body_of(request, DIALECT)
        return {"custom_id": label, "method": "POST", "url": "/v1/chat/completions", "body": body}

    async def parts(self, name: str, lines: Sequence[bytes]) -> dict[str, Any]:
        """Upload the file; a file without a batch costs nothing."""
        file = (f"{name}.jsonl", b"".join(lines), "application/jsonl")
        headers = {"Content-Type": "multipart/form-data"}
        record = await self.connection.post("/files", body={"purpose": "batch"}, files={"file": file}, headers=headers)
        body = {"endpoint": "/v1/chat/completions", "completion_window": "24h", "metadata": {NAME: name}}
        return {"body": {"input_file_id": id_of(json_object(record)), **body}}

    async def is_sought(self, record: Mapping[str, Any], sought: SoughtBatch) -> bool:
        """Compare the name in the metadata."""
        return object_or_empty(record.get("metadata")).get(NAME) == sought.name

    def ending(self, record: Mapping[str, Any]) -> BatchEnding | None:
        """Return the end of a batch with the paths of its files of answers and of errors."""
        status = str(record.get("status"))
        if status not in {"completed", "failed", "expired", "cancelled"}:
            return None
        counts = object_or_empty(record.get("request_counts"))
        files = [id_of(record, name) for name in ("output_file_id", "error_file_id") if record.get(name)]
        paths = tuple(f"/files/{file}/content" for file in files)
        return BatchEnding(count(counts.get("completed")) + count(counts.get("failed")), paths, _rest(status, record))

    def outcome(self, record: Mapping[str, Any], line: str) -> Reply | RequestFault:
        """Return the answer or the error of a question."""
        response, error = object_or_empty(record.get("response")), object_or_empty(record.get("error"))
        status, text = response.get("status_code"), json.dumps(response.get("body"))
        if status == 200:
            return read_body(text)
        if isinstance(status, int) and 400 <= status < 600:
            return RequestFault(kind_of_status(status, text), f"HTTP {status}: {error_message(text)}", raw=line)
        if not response and error:
            return _fault_of(error, raw=line)
        return RequestFault(RequestFaultKind.MALFORMED, "a result with neither an answer nor an error", raw=line)


def _fault_of(error: Mapping[str, Any], before: str = "", raw: str = "") -> RequestFault:
    code = str(error.get("code"))
    kind = RequestFaultKind.EXPIRED if code in _EARLY else kind_of_status(400, json.dumps(error))
    kind = RequestFaultKind.RATE if code == "token_limit_exceeded" else kind
    return RequestFault(kind, f"{before}{code}: {error.get('message')}", raw=raw)


def _rest(status: str, record: Mapping[str, Any]) -> RequestFault:
    """Return the fault of questions without a result."""
    if status == "completed":
        return RequestFault(RequestFaultKind.LOST, "the batch was completed without a result for it")
    if status in {"expired", "cancelled"}:
        return RequestFault(RequestFaultKind.EXPIRED, f"the batch was {status} before it was answered")
    data = object_or_empty(record.get("errors")).get("data")
    return _fault_of(object_or_empty(data[0]) if isinstance(data, list) and data else {}, "the batch was refused: ")


def open_batches(access: ProviderAccess) -> BatchProvider:
    """OpenAI's batches, at the same address with the same key."""
    return OpenAIBatches(_opened(access).connection)


@provider("openai", batches=open_batches)
def open_openai(access: ProviderAccess) -> Provider:
    """OpenAI's interface; key in OPENAI_API_KEY, another address in OPENAI_BASE_URL."""
    return _opened(access)


def _opened(access: ProviderAccess) -> CompatibleProvider:
    return CompatibleProvider(
        access.variables.get("OPENAI_BASE_URL") or BASE_URL, access.key("OPENAI_API_KEY"), DIALECT
    )
