"""Tests of the items of pages in a browser that opens them from disk: each shows what a reader looks for."""

import csv
import io
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from tests.cases import cases
from tests.reports.hostile import ACTING, HOSTILE, RUN_NAME, SHOWN
from tests.reports.html.labelled import diagnosed, flagged
from tests.reports.html.opened_page import listed, open_page
from tests.reports.html.report_pages import LABELS, PAGES, ReportPage
from tests.reports.stage_records import formalization_records, mutation_records, seal_stage

PROBLEMS, TRACES, FLAWS, VARIANTS, ITEMS = PAGES


def opened(page: Page, noun: str, address: str) -> str:
    """Open an item by its address and return its text."""
    page.evaluate("address => { location.hash = address }", f"#/{noun}/{quote(address)}")
    page.wait_for_function("noun => document.querySelector(`#${noun} h1`)", arg=noun)
    return page.locator(f"#{noun}").inner_text()


def test_problem_shows_its_programs_and_verdicts(page: Page, run: Path, complaints: list[str]) -> None:
    """Question, oracle, counterexample and numbered code; the list sorts and filters."""
    open_page(page, PROBLEMS, run)
    text = opened(page, "problem", "p-1")
    wanted = ["p-1", "How much?", "0.800, the mean score of the clique's 1 pair", "Dissents: not equivalent"]
    wanted += ["with b = 1, ada gives 7, cyd 5", "0.93"]
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


def test_marks_are_the_numbers_that_changed(page: Page, tmp_path: Path) -> None:
    """On the wrong line of a slip, opened by its address, what is marked is the new value, wherever it stands."""
    flawed = mutation_records()
    flaw = next(flaw for flaw in flawed["computational"] if flaw["mutation"]["to"] == "55")
    run = seal_stage(tmp_path, "mutation", {**flawed, "computational": [flaw], "conceptual": []})
    open_page(page, FLAWS, run, flaw["flaw_id"])
    assert page.locator(".side.wrong ins").all_inner_texts() == ["55", "55"]
    assert page.locator(".side.wrong").locator("xpath=..").locator("del").all_inner_texts() == ["54", "54"]


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


def test_solution_stands_beside_the_right_way(page: Page, complaints: list[str], tmp_path: Path) -> None:
    """A wrong solution stands beside the right way, matched lines tied and the first that differs marked; certificate and witness open at a click."""
    run = seal_stage(tmp_path / "run", "label", {"flagged": [diagnosed(HOSTILE)]})
    open_page(page, LABELS, run)
    page.locator("table.problems tbody a").first.click()
    page.wait_for_selector("#label h1")
    assert page.locator(".side .sign").all_inner_texts() == ["=", "≠"]
    assert page.locator(".side.differs b").inner_text() == "L2"
    assert not page.get_by_text("a + b - c").is_visible()
    for summary in page.locator("#label summary").all():
        summary.click()
    text = page.locator("#label").inner_text()
    assert all(words in text for words in ("a + b - c", "a + b + c", "the right way gives 3", "5 - 2 = 3", SHOWN))
    page.set_viewport_size({"width": 420, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []
