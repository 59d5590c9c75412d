"""Laws of the addresses of pages: the fragment holds the view, and says on the page what it names that is not there."""

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cases import cases
from tests.reports.hostile import RUN_NAME, TEXTS
from tests.reports.html.opened_page import open_page
from tests.reports.html.report_pages import PAGES, ReportPage
from tests.reports.stage_records import STAGE_RECORDS, copied_records, seal_stage

if TYPE_CHECKING:
    from playwright.sync_api import Page

every_page = cases("report", PAGES)

VIEW = """
() => ({
  rows: [...document.querySelectorAll('table.problems tbody tr')].map((row) => row.innerText),
  sorted: [...document.querySelectorAll('table.problems th')].map((head) => head.getAttribute('aria-sort')),
  pressed: [...document.querySelectorAll('#filters .chip')].map((chip) => chip.getAttribute('aria-pressed')),
  chosen: [...document.querySelectorAll('#filters select')].map((select) => select.value),
  search: document.querySelector('#search').value,
  kept: document.querySelector('#kept')?.innerText ?? null,
  shown: document.querySelector('#shown').innerText,
  page: document.querySelector('#page-number').innerText,
  opened: [...document.querySelectorAll('main:not(#overview) h1')].map((title) => title.innerText),
  position: document.querySelector('.position .muted')?.innerText ?? null,
  listed: !document.querySelector('#overview').hidden,
  notice: document.querySelector('#notice').innerText,
})
"""
"""What a reader sees of the list, of its filters and of an opened item."""


def view(page: "Page", report: ReportPage) -> dict[str, Any]:
    """Return what a reader sees once the address is shown."""
    opened = f"#/{report.noun}/" in page.url
    page.wait_for_selector(f"#{report.noun} h1" if opened else "#overview:not([hidden])")
    seen: dict[str, Any] = page.evaluate(VIEW)
    return seen


def view_of(page: "Page", report: ReportPage, address: str) -> dict[str, Any]:
    """Return what another reader sees who opens an address."""
    browser = page.context.browser
    assert browser is not None
    other = browser.new_page()
    other.goto(address)
    seen = view(other, report)
    other.close()
    return seen


def act(page: "Page", chance: random.Random) -> None:
    """Do something that a reader may do with the list, chosen by chance."""
    places = {
        "sort": page.locator("table.problems thead button"),
        "chip": page.locator("#filters .chip:visible"),
        "select": page.locator("#filters select"),
        "next": page.locator("#page-next:enabled"),
        "search": page.locator("#search"),
        "slide": page.locator("#threshold-range"),
    }
    kind = chance.choice([kind for kind, place in places.items() if place.count()])
    place = places[kind].nth(chance.randrange(places[kind].count()))
    if kind == "search":
        place.fill(chance.choice(["", "a", "-1", "p", "no such words", "a&page=2#?%"]))
    elif kind == "select":
        place.select_option(index=chance.randrange(place.locator("option").count()))
    elif kind == "slide":
        place.fill(str(chance.randrange(50)))
    else:
        place.click()


