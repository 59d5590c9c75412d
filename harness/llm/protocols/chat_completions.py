"""OpenAI-compatible chat completions: the body of a request, the reply and the errors.

OpenAI, Gemini's compatible address, vLLM, Ollama and llama.cpp differ in the address, the key and the accepted options.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
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
"""Characters of the longest answer that is read."""
_MOST_TOKENS = 10**9
"""The highest token count of a server; a higher count is taken for this one."""


@dataclass(frozen=True, slots=True)
class ServerDialect:
    """The options of a server: JSON schemas, GBNF grammars, the name of the limit on output, cache keys, idempotency labels.

    An `ambient` server is OpenAI's own: it gets the headers that the library takes from the environment.
    """

    schema: bool = True
    grammar: bool = False
    limit: str = "max_tokens"
    cache_key: bool = False
    idempotent: bool = False
    ambient: bool = False


def body_of(request: Request, dialect: ServerDialect) -> dict[str, Any]:
    """Return the body of a chat completion; the part that requests share comes first, as caches need it."""
    messages = [{"role": message.role, "content": message.text} for message in request.messages]
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
    if request.logprobs:
        body["logprobs"] = True
    return body


def read_body(text: str) -> Reply:
    """Return the reply in the body of a chat completion.

    Raises:
        RequestFault: the body is no JSON of a completion, or has no text.
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


def json_object(text: str) -> dict[str, Any]:
    """Return the JSON object of a body.

    Raises:
        RequestFault: the body is no JSON object, or is too long.
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


def object_or_empty(value: object) -> dict[str, Any]:
    """Return a JSON object, an empty one in place of any other value."""
    return value if isinstance(value, dict) else {}


def count(value: object) -> int:
    """Return a number of tokens, 0 for any other value: servers omit it or write null."""
    return min(value, _MOST_TOKENS) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _usage(record: object) -> Usage:
    counts = object_or_empty(record)
    total = count(counts.get("prompt_tokens"))
    cached = count(object_or_empty(counts.get("prompt_tokens_details")).get("cached_tokens"))
    return Usage(input=total, output=count(counts.get("completion_tokens")), cached=min(cached, total))


class CompatibleProvider:
    """A server at an address; the library does not retry, wait or limit, because the client does."""

    def __init__(self, base_url: str, key: Secret | None, dialect: ServerDialect) -> None:
        """Make the connection pool without sending anything.

        Raises:
            HarnessError: the library is not installed, or the address is invalid.
        """
        try:
            import openai
        except ImportError:
            raise HarnessError(
                f"asking a model needs the openai library; install it by: {runnable('make install-llm')}"
            ) from None
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
        return read_body(await self.post("/chat/completions", body_of(request, self.dialect), headers))

    async def post(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> str:
        """Send a body and return the text of the answer; errors as in `post_text`."""
        import openai

        return await post_text(openai, self.client, path, body, headers=headers, secrets=self.secrets)

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()


def _unsaid(omitted: object) -> dict[str, Any]:
    """Return headers that omit the environment's OpenAI headers, which the library would send to any address."""
    custom = [
        line.partition(":")[0].strip()
        for line in os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
        if ":" in line
    ]
    return dict.fromkeys(["OpenAI-Organization", "OpenAI-Project", *custom], omitted)


def open_library(library: Any, make: Callable[..., Any], *, base_url: str, **settings: Any) -> Any:
    """Return a client of OpenAI's or Anthropic's library without its own retries, time-outs, limits and redirects.

    A redirect would send Anthropic's key, which has its own header, to any address that the server names.

    Raises:
        HarnessError: the address is invalid.
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
    """Read a body as UTF-8, the encoding of JSON (RFC 8259, 8.1), whatever the header names."""
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
    """Send a body and return the text of the answer without keys; errors as in `faults_of`."""
    import httpx2

    with faults_of(library, secrets):
        answer = await client.post(path, body=body, options={"headers": headers}, cast_to=httpx2.Response)
    return redact(answer.text, secrets)


@contextmanager
def faults_of(library: Any, secrets: Iterable[Secret]) -> Iterator[None]:
    """Turn the exceptions of OpenAI's or Anthropic's library into faults; keys are removed before texts are cut.

    Raises:
        RequestFault: the server refuses, or the connection fails.
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
    """Return the message in the body of an error, else the beginning of the body."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return text[:120]
    error = record.get("error", record) if isinstance(record, dict) else record
    return str(error.get("message", error) if isinstance(error, dict) else error)[:200]
