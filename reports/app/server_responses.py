"""What the app's server sends beside Streamlit's own: the script in the head of every page, and the static page of a run's oracles."""

import re
import sys
from pathlib import Path

from starlette.middleware.base import RequestResponseEndpoint
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from harness.errors import HarnessError, told_of_file
from harness.stages import FORMALIZATION
from reports.app.app_context import read_arguments

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


ADDRESS = "/report/{name}"
_PAGES = re.compile(r"index(-\d{1,4})?\.html")


def current_report(run: Path) -> Path:
    """Return the page of a run's oracles, which is up to date.

    Raises a HarnessError if the run has no sealed formalization stage, or the page cannot be written.
    """
    from reports.html.formalization_page import write_report

    page, manifest = run / "report" / "index.html", run / FORMALIZATION / "manifest.json"
    try:
        if page.is_file() and manifest.is_file() and page.stat().st_mtime >= manifest.stat().st_mtime:
            return page
        return write_report(run)
    except OSError as error:
        raise HarnessError(f"{page}: cannot be written ({told_of_file(error)})") from None


async def static_report(request: Request) -> Response:
    """Answer with a page of the run that the app was started with."""
    name = str(request.path_params["name"])
    run = read_arguments(sys.argv[1:]).run
    path = None if run is None or not _PAGES.fullmatch(name) else run / "report" / name
    if path is None or not path.is_file():
        return PlainTextResponse("This run has no such page. Open the page Oracles of the app, which writes it.", 404)
    return FileResponse(path, media_type="text/html")
