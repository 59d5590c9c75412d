"""Tests of the HTML report of the verifier stage: all figures, a sample of items and no active content."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from reports.html.verifier_page import SAMPLED, write_verifier
from reports.terminal.verifier_stage import print_verifier
from tests.reports.embedded import BLOB, Elements, blobs
from tests.reports.html.opened_page import open_page
from tests.reports.html.report_pages import PAGES
from tests.reports.judged import judged_run
from tests.reports.terminal.printing import printed

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the page of a run of two datasets."""
    return write_verifier(judged_run(tmp_path_factory.mktemp("page"))).read_text(encoding="utf-8")


def test_figures_stand_in_the_overview(written: str) -> None:
    """Each dataset and all together: tables, intervals, McNemar's p, a plot of each kind for each engine."""
    text = BLOB.sub("", written)
    assert text.count('<details class="dataset"') == 3
    assert text.count('<details class="dataset" open') == 1
    for wanted in ("All datasets together", "verdict against majority", "+20 −0, p 1.9e-06", "error-removed", "4.0 ms"):
        assert wanted in text
    plots = Counter(a["id"].split("-")[0] for tag, a in elements(text).tags if tag == "title" and a.get("id"))
    assert plots == {"forest": 9, "confusion": 6, "reliability": 6}


def elements(page: str) -> Elements:
    """Return the elements of a page."""
    parser = Elements()
    parser.feed(page)
    return parser


def test_twenty_items_of_each_dataset_are_held_whole(written: str) -> None:
    """Their lines, truth and what each engine said; relatives are not among them; the same run gives the same ones."""
    held = blobs(written)
    rows = held["index"]["items"]
    assert Counter(row[1] for row in rows) == {"one": SAMPLED, "two": SAMPLED}
    assert not [row for row in rows if "~" in row[0]]
    for place, row in enumerate(rows):
        lines, _, answers = held[f"chunk-{place // held['index']['chunk']}"][place % held["index"]["chunk"]]
        assert lines == [["L1", "1 + 1 = 3"], ["L2", "2"], ["FA", "3"]]
        assert row[7] == [0, row[4]]
        assert [answer[0] for answer in answers] == ["", row[6]]


def test_terminal_tells_the_figures(tmp_path: Path) -> None:
    """The terminal prints engines, intervals and pairs."""
    run = judged_run(tmp_path, count=6)
    text = printed(lambda console: print_verifier(run, console), width=80)
    assert all(words in text for words in ("majority", "hybrid", "1.000", "error-removed", "McNemar"))


@pytest.mark.slow
def test_page_opens_in_a_browser(page: "Page", tmp_path: Path, complaints: list[str]) -> None:
    """The list filters, and an item opens with its lines and answers."""
    tab: Any = page
    open_page(tab, PAGES[4], judged_run(tmp_path, count=6))
    tab.get_by_role("button", name="flawed").first.click()
    tab.locator("#items tbody a").first.click()
    tab.wait_for_selector("#item h1")
    text = tab.locator("#item").inner_text()
    assert "accused by hybrid" in text
    assert "Correct" in text
    assert complaints == []
