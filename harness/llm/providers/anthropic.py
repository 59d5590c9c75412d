"""Anthropic."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.llm.compatible import count, json_object
from harness.llm.faults import Fault, Kind, kind_of_status, retry_after
from harness.llm.provider import provider
from harness.llm.requests import Reply, Stop, Usage

if TYPE_CHECKING:
    from harness.llm.keys import Secret
    from harness.llm.provider import Access, Provider
    from harness.llm.requests import Request

BASE_URL = "https://api.anthropic.com"
_STOPS = {"max_tokens": Stop.LENGTH, "model_context_window_exceeded": Stop.LENGTH, "refusal": Stop.REFUSAL}


def body_of(request: Request) -> dict[str, Any]:
    """Return the body of a message; what requests share is marked to be kept in the cache."""
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [{"role": one.role, "content": one.text} for one in request.messages],
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
        Fault: the body is no JSON of a message, or holds no text.
    """
    record = json_object(text)
    found = record.get("usage")
    used: dict[str, Any] = found if isinstance(found, dict) else {}
    cached, written = count(used.get("cache_read_input_tokens")), count(used.get("cache_creation_input_tokens"))
    usage = Usage(count(used.get("input_tokens")) + cached + written, count(used.get("output_tokens")), cached, written)
    parts = record.get("content")
    texts = [one.get("text") for one in parts if isinstance(one, dict)] if isinstance(parts, list) else []
    content = "".join(one for one in texts if isinstance(one, str))
    stop = _STOPS.get(str(record.get("stop_reason")), Stop.END)
    if not content.strip() and stop is Stop.END:
        raise Fault(Kind.EMPTY, "the answer has no text", usage=usage, raw=text)
    return Reply(content, usage, stop, text)


class Anthropic:
    """Anthropic's interface; retries and waits are the client's, so the library makes none."""

    def __init__(self, base_url: str, key: Secret) -> None:
        """Make the connection pool; nothing is sent."""
        try:
            import anthropic
        except ImportError:
            raise HarnessError("Anthropic's models need its library: pip install 'oracle-factory[llm]'") from None
        self.client = anthropic.AsyncAnthropic(base_url=base_url, api_key=key.reveal(), max_retries=0, timeout=None)

    async def ask(self, request: Request, label: str) -> Reply:
        """Return the answer; errors as in `Provider.ask`."""
        import anthropic
        import httpx2

        try:
            answer = await self.client.post(
                "/v1/messages",
                body=body_of(request),
                options={"headers": {"Idempotency-Key": label}},
                cast_to=httpx2.Response,
            )
        except anthropic.APIStatusError as error:
            text = error.response.text
            raise Fault(
                kind_of_status(error.status_code, text),
                f"HTTP {error.status_code}: {_told(text)}",
                retry_after=retry_after(error.response.headers),
                raw=text,
            ) from None
        except anthropic.APIConnectionError as error:
            cause = error.__cause__ or error
            raise Fault(Kind.CONNECTION, f"{type(cause).__name__}: {cause}") from None
        return read_body(answer.text)

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()


def _told(text: str) -> str:
    try:
        return str(json.loads(text)["error"]["message"])[:200]
    except (ValueError, KeyError, TypeError, RecursionError):
        return text[:120]


@provider("anthropic")
def open_anthropic(access: Access) -> Provider:
    """Anthropic's interface; key in ANTHROPIC_API_KEY, another address in ANTHROPIC_BASE_URL."""
    return Anthropic(access.variables.get("ANTHROPIC_BASE_URL") or BASE_URL, access.key("ANTHROPIC_API_KEY"))
