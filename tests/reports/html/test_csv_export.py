"""Laws of the CSV files that the pages of a run export."""

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cases import cases
from tests.reports.hostile import ACTING, RUN_NAME, TEXTS
from tests.reports.html.opened_page import listed, open_page
from tests.reports.html.report_pages import PAGES, ReportPage
from tests.reports.stage_records import formalization_records, seal_stage

if TYPE_CHECKING:
    from playwright.sync_api import Page

every_page = cases("report", PAGES)


def exported(page: "Page") -> str:
    """Press the button and return the text of the file."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Export CSV").click()
    return Path(download.value.path()).read_bytes().decode("utf-8-sig")


def rows_of(text: str) -> list[list[str]]:
    """Return the records of a CSV file."""
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


@every_page
@cases("text", TEXTS[:1])
def test_csv_holds_the_rows_of_the_filter(
    page: "Page", complaints: list[str], tmp_path: Path, report: ReportPage, text: str
) -> None:
    """A row for each item that passes, in the order of the list, under its heads; hostile text is data."""
    asked = open_page(page, report, report.seal(tmp_path / RUN_NAME, text))
    heads = page.locator("table.problems thead button").all_text_contents()
    for search in ("", "1"):
        page.fill("#search", search)
        page.locator("table.problems thead button").first.click()
        rows = rows_of(exported(page))
        assert (rows[0], len(rows) - 1) == (heads, listed(page))
        assert {len(row) for row in rows} == {len(heads)}
        names = page.locator("table.problems tbody tr a").all_text_contents()
        assert [row[0] for row in rows[1:]][: len(names)] == names
        assert not (ACTING - {"<"}) & set("".join(map("".join, rows)))
    assert [address for address in asked[1:] if not address.startswith("blob:")] == []
    assert complaints == []


@pytest.mark.slow
def test_csv_computes_nothing(page: "Page", tmp_path: Path) -> None:
    """A text that a spreadsheet would compute begins with an apostrophe; a negative number stays one; quotes are doubled."""
    texts = [
        '=HYPERLINK("http://x","a, b")',
        "+1",
        "-1+2",
        "@SUM(A1)",
        "\t=1",
        " -x",
        'two "words",\nand a line; 54 → 55',
    ]
    records = formalization_records()
    problem = records["problems"][0]
    problems = [
        {**problem, "problem_id": f"q-{place}", "question": text, "gold": "-5"} for place, text in enumerate(texts)
    ]
    open_page(page, PAGES[0], seal_stage(tmp_path / "run", "formalization", {"problems": problems}))
    text = exported(page)
    heads, *rows = rows_of(text)
    assert [row[heads.index("Question")] for row in rows] == [f"'{text}" for text in texts[:-1]] + texts[-1:]
    assert {row[heads.index("Gold")] for row in rows} == {"-5"}
    assert text.count("\r\n") == len(texts) + 1


@pytest.mark.slow
def test_csv_has_every_page_of_the_list(page: "Page", tmp_path: Path) -> None:
    """A list of more than one page is exported whole."""
    problem = formalization_records()["problems"][0]
    problems = [{**problem, "problem_id": f"q-{number:03}"} for number in range(120)]
    open_page(page, PAGES[0], seal_stage(tmp_path / "run", "formalization", {"problems": problems}))
    assert [row[0] for row in rows_of(exported(page))[1:]] == [problem["problem_id"] for problem in problems]
