"""Transfer of files and batches through the client library of OpenAI or Anthropic."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from harness.llm.api_keys import redact
from harness.llm.batch_protocol import BatchResult
from harness.llm.chat_completions import faults_of, json_object
from harness.llm.faults import RequestFault, RequestFaultKind

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping

    from harness.llm.chat_completions import LibraryProvider
    from harness.llm.messages import Reply

LONGEST_LINE = 8_000_000
"""Bytes of one line of results; a longer line is cut and is then no JSON."""
_ID = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_PAGE = 100
_MOST_PAGES = 200
_STREAMED = {"X-Stainless-Raw-Response": "stream"}
"""The header with which both libraries return an answer before its body is read."""


class BatchTransport:
    """The requests of batches through an open provider; keys are removed from every text that it returns."""

    def __init__(self, opened: LibraryProvider) -> None:
        """Use an open connection without sending anything."""
        self.opened = opened

    async def get(self, path: str, query: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Return the JSON object at a path; errors as in `faults_of` and `json_object`."""
        import httpx2

        with faults_of(self.opened.library, self.opened.secrets):
            options = {"params": dict(query or {})}
            answer = await self.opened.client.get(path, cast_to=httpx2.Response, options=options)
        return json_object(redact(answer.text, self.opened.secrets))

    async def post(self, path: str, **parts: Any) -> dict[str, Any]:
        """Send what `LibraryProvider.post` takes and return the JSON object of the answer; errors as in `get`."""
        return json_object(await self.opened.post(path, **parts))

    async def lines(self, path: str) -> AsyncGenerator[str]:
        """Yield the lines at a path as they arrive, without blank ones; errors as in `faults_of`."""
        import httpx2

        with faults_of(self.opened.library, self.opened.secrets):
            answer = await self.opened.client.get(path, cast_to=httpx2.Response, options={"headers": _STREAMED})
        try:
            with faults_of(self.opened.library, self.opened.secrets):
                async for line in split(answer.aiter_bytes()):
                    yield redact(line.decode("utf-8", "replace"), self.opened.secrets)
        finally:
            await answer.aclose()

    async def listed(
        self, path: str, cursor: str, created: Callable[[dict[str, Any]], float], since: float
    ) -> AsyncGenerator[dict[str, Any]]:
        """Yield the records of a list of batches, newest first, page by page, up to those created before `since`.

        `cursor` is the parameter with the last id of the page before, `created` gives the seconds of the epoch of a record.

        Raises:
            RequestFault: as in `get`; a page is no list of records, or there are too many.
        """
        query = {"limit": str(_PAGE)}
        for _ in range(_MOST_PAGES):
            page = await self.get(path, query)
            records = page.get("data")
            if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
                raise RequestFault(RequestFaultKind.MALFORMED, f"expected a list of batches, found {records!r}")
            for record in records:
                yield record
            if not page.get("has_more") or not records or created(records[-1]) < since:
                return
            query[cursor] = id_of(records[-1])
        raise RequestFault(RequestFaultKind.MALFORMED, f"more than {_MOST_PAGES} pages of batches")

    async def close(self) -> None:
        """Close the connections."""
        await self.opened.close()


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


def read_result(line: str, outcome: Callable[[dict[str, Any], str], Reply | RequestFault]) -> BatchResult:
    """Return the result in a line of results; `outcome` reads its record and the line."""
    try:
        record = json_object(line)
    except RequestFault as fault:
        return BatchResult(None, fault)
    label = record.get("custom_id")
    try:
        result = outcome(record, line)
    except RequestFault as fault:
        result = fault
    return BatchResult(label if isinstance(label, str) else None, result)
