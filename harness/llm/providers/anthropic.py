"""The provider `anthropic`: Anthropic's Messages interface and its Message Batches."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from harness.llm.connection import Connection, count, json_object, object_or_empty
from harness.llm.messages import Reply, Request, RequestFault, RequestFaultKind, StopReason, Usage, kind_of_status
from harness.llm.provider import (
    BatchEnding,
    BatchInterface,
    HttpProvider,
    Provider,
    ProviderAccess,
    checked_reply,
    id_of,
    provider,
)

BASE_URL = "https://api.anthropic.com"
BATCHES = "/v1/messages/batches"
_STOPS = {
    "max_tokens": StopReason.LENGTH,
    "model_context_window_exceeded": StopReason.LENGTH,
    "refusal": StopReason.REFUSAL,
}
_STATUSES = {"authentication_error": 401, "billing_error": 402, "permission_error": 403, "not_found_error": 404}
_STATUSES |= {"timeout_error": 408, "rate_limit_error": 429, "api_error": 500, "overloaded_error": 529}


def body_of(request: Request) -> dict[str, Any]:
    """Return the body of a message; the part that requests share is marked for the provider's cache."""
    messages = [{"role": message.role, "content": message.text} for message in request.messages]
    body: dict[str, Any] = {"model": request.model, "max_tokens": request.max_tokens, "messages": messages}
    if request.system:
        body["system"] = [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}]
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
    return body


def read_body(text: str) -> Reply:
    """Return the reply in the body of a message; errors as in `json_object` and `checked_reply`."""
    record = json_object(text)
    used = object_or_empty(record.get("usage"))
    cached, written = count(used.get("cache_read_input_tokens")), count(used.get("cache_creation_input_tokens"))
    usage = Usage(count(used.get("input_tokens")) + cached + written, count(used.get("output_tokens")), cached, written)
    parts = record.get("content")
    texts = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    content = "".join(part_text for part_text in texts if isinstance(part_text, str))
    return checked_reply(text, record, content, _STOPS.get(str(record.get("stop_reason")), StopReason.END), usage)


async def _submission(_connection: Connection, _name: str, lines: Sequence[bytes]) -> dict[str, Any]:
    return {"content": b'{"requests": [' + b",".join(lines) + b"]}"}


def _ending(record: Mapping[str, Any]) -> BatchEnding | None:
    """Return the end of a batch; the path is made here, because an address of the server could send the key anywhere."""
    if record.get("processing_status") != "ended":
        return None
    lost = RequestFault(RequestFaultKind.LOST, "the batch ended without a result for it")
    return BatchEnding((f"{BATCHES}/{id_of(record)}/results",), lost)


def _outcome(record: Mapping[str, Any], line: str) -> Reply | RequestFault:
    result = object_or_empty(record.get("result"))
    kind, error = result.get("type"), result.get("error")
    if kind == "succeeded":
        return read_body(json.dumps(result.get("message")))
    if kind in {"expired", "canceled"}:
        return RequestFault(RequestFaultKind.EXPIRED, f"{kind} before it was answered", raw=line)
    if kind == "errored" and isinstance(error, dict):
        details = object_or_empty(error.get("error", error))
        name, message = str(details.get("type")), str(details.get("message"))
        return RequestFault(kind_of_status(_STATUSES.get(name, 400), message), f"{name}: {message}", raw=line)
    return RequestFault(RequestFaultKind.MALFORMED, "a result with neither an answer nor an error", raw=line)


_BATCHES = BatchInterface(
    path=BATCHES,
    most_requests=100_000,
    most_bytes=256_000_000 - 100,
    record_of=lambda label, request: {"custom_id": label, "params": body_of(request)},
    parts=_submission,
    ending=_ending,
    outcome=_outcome,
    body="params",
)


@provider("anthropic", batches=_BATCHES)
def open_anthropic(access: ProviderAccess) -> Provider:
    """Anthropic's interface; key in ANTHROPIC_API_KEY, another address in ANTHROPIC_BASE_URL."""
    address = access.variables.get("ANTHROPIC_BASE_URL") or BASE_URL
    connection = Connection("anthropic", address, access.key("ANTHROPIC_API_KEY"))
    return HttpProvider(connection, "/v1/messages", body_of, read_body, labelled=True)
