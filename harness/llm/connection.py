"""The connection to a server through OpenAI's or Anthropic's library: requests, streams of lines, and their faults."""

import importlib
import json
import os
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pydantic import SecretStr

from harness.command_line.runnable_commands import optional_packages
from harness.errors import HarnessError
from harness.llm.messages import RequestFault, RequestFaultKind, kind_of_status, retry_after

LONGEST_BODY = 4_000_000
"""Characters of the longest answer that is read, and bytes of the longest line of results."""
_CLIENTS = {"openai": "AsyncOpenAI", "anthropic": "AsyncAnthropic"}
_MOST_TOKENS = 10**9
"""The highest token count of a server; a higher count is taken for this one."""
_READS = 2
"""How often the library repeats a `GET` that failed."""


class Connection:
    """A pool of connections to a server.

    The library repeats only what costs nothing: the client counts every attempt at a question, because an attempt that timed out
    may have been paid. No redirect is followed: it would send Anthropic's key to any address that the server names.
    """

    def __init__(self, library: str, base_url: str, key: SecretStr | None, *, ambient: bool = True) -> None:
        """Make the pool without sending anything.

        Without `ambient`, OpenAI's headers of the environment are not sent. A missing library or an invalid address is a `HarnessError`.
        """
        with optional_packages("asking a model"):
            self.library = importlib.import_module(library)
            import httpx2

        self.base_url = base_url
        self.seconds: float | None = None
        """Seconds without any byte after which a request is given up; `None` for no limit."""
        custom = [line.partition(":") for line in os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n")]
        names = ["OpenAI-Organization", "OpenAI-Project", *(name.strip() for name, colon, _ in custom if colon)]
        try:
            self._client = getattr(self.library, _CLIENTS[library])(
                base_url=base_url,
                api_key=key.get_secret_value() if key else "none",
                http_client=self.library.DefaultAsyncHttpxClient(
                    limits=httpx2.Limits(max_connections=None),
                    follow_redirects=False,
                    event_hooks={"response": [_as_utf8]},
                ),
                default_headers=None if ambient else dict.fromkeys(names, self.library.Omit()),
            )
        except httpx2.InvalidURL as error:
            raise HarnessError(
                f"expected an address such as http://127.0.0.1:8000/v1, found {base_url!r}: {error}"
            ) from None

    async def post(self, path: str, *, headers: Mapping[str, str] | None = None, **parts: Any) -> str:
        """Send a `body`, a `content` or `files` once and return the text of the answer; errors as in `faults`."""
        answer = await self._answer("post", path, 0, {"headers": dict(headers or {})}, **parts)
        return str(answer.text)

    async def get(self, path: str) -> dict[str, Any]:
        """Return the JSON object at a path; errors as in `faults` and `json_object`."""
        return json_object((await self._answer("get", path, _READS, {})).text)

    async def lines(self, path: str) -> AsyncGenerator[str]:
        """Yield the lines at a path as they arrive, without blank ones; errors as in `faults`."""
        # With this header both libraries return an answer before its body is read.
        answer = await self._answer("get", path, _READS, {"headers": {"X-Stainless-Raw-Response": "stream"}})
        rest = b""
        try:
            with self.faults():
                async for chunk in answer.aiter_bytes():
                    *ends, rest = (rest + chunk).split(b"\n")
                    if len(rest) > LONGEST_BODY:
                        raise RequestFault(RequestFaultKind.MALFORMED, f"a line of more than {LONGEST_BODY:,} bytes")
                    for line in filter(bytes.strip, ends):
                        yield line.decode("utf-8", "replace")
            if rest.strip():
                yield rest.decode("utf-8", "replace")
        finally:
            await answer.aclose()

    async def _answer(self, method: str, path: str, retries: int, options: dict[str, Any], **parts: Any) -> Any:
        import httpx2

        client = self._client.with_options(max_retries=retries, timeout=self.seconds)
        with self.faults():
            return await getattr(client, method)(path, cast_to=httpx2.Response, options=options, **parts)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Turn the exceptions of the library, when the server refuses or the connection fails, into a `RequestFault`."""
        import httpx2

        try:
            yield
        except self.library.APIStatusError as error:
            text, headers = error.response.text, error.response.headers
            reason = f"HTTP {error.status_code}: {error_message(text) or headers.get('location', '')}"
            kind = kind_of_status(error.status_code, text)
            raise RequestFault(kind, reason, retry_after=retry_after(headers), raw=text[:LONGEST_BODY]) from None
        except (self.library.APIConnectionError, httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            cause = error.__cause__ or error
            kind = RequestFaultKind.CONNECTION
            if isinstance(cause, httpx2.ReadTimeout | httpx2.WriteTimeout):
                raise RequestFault(RequestFaultKind.TIME, f"no whole answer within {self.seconds:g} s") from None
            if isinstance(cause, httpx2.ConnectError | httpx2.TimeoutException | httpx2.UnsupportedProtocol):
                kind = RequestFaultKind.UNREACHED
            raise RequestFault(kind, f"{type(cause).__name__}: {cause}") from None
        except UnicodeEncodeError as error:
            reason = f"the question cannot be written as UTF-8: {error.reason}"
            raise RequestFault(RequestFaultKind.REQUEST, reason) from None


async def _as_utf8(response: Any) -> None:
    """Read a body as UTF-8, the encoding of JSON (RFC 8259, 8.1), whatever the header names."""
    response.encoding = "utf-8"


def json_object(text: str) -> dict[str, Any]:
    """Return the JSON object of a body, or raise a `RequestFault` if it is none or too long."""
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


def error_record(text: str) -> object:
    """Return the error in the body of a refusal, the beginning of the body where that is no JSON."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return text[:120]
    return record.get("error", record) if isinstance(record, dict) else record


def error_message(text: str) -> str:
    """Return the message in the body of an error, else the error itself."""
    error = error_record(text)
    return str(error.get("message", error) if isinstance(error, dict) else error)[:200]
