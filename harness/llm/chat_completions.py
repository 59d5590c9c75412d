"""OpenAI-compatible chat completions: the body of a request and the reply.

OpenAI, Gemini's compatible address, vLLM, Ollama and llama.cpp differ in the address, the key and the accepted options.
"""

import hashlib
from functools import partial
from typing import Any

from pydantic import SecretStr

from harness.llm.connection import Connection, count, json_object, object_or_empty
from harness.llm.messages import Reply, Request, StopReason, Usage
from harness.llm.provider import HttpProvider, checked_reply

COMPATIBLE_ADDRESS = "COMPATIBLE_BASE_URL"
COMPATIBLE_KEY = "COMPATIBLE_API_KEY"


def chat_provider(
    base_url: str, key: SecretStr | None, *, grammar: bool = False, openai: bool = False, server: Any = None
) -> HttpProvider:
    """Return the provider at an address, without sending anything; errors as in `Connection`.

    With `grammar` it takes GBNF grammars. OpenAI's own server takes cache keys, labels and another name of the limit on output, and gets the headers
    that the library takes from the environment.
    """
    connection = Connection("openai", base_url, key, ambient=openai)
    body = partial(body_of, grammar=grammar, openai=openai)
    return HttpProvider(connection, "/chat/completions", body, read_body, openai, server)


def body_of(request: Request, *, grammar: bool = False, openai: bool = False) -> dict[str, Any]:
    """Return the body of a chat completion; the part that requests share comes first, as caches need it."""
    messages = [{"role": message.role, "content": message.text} for message in request.messages]
    if request.system:
        messages.insert(0, {"role": "system", "content": request.system})
    limit = "max_completion_tokens" if openai else "max_tokens"
    body: dict[str, Any] = {"model": request.model, "messages": messages, limit: request.max_tokens}
    # Reasoning models refuse any temperature but their own.
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if openai and request.system:
        body["prompt_cache_key"] = hashlib.sha256(request.system.encode()).hexdigest()[:32]
    if request.schema is not None:
        schema = {"name": "answer", "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    elif request.grammar is not None and grammar:
        body["grammar"] = request.grammar
    if request.logprobs:
        body["logprobs"] = True
    return body


def read_body(text: str) -> Reply:
    """Return the reply in the body of a chat completion; errors as in `json_object` and `checked_reply`."""
    record = json_object(text)
    used = object_or_empty(record.get("usage"))
    total, cached = count(used.get("prompt_tokens")), object_or_empty(used.get("prompt_tokens_details"))
    usage = Usage(total, count(used.get("completion_tokens")), min(count(cached.get("cached_tokens")), total))
    choices = record.get("choices")
    choice = object_or_empty(choices[0] if isinstance(choices, list) and choices else None)
    message = object_or_empty(choice.get("message"))
    content, refusal, reason = message.get("content"), message.get("refusal"), choice.get("finish_reason")
    if (isinstance(refusal, str) and refusal) or reason == "content_filter":
        return Reply(str(refusal or ""), usage, StopReason.REFUSAL, text)
    if isinstance(content, list):  # some servers answer in parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    # All tokens may have been used for reasoning: then there is no text.
    stop = StopReason.LENGTH if reason == "length" else StopReason.END
    return checked_reply(text, record, content if isinstance(content, str) else "", stop, usage)
