"""Tests of the items of pages in a browser that opens them from disk: each shows what a reader looks for."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.cases import cases
from tests.reports.hostile import ACTING, HOSTILE, RUN_NAME, SHOWN
from tests.reports.html.labelled import flagged
from tests.reports.html.opened_page import listed, open_page
from tests.reports.html.report_pages import LABELS, PAGES, ReportPage
from tests.reports.stage_records import Stage, formalization_records, seal_stage

if TYPE_CHECKING:
    from playwright.sync_api import Page

PROBLEMS, TRACES, FLAWS, VARIANTS, ITEMS = PAGES


def opened(page: Page, noun: str, address: str) -> str:
    """Open an item by its address and return its text."""
    page.evaluate("address => { location.hash = address }", f"#/{noun}/{quote(address)}")
    page.wait_for_function("noun => document.querySelector(`#${noun} h1`)", arg=noun)
    return page.locator(f"#{noun}").inner_text()


def choose(page: Page, label: str, title: str) -> int:
    """Choose an option of a filter; return the count that it states."""
    options = page.get_by_label(label, exact=True).locator("option").all_inner_texts()
    text = next(text for text in options if re.fullmatch(rf"{title} \(\d+\)", text))
    page.get_by_label(label, exact=True).select_option(label=text)
    return int(text.rpartition("(")[2].rstrip(")"))


def test_problem_shows_its_programs_and_verdicts(page: Page, run: Path, complaints: list[str]) -> None:
    """Question, oracle, counterexample and numbered code; the list sorts and filters."""
    open_page(page, PROBLEMS, run)
    text = opened(page, "problem", "p-1")
    wanted = ["p-1", "How much?", "0.800, the mean score of the clique's 1 pair", "Dissents: not equivalent"]
    wanted += ["with b = 1 and everything else as in the problem: left 7, right 5", "error at most 2^-122", "0.93"]
    assert [words for words in wanted if words not in text] == []
    assert page.locator("#problem .line[data-line='2']").first.inner_text().strip() == "# L1"
    page.evaluate("location.hash = '#/'")
    page.get_by_role("button", name="Confidence").click()
    assert page.locator("#problems tbody a").first.inner_text() == "p-2"
    page.get_by_role("button", name="contested").click()
    assert page.locator("#shown").inner_text() == "1 of 2 problems"
    page.locator("#overview .drawn a", has_text="p-2").click()
    page.wait_for_selector("#problem h1")
    assert complaints == []


def test_hostile_id_is_an_address(page: Page, hostile_run: Path) -> None:
    """A problem whose id is hostile opens by its link."""
    open_page(page, PROBLEMS, hostile_run)
    opened(page, "problem", "p-1" + HOSTILE.replace("\ud800", "\ufffd"))  # an address cannot hold a lone surrogate
    assert page.locator("#notice").is_hidden()


def test_problem_with_a_template_leads_to_its_trace(page: Page, tmp_path: Path, templates: Stage) -> None:
    """Beside a page of traces, a problem that has a template links its trace; one without has no such link."""
    program = {"problem_id": "mini-001", "model": "birch", "dialect": "template", "code": "", "value": "71"}
    program |= {"parameters": [], "reason": None, "repairs": []}
    problems = [*templates["problems"][:1], {**templates["problems"][0], "problem_id": "p-1"}]
    programs = [program, {**program, "problem_id": "p-1", "dialect": "pal"}]
    seal_stage(tmp_path, "formalization", {"problems": problems, "programs": programs})
    TRACES.write(seal_stage(tmp_path, "template", templates))
    open_page(page, PROBLEMS, tmp_path, "p-1")
    assert page.get_by_role("link", name="its trace").count() == 0
    page.evaluate("location.hash = '#/problem/mini-001'")
    page.get_by_role("link", name="its trace").click()
    page.wait_for_selector("#trace h1")
    assert page.locator("#trace h1").inner_text() == "mini-001 birch"


@pytest.mark.slow
def test_long_lines_of_code_wrap(page: Page, tmp_path: Path, complaints: list[str]) -> None:
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


def test_flaw_shows_what_is_wrong(page: Page, mutation_run: Path, complaints: list[str]) -> None:
    """The overview counts all and leads to an operator's; a flaw shows both solutions with what changed, and what is proved."""
    open_page(page, FLAWS, mutation_run)
    assert page.locator(".drawn-section p.strong").first.inner_text().count("flawed solutions of 4 of 4 problems")
    page.locator(".drawn a", has_text="skipped assignment").click()
    page.wait_for_function("document.querySelectorAll('#filters select.narrowed').length === 1")
    assert set(page.locator("#flaws td.operator").all_inner_texts()) == {"skipped assignment"}
    page.locator("#flaws tbody a").first.click()
    page.wait_for_selector("#flaw h1")
    text = page.locator("#flaw").inner_text()
    wanted = ["wrong line", "no such line", "skipped step", "every equation is true", "is missing.", "should read"]
    assert [words for words in wanted if words not in text] == []
    assert (page.locator(".side.wrong").count(), page.locator("del").count() > 1) == (1, True)
    assert complaints == []


