"""The script that runs on every page of the app, put into the HTML that Streamlit sends."""

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

SCRIPT = Path(__file__).resolve().parent / "assets" / "shell.js"
_HEAD = b"<head>"
_CONDITIONS = {b"accept-encoding", b"if-none-match", b"if-modified-since"}
"""Headers by which a server sends a page compressed, or not at all."""
_OLD = {b"content-length", b"etag", b"last-modified"}


@dataclass(frozen=True, slots=True)
class PageShell:
    """ASGI middleware that puts `assets/shell.js` first into the head of each HTML page."""

    app: Application
    script: bytes = field(default_factory=lambda: b"<script>" + SCRIPT.read_bytes() + b"</script>")

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request; a response that is no page passes unchanged."""
        path = str(scope.get("path", ""))
        if scope["type"] != "http" or scope["method"] != "GET" or "/_stcore" in path or "." in path.rpartition("/")[2]:
            await self.app(scope, receive, send)
            return
        headers = [(name, value) for name, value in scope["headers"] if name.lower() not in _CONDITIONS]
        page = _Page(self.script, send)
        await self.app({**scope, "headers": headers}, receive, page.send)


@dataclass(slots=True)
class _Page:
    """An answer that is held back until it is whole, and sent with the script in it if it is HTML."""

    script: bytes
    out: Send
    start: Message = field(default_factory=dict)
    body: bytes = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.start = message
            if not self._is_html:
                await self.out(message)
        elif not self._is_html:
            await self.out(message)
        else:
            self.body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page()

    @property
    def _is_html(self) -> bool:
        kinds = [value for name, value in self.start["headers"] if name.lower() == b"content-type"]
        return any(kind.startswith(b"text/html") for kind in kinds)

    async def _send_page(self) -> None:
        body = self.body.replace(_HEAD, _HEAD + self.script, 1)
        headers = [(name, value) for name, value in self.start["headers"] if name.lower() not in _OLD]
        await self.out({**self.start, "headers": [*headers, (b"content-length", str(len(body)).encode())]})
        await self.out({"type": "http.response.body", "body": body})
