"""The connection to a server through OpenAI's or Anthropic's library: requests, streams of lines, and their faults."""

from __future__ import annotations

import importlib
import json
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.llm.api_keys import redact
from harness.llm.faults import RequestFault, RequestFaultKind, kind_of_status, retry_after

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping

    import httpx2

    from harness.llm.api_keys import Secret

LONGEST_BODY = 4_000_000
"""Characters of the longest answer that is read."""
LONGEST_LINE = 8_000_000
"""Bytes of one line of results; a longer line is cut and is then no JSON."""
_CLIENTS = {"openai": "AsyncOpenAI", "anthropic": "AsyncAnthropic"}
_MOST_TOKENS = 10**9
"""The highest token count of a server; a higher count is taken for this one."""
_STREAMED = {"X-Stainless-Raw-Response": "stream"}
"""The header with which both libraries return an answer before its body is read."""


class Connection:
    """A pool of connections; keys are removed from every text that it returns.

    The library does not retry, wait, limit or redirect: the client does the first three, and a redirect would send Anthropic's
    key, which has its own header, to any address that the server names.
    """

    def __init__(self, library: str, base_url: str, key: Secret | None, *, ambient: bool = True) -> None:
        """Make the pool without sending anything; without `ambient`, OpenAI's headers of the environment are not sent.

        Raises:
            HarnessError: the library is not installed, or the address is invalid.
        """
        try:
            self.library = importlib.import_module(library)
        except ImportError:
            raise HarnessError(
                f"asking a model needs the {library} library; install it by: {runnable('make install-llm')}"
            ) from None
        import httpx2

        self.base_url = base_url
        self.secrets = [key] if key else []
        pool = self.library.DefaultAsyncHttpxClient(
            limits=httpx2.Limits(max_connections=None),
            timeout=None,
            follow_redirects=False,
            event_hooks={"response": [_as_utf8]},
        )
        try:
            self._client = getattr(self.library, _CLIENTS[library])(
                base_url=base_url,
                api_key=key.reveal() if key else "none",
                http_client=pool,
                max_retries=0,
                timeout=None,
                default_headers=None if ambient else dict.fromkeys(_environment_headers(), self.library.Omit()),
            )
        except httpx2.InvalidURL as error:
            raise HarnessError(
                f"expected an address such as http://127.0.0.1:8000/v1, found {base_url!r}: {error}"
            ) from None

    async def post(self, path: str, *, headers: Mapping[str, str] | None = None, **parts: Any) -> str:
        """Send a `body`, a `content` or `files` and return the text of the answer; errors as in `faults`."""
        return redact((await self._answer("post", path, {"headers": dict(headers or {})}, **parts)).text, self.secrets)

    async def get(self, path: str, query: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the JSON object at a path; errors as in `faults` and `json_object`."""
        answer = await self._answer("get", path, {"params": dict(query or {})})
        return json_object(redact(answer.text, self.secrets))

    async def lines(self, path: str) -> AsyncGenerator[str]:
        """Yield the lines at a path as they arrive, without blank ones; errors as in `faults`."""
        answer = await self._answer("get", path, {"headers": _STREAMED})
        try:
            with self.faults():
                async for line in split(answer.aiter_bytes()):
                    yield redact(line.decode("utf-8", "replace"), self.secrets)
        finally:
            await answer.aclose()

    async def _answer(self, method: str, path: str, options: dict[str, Any], **parts: Any) -> Any:
        import httpx2

        with self.faults():
            return await getattr(self._client, method)(path, cast_to=httpx2.Response, options=options, **parts)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Turn the exceptions of the library into faults; keys are removed before texts are cut.

        Raises:
            RequestFault: the server refuses, or the connection fails.
        """
        import httpx2

        try:
            yield
        except self.library.APIStatusError as error:
            text = redact(error.response.text, self.secrets)
            raise RequestFault(
                kind_of_status(error.status_code, text),
                f"HTTP {error.status_code}: {error_message(text) or error.response.headers.get('location', '')}",
                retry_after=retry_after(error.response.headers),
                raw=text[:LONGEST_BODY],
            ) from None
        except (self.library.APIConnectionError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            cause = error.__cause__ or error
            before = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.UnsupportedProtocol)
            kind = RequestFaultKind.UNREACHED if isinstance(cause, before) else RequestFaultKind.CONNECTION
            raise RequestFault(kind, redact(f"{type(cause).__name__}: {cause}", self.secrets)) from None
        except UnicodeEncodeError as error:
            raise RequestFault(
                RequestFaultKind.REQUEST, f"the question cannot be written as UTF-8: {error.reason}"
            ) from None


def _environment_headers() -> list[str]:
    """Return the headers that OpenAI's library takes from the environment and would send to any address."""
    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")
    custom = [line.partition(":")[0].strip() for line in lines if ":" in line]
    return ["OpenAI-Organization", "OpenAI-Project", *custom]


async def _as_utf8(response: httpx2.Response) -> None:
    """Read a body as UTF-8, the encoding of JSON (RFC 8259, 8.1), whatever the header names."""
    response.encoding = "utf-8"


async def split(chunks: AsyncIterator[bytes], longest: int = LONGEST_LINE) -> AsyncIterator[bytes]:
    """Yield the lines of a stream without blank ones, each cut to `longest` bytes, so that memory is bounded."""
    line = bytearray()
    async for chunk in chunks:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            line += end[: max(longest - len(line), 0)]
            if line.strip():
                yield bytes(line)
            line.clear()
        line += rest[: max(longest - len(line), 0)]
    if line.strip():
        yield bytes(line)


def json_object(text: str) -> dict[str, Any]:
    """Return the JSON object of a body.

    Raises:
        RequestFault: the body is no JSON object, or is too long.
    """
    reason = f"{len(text):,} characters, at most {LONGEST_BODY:,} are read"
    if len(text) <= LONGEST_BODY:
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            reason = f"the answer is no JSON ({type(error).__name__}): {text[:80]!r}"
        else:
            if isinstance(record, dict):
                return record
            reason = f"the answer is no object but a {type(record).__name__}"
    raise RequestFault(RequestFaultKind.MALFORMED, reason, raw=text[:LONGEST_BODY])


def object_or_empty(value: object) -> dict[str, Any]:
    """Return a JSON object, an empty one in place of any other value."""
    return value if isinstance(value, dict) else {}


def count(value: object) -> int:
    """Return a number of tokens, 0 for any other value: servers omit it or write null."""
    return min(value, _MOST_TOKENS) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def error_message(text: str) -> str:
    """Return the message in the body of an error, else the beginning of the body."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return text[:120]
    error = record.get("error", record) if isinstance(record, dict) else record
    return str(error.get("message", error) if isinstance(error, dict) else error)[:200]
