"""The static page of a run's oracles: written when it is missing or older than its stage, and served by the app."""

import re
import sys
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from harness.errors import HarnessError, told_of_file
from harness.stages import FORMALIZATION
from reports.app.app_context import read_arguments

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
