"""OpenAI-compatible chat completions: the body of a request, the reply and the errors.

OpenAI, Gemini's compatible address, vLLM, Ollama and llama.cpp differ in the address, the key and the accepted options.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from harness.llm.api_keys import redact
from harness.llm.faults import RequestFault, RequestFaultKind, kind_of_status, retry_after
from harness.llm.messages import Reply, StopReason, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import httpx2

    from harness.llm.api_keys import Secret
    from harness.llm.messages import Request

COMPATIBLE_ADDRESS = "COMPATIBLE_BASE_URL"
COMPATIBLE_KEY = "COMPATIBLE_API_KEY"
LONGEST_BODY = 4_000_000
"""Characters of an answer that are read; a longer one is refused."""
_MOST_TOKENS = 10**9
"""A server that counts more than so many tokens is not believed."""


@dataclass(frozen=True, slots=True)
class ServerDialect:
    """What a server takes: a JSON schema, a GBNF grammar, the name of the limit on output, a key for its cache, a label.

    `ambient` servers are OpenAI's own: they are sent what the library finds for them in the environment.
    """

    schema: bool = True
    grammar: bool = False
    limit: str = "max_tokens"
    cache_key: bool = False
    idempotent: bool = False
    ambient: bool = False


def body_of(request: Request, dialect: ServerDialect) -> dict[str, Any]:
    """Return the body of a chat completion; the part that requests share stands first, as caches want it."""
    messages = [{"role": one.role, "content": one.text} for one in request.messages]
    if request.system:
        messages.insert(0, {"role": "system", "content": request.system})
    body: dict[str, Any] = {"model": request.model, "messages": messages, dialect.limit: request.max_tokens}
    # Reasoning models refuse any temperature but their own.
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if dialect.cache_key and request.system:
        import hashlib

        body["prompt_cache_key"] = hashlib.sha256(request.system.encode()).hexdigest()[:32]
    if request.schema is not None and dialect.schema:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": request.schema},
        }
    elif request.grammar is not None and dialect.grammar:
        body["grammar"] = request.grammar
    return body


def read_body(text: str) -> Reply:
    """Return the reply in the body of a chat completion.

    Raises:
        Fault: the body is no JSON of a completion, or holds no text.
    """
    record = json_object(text)
    usage = _usage(record.get("usage"))
    choices = record.get("choices")
    if not choices and record.get("error"):
        raise RequestFault(
            RequestFaultKind.SERVER, f"an error under status 200: {error_message(text)}", usage=usage, raw=text
        )
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
    if choice is None:
        raise RequestFault(RequestFaultKind.EMPTY, "the answer has no choice", usage=usage, raw=text)
    found = choice.get("message")
    message: dict[str, Any] = found if isinstance(found, dict) else {}
    refusal = message.get("refusal")
    if (isinstance(refusal, str) and refusal) or choice.get("finish_reason") == "content_filter":
        return Reply(str(refusal or ""), usage, StopReason.REFUSAL, text)
    content = message.get("content")
    if isinstance(content, list):  # some servers answer in parts
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    stop = StopReason.LENGTH if choice.get("finish_reason") == "length" else StopReason.END
    if content is None and stop is StopReason.LENGTH:  # all of it was spent on reasoning
        content = ""
    if not isinstance(content, str) or (not content.strip() and stop is StopReason.END):
        raise RequestFault(RequestFaultKind.EMPTY, "the answer has no text", usage=usage, raw=text)
    return Reply(content, usage, stop, text)


def json_object(text: str) -> dict[str, Any]:
    """Return the JSON object of a body.

    Raises:
        Fault: it is none, is cut off, or is too long.
    """
    if len(text) > LONGEST_BODY:
        raise RequestFault(
            RequestFaultKind.MALFORMED,
            f"{len(text):,} characters, at most {LONGEST_BODY:,} are read",
            raw=text[:LONGEST_BODY],
        )
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RequestFault(
            RequestFaultKind.MALFORMED, f"the answer is no JSON ({type(error).__name__}): {text[:80]!r}", raw=text
        ) from None
    if not isinstance(record, dict):
        raise RequestFault(
            RequestFaultKind.MALFORMED, f"the answer is no object but a {type(record).__name__}", raw=text
        )
    return record


def count(value: object) -> int:
    """Return a number of tokens, 0 for what is none: servers leave them out, or write null."""
    return min(value, _MOST_TOKENS) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _usage(record: object) -> Usage:
    if not isinstance(record, dict):
        return Usage()
    details = record.get("prompt_tokens_details")
    cached = count(details.get("cached_tokens")) if isinstance(details, dict) else 0
    total = count(record.get("prompt_tokens"))
    return Usage(input=total, output=count(record.get("completion_tokens")), cached=min(cached, total))


class CompatibleProvider:
    """A server at an address; retries, waits and limits are the client's, so the library makes none."""

    def __init__(self, base_url: str, key: Secret | None, dialect: ServerDialect) -> None:
        """Make the connection pool; nothing is sent.

        Raises:
            HarnessError: the library is not installed, or the address is none.
        """
        try:
            import openai
        except ImportError:
            raise HarnessError("asking a model needs the openai library: make install-llm") from None
        self.dialect = dialect
        self.base_url = base_url
        self.secrets = [key] if key else []
        self.client = open_library(
            openai,
            openai.AsyncOpenAI,
            base_url=base_url,
            api_key=key.reveal() if key else "none",
            default_headers=None if dialect.ambient else _unsaid(openai.Omit()),
        )

    async def ask(self, request: Request, label: str) -> Reply:
        """Return the answer; errors as in `Provider.ask`."""
        headers = {"Idempotency-Key": label} if self.dialect.idempotent else {}
        return read_body(await self.sent("/chat/completions", body_of(request, self.dialect), headers))

    async def sent(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> str:
        """Return the text of what the server answers to a body; errors as in `post_text`."""
        import openai

        return await post_text(openai, self.client, path, body, headers=headers, secrets=self.secrets)

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()


def _unsaid(omitted: object) -> dict[str, Any]:
    """Return headers that keep to OpenAI what its library takes from the environment and would send to any address."""
    own = [
        line.partition(":")[0].strip()
        for line in os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
        if ":" in line
    ]
    return dict.fromkeys(["OpenAI-Organization", "OpenAI-Project", *own], omitted)


def open_library(library: Any, make: Callable[..., Any], *, base_url: str, **settings: Any) -> Any:
    """Return a client of OpenAI's or Anthropic's library without its own retries, time-outs, limits and redirects.

    A redirect would send Anthropic's key, which stands in a header of its own, wherever the server says.

    Raises:
        HarnessError: the address is none.
    """
    import httpx2

    pool = library.DefaultAsyncHttpxClient(
        limits=httpx2.Limits(max_connections=None),
        timeout=None,
        follow_redirects=False,
        event_hooks={"response": [_as_utf8]},
    )
    try:
        return make(base_url=base_url, http_client=pool, max_retries=0, timeout=None, **settings)
    except httpx2.InvalidURL as error:
        raise HarnessError(
            f"expected an address such as http://127.0.0.1:8000/v1, found {base_url!r}: {error}"
        ) from None


async def _as_utf8(response: httpx2.Response) -> None:
    """Read a body as JSON is written (RFC 8259, 8.1): a header that names another encoding could break the reading."""
    response.encoding = "utf-8"


async def post_text(
    library: Any,
    client: Any,
    path: str,
    body: dict[str, Any],
    *,
    headers: dict[str, str],
    secrets: Iterable[Secret],
) -> str:
    """Return the text of what a server answers, free of keys; errors as in `faults_of`."""
    import httpx2

    with faults_of(library, secrets):
        answer = await client.post(path, body=body, options={"headers": headers}, cast_to=httpx2.Response)
    return redact(answer.text, secrets)


@contextmanager
def faults_of(library: Any, secrets: Iterable[Secret]) -> Iterator[None]:
    """Turn what OpenAI's or Anthropic's library raises into faults, free of keys before anything is cut off.

    Raises:
        Fault: the server refuses, or the connection fails.
    """
    import httpx2

    try:
        yield
    except library.APIStatusError as error:
        text = redact(error.response.text, secrets)
        raise RequestFault(
            kind_of_status(error.status_code, text),
            f"HTTP {error.status_code}: {error_message(text) or error.response.headers.get('location', '')}",
            retry_after=retry_after(error.response.headers),
            raw=text[:LONGEST_BODY],
        ) from None
    except library.APIConnectionError as error:
        cause = error.__cause__ or error
        before = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)
        kind = RequestFaultKind.UNREACHED if isinstance(cause, before) else RequestFaultKind.CONNECTION
        raise RequestFault(kind, redact(f"{type(cause).__name__}: {cause}", secrets)) from None
    except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
        raise RequestFault(RequestFaultKind.CONNECTION, redact(f"{type(error).__name__}: {error}", secrets)) from None
    except UnicodeEncodeError as error:
        raise RequestFault(
            RequestFaultKind.REQUEST, f"the question cannot be written as UTF-8: {error.reason}"
        ) from None


def error_message(text: str) -> str:
    """Return the message in the body of an error, or its beginning."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return text[:120]
    error = record.get("error", record) if isinstance(record, dict) else record
    return str(error.get("message", error) if isinstance(error, dict) else error)[:200]
