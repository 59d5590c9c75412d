"""Tests of the page of problem variants in a browser that opens it from disk."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reports.html.variants_page import write_variants

if TYPE_CHECKING:
    from playwright.sync_api import Page

Stage = dict[str, list[dict[str, Any]]]


def open_variants(page: "Page", run: Path) -> list[str]:
    """Open the variants of `run` from disk and return the addresses asked for since."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(write_variants(run).resolve().as_uri())
    page.wait_for_selector("#variants tbody tr")
    return asked


def listed(page: "Page") -> int:
    """Return how many variants pass the filters."""
    return int(page.locator("#shown").inner_text().split()[0])


def test_the_page_asks_for_nothing_and_runs_nothing_of_the_data(
    page: "Page", hostile_variant_run: Path, hostile_prose: str, complaints: list[str]
) -> None:
    """Hostile text in every field is shown as text: no request, no dialog, no refused script, no element."""
    asked = open_variants(page, hostile_variant_run)
    for number in range(3):
        page.evaluate("location.hash = '#/'")
        page.wait_for_selector("#overview:not([hidden])")
        page.locator("#variants tbody a").nth(number).click()
        page.wait_for_selector("#variant h1")
        text = page.locator("#variant").inner_text()
        assert text.count("</script><img src=x onerror=alert(1)>[bold]␛[31m␀<U+202E><U+2028>{{ script }}") > 10
        assert hostile_prose not in text
        assert page.locator("img, [onerror], #variant script").count() == 0
    assert (len(asked), complaints) == (1, [])


def test_classes_filter_and_variants_open(page: "Page", variant_run: Path, complaints: list[str]) -> None:
    """Of each class those listed are of it, and one opens with both texts, the edit marked, and what is proved."""
    open_variants(page, variant_run)
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
