"""Tests of the page of formalizations in a browser that opens it from disk."""

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.reports.hostile import HOSTILE
from tests.reports.html.opened_page import open_page
from tests.reports.html.report_pages import PAGES
from tests.reports.stage_records import Stage, formalization_records, seal_stage

if TYPE_CHECKING:
    from playwright.sync_api import Page

PROBLEMS, TRACES = PAGES[:2]


def test_problem_opens_by_its_address(page: "Page", run: Path, complaints: list[str]) -> None:
    """`#/problem/<id>` shows question, oracle, counterexample and numbered code."""
    open_page(page, PROBLEMS, run)
    page.evaluate("location.hash = '#/problem/p-1'")
    page.wait_for_selector("#problem h1")
    text = page.locator("#problem").inner_text()
    wanted = ["p-1", "How much?", "0.800, the mean score of the clique's 1 pair", "Dissents: not equivalent"]
    wanted += ["with b = 1 and everything else as in the problem: left 7, right 5", "error at most 2^-122", "0.93"]
    assert [words for words in wanted if words not in text] == []
    assert page.locator("#problem .line[data-line='2']").first.inner_text().strip() == "# L1"
    assert complaints == []


def test_hostile_id_is_an_address(page: "Page", hostile_run: Path) -> None:
    """A problem whose id is hostile opens by its link."""
    open_page(page, PROBLEMS, hostile_run)
    address = quote("p-1" + HOSTILE.replace("\ud800", "\ufffd"))  # an address cannot hold a lone surrogate
    page.evaluate(f"location.hash = '#/problem/{address}'")
    page.wait_for_selector("#problem h1")
    assert page.locator("#notice").is_hidden()


def test_list_sorts_and_filters(page: "Page", run: Path) -> None:
    """A click on a head sorts, a chip and the search box filter."""
    open_page(page, PROBLEMS, run)
    first = page.locator("#problems tbody a").first
    page.get_by_role("button", name="Confidence").click()
    by_confidence = first.inner_text()
    page.get_by_role("button", name="contested").click()
    contested = page.locator("#shown").inner_text()
    page.fill("#search", "nowhere")
    assert (by_confidence, contested) == ("p-2", "1 of 2 problems")
    assert page.locator("#problems tbody").inner_text() == "No problem passes these filters."


def test_problem_with_a_template_leads_to_its_trace(page: "Page", tmp_path: Path, templates: Stage) -> None:
    """Beside a page of traces, a problem that has a template links its trace; one without has no such link."""
    program = {"problem_id": "mini-001", "model": "birch", "dialect": "template", "code": "", "value": "71"}
    program |= {"parameters": [], "reason": None, "repairs": []}
    problems = [*templates["problems"][:1], {**templates["problems"][0], "problem_id": "p-1"}]
    programs = [program, {**program, "problem_id": "p-1", "dialect": "pal"}]
    seal_stage(tmp_path, "formalization", {"problems": problems, "programs": programs})
    TRACES.write(seal_stage(tmp_path, "template", templates))
    open_page(page, PROBLEMS, tmp_path)
    page.evaluate("location.hash = '#/problem/p-1'")
    page.wait_for_selector("#problem h1")
    other = page.get_by_role("link", name="its trace").count()
    page.evaluate("location.hash = '#/problem/mini-001'")
    page.get_by_role("link", name="its trace").click()
    page.wait_for_selector("#trace h1")
    assert (other, page.locator("#trace h1").inner_text()) == (0, "mini-001 birch")


@pytest.mark.slow
def test_long_lines_of_code_wrap(page: "Page", tmp_path: Path, complaints: list[str]) -> None:
    """A button wraps the lines of all programs, of the next problem too, and lets them run on again."""
    records = formalization_records()
    programs = [{**program, "code": f"# {'word ' * 60}"} for program in records["programs"]]
    open_page(page, PROBLEMS, seal_stage(tmp_path / "run", "formalization", {**records, "programs": programs}), "p-1")
    overflow = "[...document.querySelectorAll('.code')].filter((code) => code.scrollWidth > code.clientWidth).length"
    before = page.evaluate(overflow)
    page.get_by_role("button", name="Wrap code").click()
    wrapped = page.evaluate(overflow)
    page.evaluate("location.hash = '#/problem/p-2'")
    page.wait_for_function("document.querySelector('#problem h1').innerText.startsWith('p-2')")
    button = page.get_by_role("button", name="Wrap code", pressed=True)
    assert (before > 0, wrapped, page.evaluate(overflow), button.count(), complaints) == (True, 0, 0, 1, [])
    button.click()
    assert page.evaluate(overflow) > 0
