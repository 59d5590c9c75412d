"""The script that runs on every page of the app, put into the HTML that Streamlit sends."""

from pathlib import Path

from starlette.middleware.base import RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import Response

SCRIPT = Path(__file__).resolve().parent / "assets" / "shell.js"
_HEAD = b"<head>"
_CONDITIONS = {b"accept-encoding", b"if-none-match", b"if-modified-since"}
"""Headers by which a server sends a page compressed, or not at all."""
_OLD = {"content-length", "etag", "last-modified"}


async def with_script(request: Request, call_next: RequestResponseEndpoint) -> Response:
    """Put `assets/shell.js` first into the head of each HTML page; a response that is not a page passes unchanged."""
    path = request.url.path
    if request.method != "GET" or "/_stcore" in path or "." in path.rpartition("/")[2]:
        return await call_next(request)
    request.scope["headers"] = [header for header in request.scope["headers"] if header[0].lower() not in _CONDITIONS]
    answer = await call_next(request)
    if not answer.headers.get("content-type", "").startswith("text/html"):
        return answer
    body = b"".join([part async for part in answer.body_iterator])  # type: ignore[attr-defined]  # what `call_next` returns has it
    page = body.replace(_HEAD, _HEAD + b"<script>" + SCRIPT.read_bytes() + b"</script>", 1)
    headers = {name: value for name, value in answer.headers.items() if name not in _OLD}
    return Response(page, answer.status_code, headers)
