"""Tests of the addresses of the app in a real browser: every page opens by its link, and only pages of the report are served."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.reports.app.reviewing import Server, Tabs

PAGES = {"": "Review", "oracles": "Oracles", "verify": "Verify", "agreement": "Agreement"}


@pytest.mark.slow
def test_oracles_page_opens_the_static_page(browser: Browser, serve: Callable[..., Server], hostile_run: Path) -> None:
    """The page Oracles writes the report of the run and links it; hostile text in it runs nothing, and no other file is served."""
    tab, server = browser.new_page(), serve("--run", str(hostile_run))
    alarms: list[str] = []
    tab.on("pageerror", lambda error: alarms.append(str(error)))
    tab.on("dialog", lambda dialog: (alarms.append(dialog.message), dialog.dismiss()))
    tab.goto(f"{server.url}/oracles")
    address = tab.get_by_role("link", name="Open the page").get_attribute("href")
    answer = tab.goto(f"{server.url}/oracles/../{address}")
    assert answer is not None
    assert answer.status == 200
    tab.wait_for_selector("tbody tr", state="attached")
    assert tab.locator("img[onerror]").count() == 0
    for name in ("manifest.json", "..%2Fformalization%2Fmanifest.json", "index.html.html"):
        assert "claims" not in tab.request.get(f"{server.url}/report/{name}").text()
    assert alarms == []
    tab.close()


@pytest.mark.slow
def test_direct_links_ask_for_nothing_that_is_not_there(server: Server, tabs: Tabs) -> None:
    """A link to a page opens that page, and nothing that the browser asks for is a 404."""
    page = tabs(server, "ann").page
    failed: list[str] = []
    page.on("response", lambda answer: failed.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)
    for path, name in PAGES.items():
        page.goto(f"{server.url}/{path}?reviewer=ann")
        if path:
            page.get_by_role("heading", name=name, exact=True).wait_for()
        else:
            page.locator("#columns[data-candidate]").wait_for()
        page.wait_for_load_state("networkidle")
    assert failed == []


@pytest.mark.slow
def test_sidebar_of_a_phone_closes_after_a_choice(server: Server, tabs: Tabs) -> None:
    """On a phone nothing covers the page when it opens, nor after a page was chosen in the sidebar."""
    page = tabs(server, "ann", viewport={"width": 420, "height": 860}).page
    assert page.locator("[data-testid=stSidebar]").get_attribute("data-collapsed") == "true"
    for name in ("Agreement", "Verify", "Oracles"):
        page.locator("[data-testid=stExpandSidebarButton]").click()
        page.get_by_role("link", name=name).click()
        page.get_by_role("heading", name=name, exact=True).wait_for()
        page.wait_for_function("document.querySelector('[data-testid=stSidebar]').dataset.collapsed === 'true'")
