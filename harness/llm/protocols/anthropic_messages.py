"""Anthropic's Messages interface: bodies of requests, replies, and the connection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.llm.faults import RequestFault, RequestFaultKind
from harness.llm.messages import Reply, StopReason, Usage
from harness.llm.protocols.chat_completions import (
    count,
    error_message,
    json_object,
    object_or_empty,
    open_library,
    post_text,
)

if TYPE_CHECKING:
    from harness.llm.api_keys import Secret
    from harness.llm.messages import Request

BASE_URL = "https://api.anthropic.com"
_STOPS = {
    "max_tokens": StopReason.LENGTH,
    "model_context_window_exceeded": StopReason.LENGTH,
    "refusal": StopReason.REFUSAL,
}


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
        raise RequestFault(
            RequestFaultKind.SERVER, f"an error under status 200: {error_message(text)}", usage=usage, raw=text
        )
    texts = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    content = "".join(part_text for part_text in texts if isinstance(part_text, str))
    stop = _STOPS.get(str(record.get("stop_reason")), StopReason.END)
    if not content.strip() and stop is StopReason.END:
        raise RequestFault(RequestFaultKind.EMPTY, "the answer has no text", usage=usage, raw=text)
    return Reply(content, usage, stop, text)


class AnthropicProvider:
    """Anthropic's interface; the library does not retry or wait, because the client does."""

    def __init__(self, base_url: str, key: Secret) -> None:
        """Make the connection pool without sending anything.

        Raises:
            HarnessError: the library is not installed, or the address is invalid.
        """
        try:
            import anthropic
        except ImportError:
            raise HarnessError(
                f"Anthropic's models need its library; install it by: {runnable('make install-llm')}"
            ) from None
        self.secrets = [key]
        self.client = open_library(anthropic, anthropic.AsyncAnthropic, base_url=base_url, api_key=key.reveal())

    async def ask(self, request: Request, label: str) -> Reply:
        """Return the answer; errors as in `Provider.ask`."""
        import anthropic

        headers = {"Idempotency-Key": label}
        return read_body(
            await post_text(
                anthropic, self.client, "/v1/messages", body_of(request), headers=headers, secrets=self.secrets
            )
        )

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()
