"""The pictures of the HTML pages in the README, which are made on request.

`SCREENSHOTS=RUN pytest -n0 tests/reports/html/test_pictures.py` writes them from a run of the bundled corpus.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.reports.html.opened_page import open_page
from tests.reports.html.report_pages import PAGES, ReportPage

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.skipif("SCREENSHOTS" not in os.environ, reason="pictures are made on request: SCREENSHOTS=runs/latest")
@pytest.mark.parametrize(
    ("name", "report", "item", "height"),
    [
        ("report-index", PAGES[0], "", 900),
        ("report-trace", PAGES[1], "mini-036", 900),
        ("report-flaws", PAGES[2], "mini-013:wrong_reference_group:", 960),
        ("report-variant", PAGES[3], "mini-013:stated_quantity:", 960),
    ],
)
def test_picture_for_the_readme(browser: "Browser", name: str, report: ReportPage, item: str, height: int) -> None:
    """The page, or the last item with these words, as the README shows it."""
    page = browser.new_page(viewport={"width": 1280, "height": height}, device_scale_factor=1)
    open_page(page, report, Path(os.environ["SCREENSHOTS"]).resolve())
    if name == "report-variant":
        page.get_by_label("Class", exact=True).get_by_text("contradictory").click()
    if item:
        page.fill("#search", item)
        link = page.locator(f"#{report.noun}s tbody a").last.get_attribute("href")
        address = str(link).partition("?")[0]  # without the search, so that the picture counts all of them
        page.fill("#search", "")
        page.evaluate("address => { location.hash = address }", address)
        page.wait_for_selector(f"#{report.noun} h1")
    if name == "report-trace":
        page.locator(".lines .mark", has_text="221").first.hover()
    page.screenshot(path=DOCS / f"{name}.png")
    page.close()
    assert (DOCS / f"{name}.png").stat().st_size > 10_000
