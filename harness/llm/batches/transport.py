"""Transfer of files and batches through the client library of OpenAI or Anthropic."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from harness.llm.api_keys import redact
from harness.llm.faults import RequestFault, RequestFaultKind
from harness.llm.protocols.chat_completions import faults_of, json_object

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping

    from harness.llm.api_keys import Secret

LONGEST_LINE = 8_000_000
"""Bytes of one line of results; a longer line is cut and is then no JSON."""
_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_STREAMED = {"X-Stainless-Raw-Response": "stream"}
"""The header with which both libraries return an answer before its body is read."""


class BatchTransport:
    """An open client of one of the two libraries; keys are removed from every text that it returns."""

    def __init__(self, library: Any, client: Any, secrets: list[Secret]) -> None:
        """Use an open client without sending anything."""
        self.library, self.client, self.secrets = library, client, secrets

    async def get(self, path: str, query: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the JSON object at a path; errors as in `faults_of` and `json_object`."""
        import httpx2

        with faults_of(self.library, self.secrets):
            answer = await self.client.get(path, cast_to=httpx2.Response, options={"params": dict(query or {})})
        return json_object(redact(answer.text, self.secrets))

    async def post(self, path: str, *, headers: Mapping[str, str] | None = None, **parts: Any) -> dict[str, Any]:
        """Send a `body`, a `content` or `files` and return the JSON object of the answer; errors as in `get`."""
        import httpx2

        with faults_of(self.library, self.secrets):
            answer = await self.client.post(
                path, cast_to=httpx2.Response, options={"headers": dict(headers or {})}, **parts
            )
        return json_object(redact(answer.text, self.secrets))

    async def lines(self, path: str) -> AsyncGenerator[str]:
        """Yield the lines at a path as they arrive, without blank ones; errors as in `faults_of`."""
        import httpx2

        with faults_of(self.library, self.secrets):
            answer = await self.client.get(path, cast_to=httpx2.Response, options={"headers": _STREAMED})
        try:
            with faults_of(self.library, self.secrets):
                async for line in split(answer.aiter_bytes()):
                    yield redact(line.decode("utf-8", "replace"), self.secrets)
        finally:
            await answer.aclose()

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()


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


def id_of(record: Mapping[str, Any], name: str = "id") -> str:
    """Return an id in a record.

    Raises:
        RequestFault: there is no id, or it has characters that an address may not have.
    """
    identifier = record.get(name)
    if not isinstance(identifier, str) or not _ID.fullmatch(identifier) or not identifier.strip("."):
        raise RequestFault(RequestFaultKind.MALFORMED, f"expected an id in {name!r}, found {identifier!r}")
    return identifier
