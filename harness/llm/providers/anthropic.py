"""The provider `anthropic`: Anthropic's Messages interface and its Message Batches."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.llm.connection import Connection, count, error_message, json_object, object_or_empty
from harness.llm.faults import RequestFault, RequestFaultKind, kind_of_status
from harness.llm.messages import Reply, StopReason, Usage
from harness.llm.provider import BatchEnding, BatchProvider, BatchSize, id_of, provider
from harness.llm.refused_parameters import RefusedParameters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.llm.messages import Request
    from harness.llm.provider import Provider, ProviderAccess

BASE_URL = "https://api.anthropic.com"
_STOPS = {
    "max_tokens": StopReason.LENGTH,
    "model_context_window_exceeded": StopReason.LENGTH,
    "refusal": StopReason.REFUSAL,
}
_STATUSES = {"authentication_error": 401, "billing_error": 402, "permission_error": 403, "not_found_error": 404}
_STATUSES |= {"timeout_error": 408, "rate_limit_error": 429, "api_error": 500, "overloaded_error": 529}


def body_of(request: Request) -> dict[str, Any]:
    """Return the body of a message; the part that requests share is marked for the provider's cache."""
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [{"role": message.role, "content": message.text} for message in request.messages],
    }
    if request.system:
        body["system"] = [{"type": "text", "text": request.system, "cache_control": {"type": "ephemeral"}}]
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
    return body


def read_body(text: str) -> Reply:
    """Return the reply in the body of a message.

    Raises:
        RequestFault: the body is no JSON of a message, or has no text.
    """
    record = json_object(text)
    used = object_or_empty(record.get("usage"))
    cached, written = count(used.get("cache_read_input_tokens")), count(used.get("cache_creation_input_tokens"))
    usage = Usage(count(used.get("input_tokens")) + cached + written, count(used.get("output_tokens")), cached, written)
    parts = record.get("content")
    if not parts and record.get("error"):
        reason = f"an error under status 200: {error_message(text)}"
        raise RequestFault(RequestFaultKind.SERVER, reason, usage=usage, raw=text)
    texts = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    content = "".join(part_text for part_text in texts if isinstance(part_text, str))
    stop = _STOPS.get(str(record.get("stop_reason")), StopReason.END)
    if not content.strip() and stop is StopReason.END:
        raise RequestFault(RequestFaultKind.EMPTY, "the answer has no text", usage=usage, raw=text)
    return Reply(content, usage, stop, text)


class AnthropicProvider:
    """Anthropic's interface."""

    def __init__(self, connection: Connection) -> None:
        """Use an open connection."""
        self.connection = connection
        self.refused = RefusedParameters()

    async def ask(self, request: Request, label: str) -> Reply:
        """Return the answer; errors as in `Provider.ask`."""
        headers = {"Idempotency-Key": label}
        return read_body(await self.refused.post(self.connection, "/v1/messages", body_of(request), headers))

    async def close(self) -> None:
        """Close the connections."""
        await self.connection.close()


class AnthropicBatches(BatchProvider):
    """Anthropic's batches: 100,000 questions or 256 MB each."""

    most = BatchSize(100_000, 256_000_000 - 100)
    path = "/v1/messages/batches"

    def record_of(self, label: str, request: Request) -> dict[str, Any]:
        """Return an item of the list."""
        return {"custom_id": label, "params": body_of(request)}

    async def parts(self, name: str, lines: Sequence[bytes]) -> dict[str, Any]:  # noqa: ARG002  # batches have no names
        """Return the list of all items."""
        return {"content": b'{"requests": [' + b",".join(lines) + b"]}"}

    def ending(self, record: Mapping[str, Any]) -> BatchEnding | None:
        """Return the end of a batch; the path is made here, because an address of the server could send the key anywhere."""
        if record.get("processing_status") != "ended":
            return None
        lost = RequestFault(RequestFaultKind.LOST, "the batch ended without a result for it")
        return BatchEnding((f"{self.path}/{id_of(record)}/results",), lost)

    def outcome(self, record: Mapping[str, Any], line: str) -> Reply | RequestFault:
        """Return the answer or the error of a question."""
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


def open_batches(access: ProviderAccess) -> BatchProvider:
    """Anthropic's batches, at the same address with the same key."""
    return AnthropicBatches(_connection(access))


@provider("anthropic", batches=open_batches)
def open_anthropic(access: ProviderAccess) -> Provider:
    """Anthropic's interface; key in ANTHROPIC_API_KEY, another address in ANTHROPIC_BASE_URL."""
    return AnthropicProvider(_connection(access))


def _connection(access: ProviderAccess) -> Connection:
    address = access.variables.get("ANTHROPIC_BASE_URL") or BASE_URL
    return Connection("anthropic", address, access.key("ANTHROPIC_API_KEY"))
