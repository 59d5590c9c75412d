"""The provider `openai`: OpenAI's chat completions interface and its batches.

A file of lines is uploaded, a batch is created from it, and its answers and errors are two files. Our name of a batch is in its
metadata.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.llm.chat_completions import CompatibleProvider, ServerDialect, body_of, read_body
from harness.llm.connection import error_message, json_object, object_or_empty
from harness.llm.faults import RequestFault, RequestFaultKind, kind_of_status
from harness.llm.provider import BatchEnding, BatchProvider, BatchSize, id_of, provider

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.llm.messages import Reply, Request
    from harness.llm.provider import Provider, ProviderAccess

BASE_URL = "https://api.openai.com/v1"
DIALECT = ServerDialect(limit="max_completion_tokens", openai=True)
_KINDS = dict.fromkeys(("batch_expired", "batch_cancelled"), RequestFaultKind.EXPIRED)
_KINDS["token_limit_exceeded"] = RequestFaultKind.RATE


class OpenAIBatches(BatchProvider):
    """OpenAI's batches: 50,000 questions or 200 MB each, all to one model."""

    most = BatchSize(50_000, 200_000_000)
    path = "/batches"

    def record_of(self, label: str, request: Request) -> dict[str, Any]:
        """Return a line of the file."""
        body = body_of(request, DIALECT)
        return {"custom_id": label, "method": "POST", "url": "/v1/chat/completions", "body": body}

    async def parts(self, name: str, lines: Sequence[bytes]) -> dict[str, Any]:
        """Upload the file; a file without a batch costs nothing."""
        file = (f"{name}.jsonl", b"".join(lines), "application/jsonl")
        headers = {"Content-Type": "multipart/form-data"}
        record = await self.connection.post("/files", body={"purpose": "batch"}, files={"file": file}, headers=headers)
        body = {"endpoint": "/v1/chat/completions", "completion_window": "24h"}
        body |= {"input_file_id": id_of(json_object(record))}
        return {"body": {**body, "metadata": {"oracle_factory_batch": name}}}

    def ending(self, record: Mapping[str, Any]) -> BatchEnding | None:
        """Return the end of a batch with the paths of its files of answers and of errors."""
        status = str(record.get("status"))
        if status not in {"completed", "failed", "expired", "cancelled"}:
            return None
        files = [id_of(record, name) for name in ("output_file_id", "error_file_id") if record.get(name)]
        if status == "completed":
            rest = RequestFault(RequestFaultKind.LOST, "the batch was completed without a result for it")
        elif status == "failed":
            errors = object_or_empty(record.get("errors")).get("data")
            first = object_or_empty(errors[0] if isinstance(errors, list) and errors else None)
            rest = _fault_of(first, "the batch was refused: ")
        else:
            rest = RequestFault(RequestFaultKind.EXPIRED, f"the batch was {status} before it was answered")
        return BatchEnding(tuple(f"/files/{file}/content" for file in files), rest)

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
    kind = _KINDS.get(code) or kind_of_status(400, json.dumps(error))
    return RequestFault(kind, f"{before}{code}: {error.get('message')}", raw=raw)


def open_batches(access: ProviderAccess) -> BatchProvider:
    """OpenAI's batches, at the same address with the same key."""
    return OpenAIBatches(_server(access).connection)


@provider("openai", batches=open_batches)
def open_openai(access: ProviderAccess) -> Provider:
    """OpenAI's interface; key in OPENAI_API_KEY, another address in OPENAI_BASE_URL."""
    return _server(access)


def _server(access: ProviderAccess) -> CompatibleProvider:
    address = access.variables.get("OPENAI_BASE_URL") or BASE_URL
    return CompatibleProvider(address, access.key("OPENAI_API_KEY"), DIALECT)
