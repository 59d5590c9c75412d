"""OpenAI-compatible chat completions: the body of a request and the reply.

OpenAI, Gemini's compatible address, vLLM, Ollama and llama.cpp differ in the address, the key and the accepted options.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.llm.connection import Connection, count, error_message, json_object, object_or_empty
from harness.llm.faults import RequestFault, RequestFaultKind
from harness.llm.messages import Reply, StopReason, Usage
from harness.llm.refused_parameters import RefusedParameters

if TYPE_CHECKING:
    from harness.llm.api_keys import Secret
    from harness.llm.messages import Request

COMPATIBLE_ADDRESS = "COMPATIBLE_BASE_URL"
COMPATIBLE_KEY = "COMPATIBLE_API_KEY"


@dataclass(frozen=True, slots=True)
class ServerDialect:
    """The options of a server: GBNF grammars, the name of the limit on output.

    OpenAI's own server (`openai`) takes cache keys and idempotency labels, and gets the headers that the library takes from the
    environment.
    """

    grammar: bool = False
    limit: str = "max_tokens"
    openai: bool = False


def body_of(request: Request, dialect: ServerDialect) -> dict[str, Any]:
    """Return the body of a chat completion; the part that requests share comes first, as caches need it."""
    messages = [{"role": message.role, "content": message.text} for message in request.messages]
    if request.system:
        messages.insert(0, {"role": "system", "content": request.system})
    body: dict[str, Any] = {"model": request.model, "messages": messages, dialect.limit: request.max_tokens}
    # Reasoning models refuse any temperature but their own.
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if dialect.openai and request.system:
        body["prompt_cache_key"] = hashlib.sha256(request.system.encode()).hexdigest()[:32]
    if request.schema is not None:
        schema = {"name": "answer", "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif request.grammar is not None and dialect.grammar:
        body["grammar"] = request.grammar
    if request.logprobs:
        body["logprobs"] = True
    return body


def read_body(text: str) -> Reply:
    """Return the reply in the body of a chat completion.

    Raises:
        RequestFault: the body is no JSON of a completion, or has no text.
    """
    record = json_object(text)
    used = object_or_empty(record.get("usage"))
    total, cached = count(used.get("prompt_tokens")), object_or_empty(used.get("prompt_tokens_details"))
    usage = Usage(total, count(used.get("completion_tokens")), min(count(cached.get("cached_tokens")), total))
    choices = record.get("choices")
    if not choices and record.get("error"):
        reason = f"an error under status 200: {error_message(text)}"
        raise RequestFault(RequestFaultKind.SERVER, reason, usage=usage, raw=text)
    choice = object_or_empty(choices[0] if isinstance(choices, list) and choices else None)
    message = object_or_empty(choice.get("message"))
    refusal = message.get("refusal")
    if (isinstance(refusal, str) and refusal) or choice.get("finish_reason") == "content_filter":
        return Reply(str(refusal or ""), usage, StopReason.REFUSAL, text)
    content = message.get("content")
    if isinstance(content, list):  # some servers answer in parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    stop = StopReason.LENGTH if choice.get("finish_reason") == "length" else StopReason.END
    if content is None and stop is StopReason.LENGTH:  # all tokens were used for reasoning
        content = ""
    if not isinstance(content, str) or (not content.strip() and stop is StopReason.END):
        raise RequestFault(RequestFaultKind.EMPTY, "the answer has no text", usage=usage, raw=text)
    return Reply(content, usage, stop, text)


class CompatibleProvider:
    """A server at an address."""

    def __init__(self, base_url: str, key: Secret | None, dialect: ServerDialect) -> None:
        """Make the connection pool without sending anything; errors as in `Connection`."""
        self.dialect = dialect
        self.connection = Connection("openai", base_url, key, ambient=dialect.openai)
        self.refused = RefusedParameters()

    async def ask(self, request: Request, label: str) -> Reply:
        """Return the answer; errors as in `Provider.ask`."""
        headers = {"Idempotency-Key": label} if self.dialect.openai else {}
        body = body_of(request, self.dialect)
        return read_body(await self.refused.post(self.connection, "/chat/completions", body, headers))

    async def close(self) -> None:
        """Close the connections."""
        await self.connection.close()
