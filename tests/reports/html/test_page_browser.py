"""Laws that every page of a run keeps in a browser that opens it from disk."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cases import cases
from tests.reports.hostile import ACTING, RUN_NAME, SHORT_FIRST, SHOWN
from tests.reports.html.opened_page import OVERFLOWING, open_item, open_page
from tests.reports.html.report_pages import PAGES, ReportPage
from tests.reports.stage_records import seal_stage

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDTHS = (360, 1280)
every_page = cases("report", PAGES)


def is_as_wide_as_its_screen(page: "Page", width: int) -> bool:
    """Tell whether nothing is wider than the page."""
    return bool(page.evaluate("document.documentElement.scrollWidth") <= width)


@pytest.mark.parametrize("text", SHORT_FIRST, ids=["short", "long"])
@every_page
def test_hostile_text_is_shown_and_does_nothing(
    page: "Page", complaints: list[str], tmp_path: Path, report: ReportPage, text: str
) -> None:
    """No request, no dialog, no refused script, no element, no character that acts; nothing is wider than the screen."""
    asked = open_page(page, report, report.seal(tmp_path / RUN_NAME, text))
    rows = page.locator(f"#{report.noun}s tbody a").count()
    for number in sorted({0, rows // 2, rows - 1}):
        open_item(page, report, number)
        if report.file == "index.html":
            page.locator("#problem summary").first.click()
        item = page.locator(f"#{report.noun}").inner_text()
        assert item.count(SHOWN) > 3
        assert not ACTING & set(item)
        assert page.locator("img, [onerror], main script").count() == 0
        assert page.evaluate(OVERFLOWING) == 0
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert is_as_wide_as_its_screen(page, width)
        page.evaluate("location.hash = '#/'")
        page.wait_for_selector("#overview:not([hidden])")
        assert is_as_wide_as_its_screen(page, width)
        open_item(page, report, 0)
    assert (len(asked), complaints) == (1, [])


@every_page
def test_keyboard_walks_through_the_items(
    page: "Page", complaints: list[str], tmp_path: Path, report: ReportPage
) -> None:
    """`/` searches, arrows turn from item to item, Escape leaves the search and returns to the list."""
    open_page(page, report, report.seal(tmp_path / "run"))
    page.keyboard.press("/")
    page.keyboard.type("no such words")
    empty = page.locator(f"#{report.noun}s .empty").inner_text()
    page.fill("#search", "")
    page.keyboard.press("Escape")
    open_item(page, report, 0)
    first = page.locator(f"#{report.noun} h1").inner_text()
    for key in ("ArrowRight", "ArrowLeft"):
        before = page.locator(f"#{report.noun} h1").inner_text()
        page.keyboard.press(key)
        page.wait_for_function(
            "([noun, id]) => document.querySelector(`#${noun} h1`)?.innerText !== id", arg=[report.noun, before]
        )
    assert page.locator(f"#{report.noun} h1").inner_text() == first
    page.keyboard.press("Escape")
    page.wait_for_selector("#overview:not([hidden])")
    assert (empty, complaints) == (f"No {report.noun} passes these filters.", [])


@cases("report", PAGES[:-1])
def test_empty_run_opens(page: "Page", complaints: list[str], tmp_path: Path, report: ReportPage) -> None:
    """A stage without a record opens and says so."""
    open_page(page, report, seal_stage(tmp_path / "run", report.stage, {}))
    assert page.locator(f"#{report.noun}s tbody").inner_text() == f"This run holds no {report.noun}."
    assert complaints == []


def test_a_problem_shows_all_programs_whole(page: "Page", complaints: list[str], run: Path) -> None:
    """Each program and its code are within the screen, wide or narrow; what the sentence above the list names is a link to it."""
    (report,) = (report for report in PAGES if report.file == "index.html")
    open_page(page, report, run)
    named = page.locator("#outcome a")
    assert named.all_inner_texts() == page.locator("#problems tbody a").all_inner_texts()
    named.first.click()
    page.wait_for_selector("#problem h1")
    page.go_back()
    programs = 0
    for number in range(page.locator("#problems tbody a").count()):
        open_item(page, report, number)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            for found in page.locator(".program, .program .code").all():
                box = found.bounding_box()
                assert box is not None
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width
                programs += 1
            hidden = (
                "[...document.querySelectorAll('.code, #problem .scroller, .chosen')]"
                ".filter((part) => part.scrollWidth > part.clientWidth).length"
            )
            assert page.evaluate(hidden) == 0
    assert (programs > 0, complaints) == (True, [])