def test_marks_are_the_numbers_that_changed(page: Page, tmp_path: Path, flawed: Stage) -> None:
    """On the wrong line of a slip, opened by its address, what is marked is the new value, wherever it stands."""
    flaw = next(flaw for flaw in flawed["computational"] if flaw["mutation"]["to"] == "55")
    run = seal_stage(tmp_path, "mutation", {**flawed, "computational": [flaw], "conceptual": []})
    open_page(page, FLAWS, run, flaw["flaw_id"])
    assert page.locator(".side.wrong ins").all_inner_texts() == ["55", "55"]
    assert page.locator(".side.wrong").locator("xpath=..").locator("del").all_inner_texts() == ["54", "54"]


@pytest.mark.slow
def test_filters_narrow_each_other(page: Page, mutation_run: Path, complaints: list[str]) -> None:
    """Type, tier, position and edit each narrow the list; so do the clique and the confidence that a record rests on."""
    open_page(page, FLAWS, mutation_run)
    every = listed(page)
    sizes = [every, choose(page, "Type of error", "skipped step")]
    for name in ("tier 1", "late", "needs edit"):
        page.get_by_role("button", name=re.compile(f"^{name}")).click()
        sizes.append(listed(page))
    assert sizes[0] > sizes[1] > sizes[2] > sizes[3] >= sizes[4]
    page.evaluate("location.hash = '#/'")
    counts = {}
    for label, title in (
        *(
            ("Clique", title)
            for title in ("2 and more agree", "3 and more agree", "no formalization stage", "not recorded")
        ),
        *(("Confidence", title) for title in ("0.50 and more", "0.75 and more", "none")),
    ):
        counts[title] = choose(page, label, title)
        assert listed(page) == counts[title] > 0
        page.get_by_label(label, exact=True).select_option(index=0)
    assert counts["2 and more agree"] + counts["no formalization stage"] + counts["not recorded"] == every
    assert counts["2 and more agree"] == counts["0.50 and more"] == every - counts["none"]
    assert complaints == []


def test_variants_open_by_class(page: Page, variant_run: Path, complaints: list[str]) -> None:
    """Of each class those listed are of it, and one opens with both texts, the edit marked, and what is proved."""
    open_page(page, VARIANTS, variant_run)
    total, shown = listed(page), 0
    proofs = {"contradictory": "no values meet", "underspecified": "two solutions meet", "solvable": "no other gives another answer"}  # fmt: skip
    for name, proved in proofs.items():
        page.get_by_label("Class", exact=True).get_by_text(name).click()
        shown += listed(page)
        page.locator("#variants tbody a").last.click()
        page.wait_for_selector("#variant h1")
        text = page.locator("#variant").inner_text()
        assert name in text.lower()
        assert proved in text
        assert page.locator(".texts ins, .texts del").count() > 0
        page.locator(".certificate summary").click()
        assert "(check-sat)" in page.locator(".certificate pre").inner_text()
        page.evaluate("location.hash = '#/'")
        page.wait_for_selector("#overview:not([hidden])")
    assert (shown, complaints) == (total, [])


