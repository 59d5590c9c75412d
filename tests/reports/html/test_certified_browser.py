"""Tests of the pages of flawed solutions and of variants in a browser that opens them from disk."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.reports.html.opened_page import listed, open_page
from tests.reports.html.report_pages import PAGES
from tests.reports.stage_records import Stage, seal_stage

if TYPE_CHECKING:
    from playwright.sync_api import Page

FLAWS, VARIANTS = PAGES[2:4]


def option(page: "Page", label: str, title: str) -> str:
    """Return the text of an option, its count included."""
    options = page.get_by_label(label, exact=True).locator("option").all_inner_texts()
    return next(text for text in options if re.fullmatch(rf"{title} \(\d+\)", text))


def test_overview_counts_everything_and_names_the_sample(page: "Page", mutation_run: Path, flawed: Stage) -> None:
    """A reader sees how many there are and that the list is a sample of them."""
    open_page(page, FLAWS, mutation_run)
    total = len(flawed["computational"]) + len(flawed["conceptual"])
    assert page.locator("#totals").inner_text().startswith(f"{total:,} flawed solutions of 4 of 4 problems")
    sentence = page.locator("#sampled").inner_text()
    assert f"sample: {listed(page):,} of {total:,}, at most 25 of each operator" in sentence
    assert page.locator("#reasons dt").count() == len({change["why"] for change in flawed["discarded"]})


def test_flaw_shows_what_is_wrong(page: "Page", mutation_run: Path, complaints: list[str]) -> None:
    """Both solutions with what changed marked, the label, the values and what is proved."""
    open_page(page, FLAWS, mutation_run)
    page.get_by_label("Operator", exact=True).select_option(label=option(page, "Operator", "skipped assignment"))
    page.locator("#flaws tbody a").first.click()
    page.wait_for_selector("#flaw h1")
    text = page.locator("#flaw").inner_text()
    wanted = ["wrong line", "no such line", "skipped step", "every equation is true", "is missing.", "should read"]
    assert [words for words in wanted if words not in text] == []
    assert page.locator(".side.wrong").count() == 1
    assert page.locator("del").count() > 1
    assert complaints == []


def test_marks_are_the_numbers_that_changed(page: "Page", tmp_path: Path, flawed: Stage) -> None:
    """On the wrong line of a slip, opened by its address, what is marked is the new value, wherever it stands."""
    flaw = next(flaw for flaw in flawed["computational"] if flaw["mutation"]["to"] == "55")
    run = seal_stage(tmp_path, "mutation", {**flawed, "computational": [flaw], "conceptual": []})
    open_page(page, FLAWS, run, flaw["flaw_id"])
    assert page.locator(".side.wrong ins").all_inner_texts() == ["55", "55"]
    assert page.locator(".side.wrong").locator("xpath=..").locator("del").all_inner_texts() == ["54", "54"]


@pytest.mark.slow
def test_filters_narrow_each_other(page: "Page", mutation_run: Path) -> None:
    """Type, tier, position and edit each narrow the list, and the counts in the choices are right."""
    open_page(page, FLAWS, mutation_run)
    sizes = [listed(page)]
    chosen = option(page, "Type of error", "skipped step")
    page.get_by_label("Type of error", exact=True).select_option(label=chosen)
    sizes.append(listed(page))
    for name in ("tier 1", "late", "needs edit"):
        page.get_by_role("button", name=re.compile(f"^{name}")).click()
        sizes.append(listed(page))
    assert sizes[1] == int(chosen.split("(")[1].rstrip(")"))
    assert sizes[0] > sizes[1] > sizes[2] > sizes[3] >= sizes[4]


@pytest.mark.slow
def test_operator_of_the_overview_lists_its_flaws(page: "Page", mutation_run: Path) -> None:
    """A click on an operator in the overview narrows the list to what it made."""
    open_page(page, FLAWS, mutation_run)
    page.get_by_role("button", name="sign slip", exact=True).click()
    assert set(page.locator("#flaws td.operator").all_inner_texts()) == {"sign slip"}
    assert page.locator("#filters select.narrowed").count() == 1


def test_classes_filter_and_variants_open(page: "Page", variant_run: Path, complaints: list[str]) -> None:
    """Of each class those listed are of it, and one opens with both texts, the edit marked, and what is proved."""
    open_page(page, VARIANTS, variant_run)
    total = listed(page)
    shown = 0
    for name, proved in (
        ("contradictory", "no values meet"),
        ("underspecified", "two solutions meet"),
        ("solvable", "no other gives another answer"),
    ):
        page.get_by_label("Class", exact=True).get_by_text(name).click()
        shown += listed(page)
        page.locator("#variants tbody a").last.click()
        page.wait_for_selector("#variant h1")
        text = page.locator("#variant").inner_text()
        assert name in text.lower()
        assert proved in text
        assert page.locator(".texts ins, .texts del").count() > 0
        assert not page.locator(".certificate pre").is_visible()
        page.locator(".certificate summary").click()
        assert "(check-sat)" in page.locator(".certificate pre").inner_text()
        page.evaluate("location.hash = '#/'")
        page.wait_for_selector("#overview:not([hidden])")
    assert (shown, complaints) == (total, [])


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_cliques_and_confidences_narrow_the_list(
    page: "Page", mutation_run: Path, variant_run: Path, place: int, complaints: list[str]
) -> None:
    """Each choice keeps the records whose oracle has that much support; a record says what it rests on."""
    open_page(page, (FLAWS, VARIANTS)[place], (mutation_run, variant_run)[place])
    every = listed(page)
    sizes = {}
    for label, title in (
        ("Clique", "2 and more agree"),
        ("Clique", "3 and more agree"),
        ("Clique", "no formalization stage"),
        ("Clique", "not recorded"),
        ("Confidence", "0.50 and more"),
        ("Confidence", "0.75 and more"),
        ("Confidence", "none"),
    ):
        chosen = option(page, label, title)
        page.get_by_label(label, exact=True).select_option(label=chosen)
        sizes[title] = listed(page)
        assert sizes[title] == int(chosen.rpartition("(")[2].rstrip(")"))
        page.get_by_label(label, exact=True).select_option(index=0)
    assert all(sizes.values())
    assert sizes["2 and more agree"] + sizes["no formalization stage"] + sizes["not recorded"] == every
    assert sizes["2 and more agree"] == sizes["0.50 and more"] == every - sizes["none"]
    assert sizes["3 and more agree"] == sizes["0.75 and more"]
    page.get_by_label("Clique", exact=True).select_option(label=option(page, "Clique", "3 and more agree"))
    page.locator(f"#{('flaws', 'variants')[place]} tbody a").first.click()
    page.wait_for_selector("article h1")
    assert (
        "a clique of 5, confidence 1.22, probability 0.999 that it is right: the oracle"
        in page.locator("article").inner_text()
    )
    assert complaints == []
