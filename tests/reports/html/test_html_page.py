"""Tests of the report page of a run in a browser that opens it from disk."""

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from reports.html.run_report import write_report
from reports.html.traces_page import write_traces

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def open_report(page: "Page", run: Path) -> list[str]:
    """Open the report of `run` from disk and return the list of the addresses asked for since."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(write_report(run).resolve().as_uri())
    page.wait_for_selector("#problems tbody tr")
    return asked


def test_page_asks_for_nothing_and_runs_nothing_of_the_data(
    page: "Page", hostile_run: Path, hostile: str, complaints: list[str]
) -> None:
    """Hostile text in every field is shown as text: no request, no dialog, no refused script, no element."""
    asked = open_report(page, hostile_run)
    page.locator("#problems tbody a").first.click()
    page.wait_for_selector("#problem h1")
    page.locator("#problem summary").first.click()
    text = page.locator("#problem").inner_text()
    assert text.count("</script><img src=x onerror=alert(1)>[bold]␛[31m␀<U+202E><U+2028><U+D800>") > 40
    assert page.locator("img, [onerror], #problem script").count() == 0
    assert (len(asked), complaints, hostile in text) == (1, [], False)


def test_problem_opens_by_its_address(page: "Page", run: Path, complaints: list[str]) -> None:
    """`#/problem/<id>` shows question, oracle, counterexample and numbered code."""
    open_report(page, run)
    page.evaluate("location.hash = '#/problem/p-1'")
    page.wait_for_selector("#problem h1")
    text = page.locator("#problem").inner_text()
    wanted = ["p-1", "How much?", "0.800, the mean score of the clique's 1 pair", "Dissents: not equivalent"]
    wanted += ["with b = 1 and everything else as in the problem: left 7, right 5", "error at most 2^-122", "0.93"]
    assert [words for words in wanted if words not in text] == []
    assert page.locator("#problem .line[data-line='2']").first.inner_text().strip() == "# L1"
    assert complaints == []


def test_hostile_id_is_an_address(page: "Page", hostile_run: Path, hostile: str) -> None:
    """A problem whose id is hostile opens by its link."""
    open_report(page, hostile_run)
    address = quote("p-1" + hostile.replace("\ud800", "\ufffd"))  # an address cannot hold a lone surrogate
    page.evaluate(f"location.hash = '#/problem/{address}'")
    page.wait_for_selector("#problem h1")
    assert page.locator("#notice").is_hidden()


def test_arrows_turn_problems_and_escape_returns(page: "Page", run: Path) -> None:
    """The keyboard walks through the problems in the order of the list."""
    open_report(page, run)
    page.evaluate("location.hash = '#/problem/p-1'")
    page.wait_for_selector("#problem h1")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.hash === '#/problem/p-2'")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("location.hash === '#/problem/p-1'")
    page.keyboard.press("Escape")
    page.wait_for_selector("#overview", state="visible")


def test_list_sorts_and_filters(page: "Page", run: Path) -> None:
    """A click on a head sorts, a chip and the search box filter."""
    open_report(page, run)
    first = page.locator("#problems tbody a").first
    page.get_by_role("button", name="Confidence").click()
    by_confidence = first.inner_text()
    page.get_by_role("button", name="contested").click()
    contested = page.locator("#shown").inner_text()
    page.fill("#search", "nowhere")
    assert (by_confidence, contested) == ("p-2", "1 of 2 problems")
    assert page.locator("#problems tbody").inner_text() == "No problem passes these filters."


def test_unknown_address_says_so(page: "Page", run: Path) -> None:
    """A problem that the run lacks is named, and the list stays."""
    open_report(page, run)
    page.evaluate("location.hash = '#/problem/p-9'")
    page.wait_for_selector("#notice:not([hidden])")
    assert page.locator("#notice").inner_text() == "This run holds no problem p-9."


def test_empty_run_opens(page: "Page", empty_run: Path, complaints: list[str]) -> None:
    """A run without problems opens and says so."""
    open_report(page, empty_run)
    assert page.locator("#problems tbody").inner_text() == "This run holds no problem."
    assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_page_does_not_scroll_sideways(browser: "Browser", run: Path, scheme: Any, width: int) -> None:
    """Wide content scrolls in its own box, on a phone and on a desk, in either scheme."""
    tab = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    open_report(tab, run)
    widths = [tab.evaluate("document.documentElement.scrollWidth")]
    tab.evaluate("location.hash = '#/problem/p-1'")
    tab.wait_for_selector("#problem h1")
    widths.append(tab.evaluate("document.documentElement.scrollWidth"))
    tab.close()
    assert max(widths) <= width


def test_problem_with_a_template_leads_to_its_trace(
    page: "Page", run: Path, templates: Any, seal: Any, seal_templates: Any
) -> None:
    """Beside a page of traces, a problem that has a template links its trace; one without has no such link."""
    both = run.parent / "both"
    program = {"problem_id": "mini-001", "model": "birch", "dialect": "template", "code": "", "value": "71"}
    program |= {"parameters": [], "reason": None, "repairs": []}
    problems = [*templates["problems"][:1], {**templates["problems"][0], "problem_id": "p-1"}]
    seal(both, {"problems": problems, "programs": [program, {**program, "problem_id": "p-1", "dialect": "pal"}]})
    write_traces(seal_templates(both, templates))
    open_report(page, both)
    page.evaluate("location.hash = '#/problem/p-1'")
    page.wait_for_selector("#problem h1")
    other = page.get_by_role("link", name="its trace").count()
    page.evaluate("location.hash = '#/problem/mini-001'")
    page.get_by_role("link", name="its trace").click()
    page.wait_for_selector("#trace h1")
    assert (other, page.locator("#trace h1").inner_text()) == (0, "mini-001 birch")
