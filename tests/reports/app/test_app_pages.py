"""Tests of the Oracles and Verify pages in a real browser: they work and show foreign text as text.

`SCREENSHOTS=RUN pytest -n0 tests/reports/app/test_app_pages.py -k picture` writes the pictures of the README from a run.
"""

from __future__ import annotations

import os
import re
import shutil
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


@pytest.fixture
def served(server: Server, flawed_run: Path, run: Path) -> Server:
    """Return the server, its run with a formalization stage beside the mutation stage."""
    shutil.copytree(run / "formalization", flawed_run / "formalization", dirs_exist_ok=True)
    return server


@pytest.mark.slow
def test_row_of_the_list_opens_its_problem(tab: Page, served: Server, alarms: list[str]) -> None:
    """A click on the second row opens the second problem, the button leads back, and Enter on the first opens the first."""
    _open(tab, served, "oracles", "tbody tr")
    tab.locator("tbody tr").nth(1).click()
    tab.wait_for_selector("h2:has-text('p-2')")
    assert "opened=p-2" in tab.url
    tab.get_by_role("button", name="All problems").click()
    tab.locator("tbody button").first.press("Enter")
    tab.wait_for_selector("h2:has-text('p-1')")
    assert "opened=p-1" in tab.url
    assert alarms == []


@pytest.mark.slow
def test_hostile_list_shows_as_text(
    tab: Page, serve: Callable[..., Server], hostile_run: Path, alarms: list[str]
) -> None:
    """With hostile text in every field, the list shows it and a row leads to its problem, which shows it too and runs nothing."""
    server = serve("--run", str(hostile_run))
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    _open(tab, server, "oracles", "tbody tr")
    tab.locator("tbody tr").first.click()
    tab.wait_for_selector("h2:has-text('</script><img src=x onerror=alert(1)>')")
    tab.get_by_text("All 3 pairs").click()
    tab.get_by_text("Candidates of this problem").click()
    tab.wait_for_function(IDLE)
    shown = tab.locator("[data-testid=stMain]")
    assert shown.locator("img[onerror], script, img[src='x']").count() == 0
    assert "</script><img src=x onerror=alert(1)>[bold]" in shown.inner_text()
    assert all(url.startswith((server.url, "data:", "blob:")) for url in asked)
    assert alarms == []


@pytest.mark.slow
def test_graph_is_drawn(tab: Page, served: Server, alarms: list[str]) -> None:
    """The dependency graph has a node for each variable and an edge for each read, and is described in words."""
    _open(tab, served, "oracles?opened=p-1", ".graph .node")
    graph = tab.get_by_role("img", name="Dependency graph of p-1 by ada")
    assert graph.locator(".node .name").all_text_contents() == ["a", "b", "answer"]
    assert graph.locator(".edge").count() == 2
    assert graph.locator(".node.answer .shape").evaluate("shape => getComputedStyle(shape).fill") != "rgb(0, 0, 0)"
    assert "answer = 6, answer from a, b" in (graph.locator("desc").text_content() or "")
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


@pytest.mark.slow
def test_example_is_one_click(tab: Page, server: Server) -> None:
    """An example fills what was typed over, and is judged as it stands."""
    _open(tab, server, "verify", "h1")
    _problem_field(tab).fill("something typed")
    tab.get_by_role("button", name=SOLUTIONS[1].name).click()
    tab.wait_for_function("words => document.querySelector('textarea').value.startsWith(words)", arg="Mia buys")
    tab.get_by_role("button", name="Judge").first.click()
    tab.wait_for_selector(".judged-line.accused >> text=24*2 = 46")


@pytest.mark.skipif("SCREENSHOTS" not in os.environ, reason="pictures are made on request: SCREENSHOTS=runs/latest")
@pytest.mark.parametrize(
    ("name", "path", "height"), [("oracles-page", "oracles?opened=mini-001", 2080), ("verify-page", "verify", 1060)]
)
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


PAGES = {"": "Review", "oracles?problem=mini-001": "Oracles", "verify": "Verify", "agreement": "Agreement"}


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
