"""Tests of the page of flawed solutions in a browser that opens it from disk."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from reports.html.flaws_page import write_flaws
from tests.reports.flawed import seal_mutation

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Stage = dict[str, list[dict[str, Any]]]


def open_flaws(page: "Page", run: Path, flaw: str | None = None) -> list[str]:
    """Open the flawed solutions of `run` from disk, or one of them, and return the addresses asked for since."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    address = "" if flaw is None else f"#/flaw/{quote(flaw)}"
    page.goto(write_flaws(run).resolve().as_uri() + address)
    page.wait_for_selector("#flaws tbody tr" if flaw is None else "#flaw h1")
    return asked


def listed(page: "Page") -> int:
    """Return how many flawed solutions pass the filters."""
    return int(page.locator("#shown").inner_text().split()[0])


def test_page_asks_for_nothing_and_runs_nothing_of_the_data(
    page: "Page", hostile_mutation_run: Path, hostile_prose: str, complaints: list[str]
) -> None:
    """Hostile text in every field is shown as text: no request, no dialog, no refused script, no element."""
    asked = open_flaws(page, hostile_mutation_run)
    for number in range(0, 40, 13):
        page.evaluate("location.hash = '#/'")
        page.wait_for_selector("#overview:not([hidden])")
        page.locator("#flaws tbody a").nth(number).click()
        page.wait_for_selector("#flaw h1")
        text = page.locator("#flaw").inner_text()
        assert text.count("</script><img src=x onerror=alert(1)>[bold]␛[31m␀<U+202E><U+2028>{{ script }}") > 20
        assert hostile_prose not in text
        assert page.locator("img, [onerror], #flaw script").count() == 0
    assert (len(asked), complaints) == (1, [])


def test_overview_counts_everything_and_names_the_sample(page: "Page", mutation_run: Path, flawed: Stage) -> None:
    """A reader sees how many there are and that the list is a sample of them."""
    open_flaws(page, mutation_run)
    total = len(flawed["computational"]) + len(flawed["conceptual"])
    assert page.locator("#totals").inner_text().startswith(f"{total:,} flawed solutions of 4 of 4 problems")
    said = page.locator("#sampled").inner_text()
    assert f"sample: {listed(page):,} of {total:,}, at most 25 of each operator" in said
    assert page.locator("#reasons dt").count() == len({change["why"] for change in flawed["discarded"]})


def test_flaw_opens_by_its_address(page: "Page", mutation_run: Path, complaints: list[str]) -> None:
    """`#/flaw/<id>` shows both solutions with what changed marked, the label, the values and what is proved."""
    open_flaws(page, mutation_run)
    page.get_by_label("Operator", exact=True).select_option(label=option(page, "Operator", "skipped assignment"))
    page.locator("#flaws tbody a").first.click()
    page.wait_for_selector("#flaw h1")
    text = page.locator("#flaw").inner_text()
    wanted = ["wrong line", "no such line", "skipped step", "every equation is true", "is missing.", "should read"]
    assert [words for words in wanted if words not in text] == []
    assert page.locator(".side.wrong").count() == 1
    assert page.locator("del").count() > 1
    assert complaints == []


def option(page: "Page", label: str, title: str) -> str:
    """Return the text of an option, its count included."""
    options = page.get_by_label(label, exact=True).locator("option").all_inner_texts()
    return next(text for text in options if re.fullmatch(rf"{title} \(\d+\)", text))


def test_marks_are_the_numbers_that_changed(page: "Page", tmp_path: Path, flawed: Stage) -> None:
    """On the wrong line of a slip, what is marked is the new value, wherever it stands."""
    flaw = next(flaw for flaw in flawed["computational"] if flaw["mutation"]["to"] == "55")
    run = seal_mutation(tmp_path / "one", {**flawed, "computational": [flaw], "conceptual": []})
    open_flaws(page, run, flaw["flaw_id"])
    assert page.locator(".side.wrong ins").all_inner_texts() == ["55", "55"]
    assert page.locator(".side.wrong").locator("xpath=..").locator("del").all_inner_texts() == ["54", "54"]


@pytest.mark.slow
def test_filters_narrow_each_other(page: "Page", mutation_run: Path) -> None:
    """Type, operator, tier, position, edit and text each narrow the list, and the counts in the choices are right."""
    open_flaws(page, mutation_run)
    everything = listed(page)
    chosen = option(page, "Type of error", "skipped step")
    page.get_by_label("Type of error", exact=True).select_option(label=chosen)
    skipped = listed(page)
    page.get_by_role("button", name=re.compile("^tier 1")).click()
    in_tier = listed(page)
    page.get_by_role("button", name=re.compile("^late")).click()
    late = listed(page)
    page.get_by_role("button", name=re.compile("^needs edit")).click()
    edited = listed(page)
    assert skipped == int(chosen.split("(")[1].rstrip(")"))
    assert everything > skipped > in_tier > late >= edited
    page.fill("#search", "no such words")
    assert page.locator("#flaws .empty").inner_text() == "No flaw passes these filters."


@pytest.mark.slow
def test_operator_of_the_overview_lists_its_flaws(page: "Page", mutation_run: Path) -> None:
    """A click on an operator in the overview narrows the list to what it made."""
    open_flaws(page, mutation_run)
    page.get_by_role("button", name="sign slip", exact=True).click()
    assert set(page.locator("#flaws td.operator").all_inner_texts()) == {"sign slip"}
    assert page.locator("#filters select.narrowed").count() == 1


def test_keyboard_walks_through_the_flaws(page: "Page", mutation_run: Path) -> None:
    """`/` searches, arrows turn from flaw to flaw, Escape returns to the list."""
    open_flaws(page, mutation_run)
    page.keyboard.press("/")
    page.keyboard.type("mini-016")
    page.keyboard.press("Escape")
    page.locator("#flaws tbody a").first.click()
    page.wait_for_selector("#flaw h1")
    first = page.locator("#flaw h1").inner_text()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("id => document.querySelector('#flaw h1')?.textContent !== id", arg=first)
    assert page.locator("#flaw h1").inner_text().startswith("mini-016:")
    page.keyboard.press("Escape")
    page.wait_for_selector("#overview:not([hidden])")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", ["mutation_run", "hostile_mutation_run"])
def test_page_does_not_scroll_sideways(
    request: pytest.FixtureRequest, browser: "Browser", name: str, scheme: Any, width: int
) -> None:
    """Wide content scrolls in its own box, on a phone and on a desk, in either scheme."""
    tab = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    open_flaws(tab, request.getfixturevalue(name))
    widths = [tab.evaluate("document.documentElement.scrollWidth")]
    tab.locator("#flaws tbody a").first.click()
    tab.wait_for_selector("#flaw h1")
    widths.append(tab.evaluate("document.documentElement.scrollWidth"))
    tab.close()
    assert max(widths) <= width
