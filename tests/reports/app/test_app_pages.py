"""Tests of the Verify page and the link to the static page in a real browser: they work and show foreign text as text.

`SCREENSHOTS=RUN pytest -n0 tests/reports/app/test_app_pages.py -k picture` writes the pictures of the README from a run.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports.app.verify_page.examples import SOLUTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Dialog, Locator, Page

    from tests.reports.app.reviewing import Server, Tabs

PATIENCE = 30_000
DOCS = Path(__file__).parents[3] / "docs"
IDLE = "() => !document.querySelector('[data-testid=stStatusWidget]')"


@pytest.fixture
def tab(browser: Browser, alarms: list[str]) -> Iterator[Page]:
    """Return a tab that notes dialogs and errors of scripts."""

    def dismiss(dialog: Dialog) -> None:
        alarms.append(dialog.message)
        dialog.dismiss()

    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: alarms.append(str(error)))
    page.on("dialog", dismiss)
    yield page
    page.close()


@pytest.fixture
def alarms() -> list[str]:
    """Collect what a quiet page would not do."""
    return []


def _open(tab: Page, server: Server, path: str, wanted: str) -> None:
    tab.goto(f"{server.url}/{path}")
    tab.wait_for_selector(wanted)
    tab.wait_for_function(IDLE)


def _problem_field(tab: Page) -> Locator:
    """Return the field "Problem" of the open tab; the closed tab has one too, hidden, and may be drawn first."""
    return tab.get_by_role("textbox", name="Problem")


@pytest.mark.slow
def test_oracles_page_opens_the_static_page(
    tab: Page, serve: Callable[..., Server], hostile_run: Path, alarms: list[str]
) -> None:
    """The page Oracles writes the report of the run and links it; hostile text in it runs nothing, and no other file is served."""
    server = serve("--run", str(hostile_run))
    _open(tab, server, "oracles", "h1")
    address = tab.get_by_role("link", name="Open the page").get_attribute("href")
    answer = tab.goto(f"{server.url}/oracles/../{address}")
    assert answer is not None
    assert answer.status == 200
    tab.wait_for_selector("tbody tr", state="attached")
    assert tab.locator("img[onerror]").count() == 0
    for name in ("manifest.json", "..%2Fformalization%2Fmanifest.json", "index.html.html"):
        refused = tab.request.get(f"{server.url}/report/{name}")
        assert "claims" not in refused.text()
    assert alarms == []


@pytest.mark.slow
def test_pasted_solution_is_judged_line_by_line(tab: Page, server: Server, alarms: list[str]) -> None:
    """Typing a problem and a solution and pressing Judge marks each line, hostile ones as text."""
    _open(tab, server, "verify", "h1")
    _problem_field(tab).fill("Mia has 4 boxes of 6 pens and gives 3 away. How many are left?")
    tab.get_by_label("Solution, a step a line").fill(
        "&lt;img src=x onerror=alert(1)&gt; 4*6 = 25\n25 - 3 = 22\n#### 22"
    )
    tab.get_by_role("button", name="Judge").first.click()
    tab.wait_for_selector(".judged-line")
    assert tab.locator(".judged-line.accused").inner_text().startswith("✗\nL1\n<img src=x onerror=alert(1)> 4*6 = 25")
    assert tab.locator(".judged-line").count() == 3
    assert tab.locator("[data-testid=stMain] img").count() == 0
    assert alarms == []


@pytest.mark.skipif("SCREENSHOTS" not in os.environ, reason="pictures are made on request: SCREENSHOTS=runs/latest")
@pytest.mark.parametrize(("name", "path", "height"), [("verify-page", "verify", 1060)])
def test_picture_for_the_readme(
    browser: Browser, serve: Callable[..., Server], name: str, path: str, height: int
) -> None:
    """The pages as the README shows them, written from a run of the bundled corpus."""
    server = serve("--run", str(Path(os.environ["SCREENSHOTS"]).resolve()))
    page = browser.new_page(viewport={"width": 1280, "height": height}, device_scale_factor=1)
    page.set_default_timeout(PATIENCE)
    _open(page, server, path, "h1, h2")
    if name == "verify-page":
        page.get_by_role("button", name=SOLUTIONS[1].name).click()
        page.wait_for_function("words => document.querySelector('textarea').value.startsWith(words)", arg="Mia buys")
        page.get_by_role("button", name="Judge").first.click()
        page.wait_for_selector(".judged-line")
    page.wait_for_function(IDLE)
    page.wait_for_timeout(1_000)  # fonts and the fading in of what is new
    page.screenshot(path=DOCS / f"{name}.png")
    page.close()
    assert (DOCS / f"{name}.png").stat().st_size > 10_000
    assert re.fullmatch(r"[a-z-]+", name)


PAGES = {"": "Review", "oracles": "Oracles", "verify": "Verify", "agreement": "Agreement"}


@pytest.mark.slow
def test_direct_links_ask_for_nothing_that_is_not_there(server: Server, tabs: Tabs) -> None:
    """A link to a page opens that page, and nothing that the browser asks for is a 404."""
    page = tabs(server, "ann").page
    failed: list[str] = []
    page.on("response", lambda answer: failed.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)
    for path, name in PAGES.items():
        page.goto(f"{server.url}/{path}{'&' if '?' in path else '?'}reviewer=ann")
        if path:
            page.get_by_role("heading", name=name, exact=True).wait_for()
        else:
            page.locator("#columns[data-candidate]").wait_for()
        page.wait_for_load_state("networkidle")
    assert failed == []


@pytest.mark.slow
def test_sidebar_of_a_phone_opens_closed_and_closes_behind_a_choice(server: Server, tabs: Tabs) -> None:
    """On a phone nothing covers the page when it opens, nor after a page was chosen in the sidebar."""
    page = tabs(server, "ann", viewport={"width": 420, "height": 860}).page
    sidebar = page.locator("[data-testid=stSidebar]")
    assert sidebar.get_attribute("data-collapsed") == "true"
    for name in ("Agreement", "Verify", "Oracles"):
        page.locator("[data-testid=stExpandSidebarButton]").click()
        page.get_by_role("link", name=name).click()
        page.get_by_role("heading", name=name, exact=True).wait_for()
        page.wait_for_function("document.querySelector('[data-testid=stSidebar]').dataset.collapsed === 'true'")
