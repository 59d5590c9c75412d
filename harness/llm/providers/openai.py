"""The provider `openai`: OpenAI's chat completions interface and its batches.

A file of lines is uploaded, a batch is created from it, and its answers and errors are two files. Our name of a batch is in its
metadata.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from harness.llm.chat_completions import body_of, chat_provider, read_body
from harness.llm.connection import Connection, error_message, json_object, object_or_empty
from harness.llm.messages import Reply, Request, RequestFault, RequestFaultKind, kind_of_status
from harness.llm.provider import BatchEnding, BatchInterface, Provider, ProviderAccess, id_of, provider

BASE_URL = "https://api.openai.com/v1"
ENDPOINT = "/v1/chat/completions"
_KINDS = dict.fromkeys(("batch_expired", "batch_cancelled"), RequestFaultKind.EXPIRED)
_KINDS["token_limit_exceeded"] = RequestFaultKind.RATE


def _record_of(label: str, request: Request) -> dict[str, Any]:
    return {"custom_id": label, "method": "POST", "url": ENDPOINT, "body": body_of(request, openai=True)}


async def _submission(connection: Connection, name: str, lines: Sequence[bytes]) -> dict[str, Any]:
    """Upload the file; a file without a batch costs nothing."""
    file = (f"{name}.jsonl", b"".join(lines), "application/jsonl")
    headers = {"Content-Type": "multipart/form-data"}
    record = json_object(
        await connection.post("/files", body={"purpose": "batch"}, files={"file": file}, headers=headers)
    )
    body = {"endpoint": ENDPOINT, "completion_window": "24h", "input_file_id": id_of(record)}
    return {"body": {**body, "metadata": {"oracle_factory_batch": name}}}


def _ending(record: Mapping[str, Any]) -> BatchEnding | None:
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


def _outcome(record: Mapping[str, Any], line: str) -> Reply | RequestFault:
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


@provider("openai", batches=BatchInterface("/batches", 50_000, 200_000_000, _record_of, _submission, _ending, _outcome))
def open_openai(access: ProviderAccess) -> Provider:
    """OpenAI's interface; key in OPENAI_API_KEY, another address in OPENAI_BASE_URL."""
    address = access.variables.get("OPENAI_BASE_URL") or BASE_URL
    return chat_provider(address, access.key("OPENAI_API_KEY"), openai=True)