def test_label_shows_what_speaks_against_it(page: Page, complaints: list[str], tmp_path: Path) -> None:
    """The filters narrow the list; a record shows its label, its lines with the wrong one marked, and its findings."""
    run = seal_stage(tmp_path / "run", "label", {"flagged": [flagged(number, HOSTILE) for number in range(6)]})
    open_page(page, LABELS, run)
    page.locator("#filters .chip", has_text="unknown").click()
    assert listed(page) == 2
    page.locator("#filters .chip", has_text="all").first.click()
    page.locator("table.problems tbody a").first.click()
    page.wait_for_selector("#label h1")
    text = page.locator("#label").inner_text()
    assert all(words in text for words in ("flawed", "slip", "Because.", "2 + 3 = 5", "stale-number", SHOWN))
    assert page.locator(".judged-line.wrong .place").all_inner_texts() == ["L2"]
    assert complaints == []


@pytest.mark.slow
def test_judged_item_shows_the_answers(page: Page, tmp_path: Path, complaints: list[str]) -> None:
    """The list filters, and an item opens with its lines and answers."""
    open_page(page, ITEMS, ITEMS.seal(tmp_path))
    page.get_by_role("button", name="flawed").first.click()
    page.locator("#items tbody a").first.click()
    page.wait_for_selector("#item h1")
    text = page.locator("#item").inner_text()
    assert "accused by hybrid" in text
    assert "Correct" in text
    assert complaints == []


def exported(page: Page) -> list[list[str]]:
    """Press the button and return the rows of the file."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Export CSV").click()
    text = Path(download.value.path()).read_bytes().decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


@cases("report", PAGES)
def test_csv_holds_the_rows_of_the_filter(
    page: Page, complaints: list[str], tmp_path: Path, report: ReportPage
) -> None:
    """A row for each item that passes, in the order of the list, under its heads; hostile text is data."""
    asked = open_page(page, report, report.seal(tmp_path / RUN_NAME, HOSTILE))
    heads = page.locator("table.problems thead button").all_text_contents()
    for search in ("", "1"):
        page.fill("#search", search)
        page.locator("table.problems thead button").first.click()
        rows = exported(page)
        assert (rows[0], len(rows) - 1) == (heads, listed(page))
        assert {len(row) for row in rows} == {len(heads)}
        names = page.locator("table.problems tbody tr a").all_text_contents()
        assert [row[0] for row in rows[1:]][: len(names)] == names
        assert not (ACTING - {"<"}) & set("".join(map("".join, rows)))
    assert [address for address in asked[1:] if not address.startswith("blob:")] == []
    assert complaints == []


@pytest.mark.slow
def test_csv_computes_nothing_and_has_every_page(page: Page, tmp_path: Path) -> None:
    """A text that a spreadsheet would compute begins with an apostrophe; a negative number stays one; a long list is exported whole."""
    texts = [
        '=HYPERLINK("http://x","a, b")',
        "+1",
        "-1+2",
        "@SUM(A1)",
        "\t=1",
        " -x",
        'two "words",\nand a line; 54 → 55',
    ]
    problem = formalization_records()["problems"][0]
    problems = [
        {**problem, "problem_id": f"q-{place:03}", "question": text, "gold": "-5"}
        for place, text in enumerate([*texts, *["?"] * 120])
    ]
    open_page(page, PROBLEMS, seal_stage(tmp_path / "run", "formalization", {"problems": problems}))
    heads, *rows = exported(page)
    assert [row[0] for row in rows] == [problem["problem_id"] for problem in problems]
    questions = [row[heads.index("Question")] for row in rows[: len(texts)]]
    assert questions == [f"'{text}" for text in texts[:-1]] + texts[-1:]
    assert {row[heads.index("Gold")] for row in rows} == {"-5"}