def many(run: Path, report: ReportPage) -> Path:
    """Seal the stage of a page with more records than a page of the list holds."""
    if report.stage == "verifier":
        return report.seal(run)
    records = STAGE_RECORDS[report.stage]()
    largest = max(len(rows) for name, rows in records.items() if name != "verdicts")
    return seal_stage(run, report.stage, copied_records(records, 1 + 120 // largest, report.noun))


@pytest.mark.slow
@pytest.mark.parametrize("report", PAGES, ids=lambda report: report.noun)  # a tab keeps 50 entries of its history
def test_link_opens_the_same_view(page: "Page", complaints: list[str], tmp_path: Path, report: ReportPage) -> None:
    """After whatever a reader did, the address opens what they saw, and back and forward lead through it."""
    open_page(page, report, many(tmp_path / "run", report))
    chance = random.Random(25)
    history = [(page.url, view(page, report))]
    start = page.evaluate("history.length")

    def remember() -> None:
        entries = page.evaluate("history.length") - start + 1
        del history[entries - 1 :]  # what is typed on changes the last entry
        history.append((page.url, view(page, report)))
        assert len(history) == entries

    for _ in range(14):
        act(page, chance)
        remember()
    if not page.locator("table.problems tbody a").count():
        page.evaluate("location.hash = '#/'")
        page.wait_for_selector("table.problems tbody a")
        remember()
    page.locator("table.problems tbody a").last.click()
    remember()
    assert len(history) > 4
    for address, seen in random.Random(1).sample(history[:-1], 3) + history[-1:]:
        assert view_of(page, report, address) == seen
    steps = [
        (step, place)
        for step, places in (("go_back", range(len(history) - 1)[::-1]), ("go_forward", range(1, len(history))))
        for place in places
    ]
    for step, place in steps:
        address, seen = history[place]
        getattr(page, step)()
        page.wait_for_function("address => location.href === address", arg=address)
        page.evaluate("() => new Promise((shown) => setTimeout(shown, 50))")  # until the event of the change was heard
        assert view(page, report) == seen, (step, address)
    assert complaints == []


WRONG = (
    ("?sort=Colour", ["sort=Colour"]),
    ("?order=descending", ["order=descending"]),
    ("?sort={column}&order=upwards", ["order=upwards"]),
    ("?colour=red&search=a&sort=Colour", ["colour=red", "sort=Colour"]),
    ("?{filter}=none of these", ["{filter}=none of these"]),
    ("?page=0", ["page=0"]),
    ("?page=two", ["page=two"]),
    ("?page=99", ["page=99"]),
    ("no-such-noun/p-1", ["#/no-such-noun/p-1"]),
    ("{noun}/", ["#/{noun}/"]),
    ("{noun}/p-9?sort=Colour", ["p-9", "sort=Colour"]),
    ("?search=%E0%A4%A", []),
)
"""Fragments after `#/`, and what the notice says of each."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "report",
    [PAGES[0], *(pytest.param(page, marks=pytest.mark.slow) for page in PAGES[1:])],
    ids=lambda page: page.noun,
)
def test_what_is_not_there_is_named(page: "Page", complaints: list[str], tmp_path: Path, report: ReportPage) -> None:
    """Each part of a fragment that the page does not have is named in the notice, and the list is shown with the rest."""
    open_page(page, report, report.seal(tmp_path / "run"))
    values = {
        "noun": report.noun,
        "column": page.locator("table.problems thead button").first.inner_text(),
        "filter": page.evaluate("view.groups[0][0].toLowerCase().replaceAll(' ', '-')"),
    }
    for fragment, parts in WRONG:
        page.evaluate("fragment => { location.hash = fragment }", "#/" + fragment.format(**values))
        page.wait_for_function("fragment => !document.querySelector('#overview').hidden", arg=fragment)
        if parts:
            page.wait_for_selector("#notice:not([hidden])")
        notice = page.locator("#notice").inner_text()
        assert [part for part in parts if part.format(**values) not in notice] == [], (fragment, notice)
        assert page.locator("table.problems tbody tr").count() > 0
        page.evaluate("location.hash = '#/'")
        page.wait_for_selector("#notice", state="hidden")
    assert complaints == []


@pytest.mark.slow
@every_page
@cases("text", TEXTS)
def test_hostile_names_are_addresses(
    page: "Page", complaints: list[str], tmp_path: Path, report: ReportPage, text: str
) -> None:
    """A filter, a column and an item whose names are hostile open by their addresses, without a notice."""
    open_page(page, report, report.seal(tmp_path / RUN_NAME, text))
    page.locator("table.problems thead button").last.click()
    groups = page.locator("#filters select, #filters .chips")
    for place in range(groups.count()):
        group = groups.nth(place)
        if group.evaluate("group => group.tagName") == "SELECT":
            group.select_option(index=group.locator("option").count() - 1)
        else:
            group.locator(".chip").last.evaluate("chip => chip.click()")
    seen = view(page, report)
    assert (view_of(page, report, page.url), seen["notice"]) == (seen, "")
    assert complaints == []
