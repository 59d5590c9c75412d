"""Tests of the page of audited labels: all counts, every record in doubt, and hostile text as data."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from oracle_factory.command import main
from reports.views.artefacts import NotSealedError, TamperedError
from tests.cases import cases
from tests.reports.embedded import BLOB, blobs, strings
from tests.reports.hostile import ACTING, HOSTILE, SHOWN
from tests.reports.html.opened_page import listed, open_page
from tests.reports.html.report_pages import LABELS
from tests.reports.stage_records import seal_stage

if TYPE_CHECKING:
    from playwright.sync_api import Page


def flagged(number: int, text: str = "") -> dict[str, Any]:
    """Return a record in doubt: every third cannot be read, every other third has no finding."""
    kinds = number % 3
    finding = {"line": "L2", "cause": f"stale-number{text}", "found": f"5{text}", "expected": f"7{text}"}
    record = {
        "problem_id": f"p-{number}{text}",
        "left": f"six#{number}{text}",
        "status": ("REFUTED", "UNKNOWN", "CONFIRMED")[kinds],
        "reason": f"unread: no such form{text}",
        "file": f"six{text}",
        "findings": [] if kinds == 1 else [finding],
    }
    if kinds == 1:
        return record
    label = {"said": "flawed", "error_type": f"slip{text}", "line": "L2", "explanation": f"Because.{text}"}
    lines = [f"2 + 3 = 5{text}", f"5 + 1 = 7{text}"]
    return {**record, "label": label, "lines": lines, "answer": f"7{text}", "before": 2}


@cases("text", ["", HOSTILE])
def test_page_holds_every_record_in_doubt(tmp_path: Path, text: str) -> None:
    """Each text of each record can be read back, the counts are those of the manifest, and nothing of it is markup."""
    records = [flagged(number, text) for number in range(40)]
    page = LABELS.text(seal_stage(tmp_path / "run", "label", {"flagged": records}, label=text))
    held = blobs(page)
    texts = {held_text.replace("\ufffd", "\ud800") for held_text in strings(held)}
    wanted = {value for record in records for value in strings(list(record.values()))} - {
        "REFUTED",
        "UNKNOWN",
        "CONFIRMED",
    }
    wanted -= {record["reason"] for record in records if not record["reason"]}
    fields = {"said", "error_type", "line", "explanation", "cause", "found", "expected"}
    assert wanted - fields <= texts
    index = held["index"]
    assert (index["records"], index["flagged"], len(index["labels"])) == (9, 40, 40)
    assert index["files"] == [[f"six{text}", [2, 0, 7]]]
    assert sum(size for _, sizes in index["causes"] for _, size in sizes) == 3
    assert "<img" not in BLOB.sub("", page)
    assert not ACTING & set(BLOB.sub("", page))


def test_long_list_is_cut_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page lists so many records at most and knows how many there are."""
    monkeypatch.setattr("reports.html.labels_page.MOST_LISTED", 7)
    run = seal_stage(tmp_path / "run", "label", {"flagged": [flagged(number) for number in range(9)]})
    index = blobs(LABELS.text(run))["index"]
    assert (index["flagged"], len(index["labels"])) == (9, 7)


def test_broken_stage_has_no_page(tmp_path: Path) -> None:
    """A stage that is missing, changed, or no record of the class is refused."""
    (tmp_path / "bare").mkdir()
    with pytest.raises(NotSealedError, match="no label stage"):
        LABELS.write(tmp_path / "bare")
    run = seal_stage(tmp_path / "odd", "label", {"flagged": [{**flagged(0), "lines": 7}]})
    with pytest.raises(TamperedError, match=r"flagged\.jsonl:1: lines"):
        LABELS.write(run)
    run = seal_stage(tmp_path / "run", "label", {"flagged": [flagged(0)]})
    with (run / "label" / "flagged.jsonl").open("a") as stream:
        stream.write(f"{json.dumps(flagged(1))}\n")
    with pytest.raises(TamperedError, match="expected sha256"):
        LABELS.write(run)


def test_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`report RUN --labels` prints the path of the page."""
    run = seal_stage(tmp_path / "run", "label", {"flagged": [flagged(0)]})
    assert main(["report", str(run), "--labels"]) == 0
    assert str(run / "report" / "labels.html") in capsys.readouterr().out


def test_reader_finds_what_speaks_against_a_label(page: "Page", complaints: list[str], tmp_path: Path) -> None:
    """The filters narrow the list; a record shows its label, its lines with the wrong one marked, and its findings."""
    run = seal_stage(tmp_path / "run", "label", {"flagged": [flagged(number, HOSTILE) for number in range(6)]})
    open_page(page, LABELS, run)
    assert listed(page) == 6
    page.locator("#filters .chip", has_text="unknown").click()
    assert listed(page) == 2
    page.locator("#filters .chip", has_text="all").first.click()
    page.locator("table.problems tbody a").first.click()
    page.wait_for_selector("#label h1")
    text = page.locator("#label").inner_text()
    for words in ("flawed", "slip", "Because.", "2 + 3 = 5", "stale-number", SHOWN):
        assert words in text
    assert page.locator(".judged-line.wrong .place").all_inner_texts() == ["L2"]
    page.evaluate("location.hash = '#/label/nowhere'")
    page.wait_for_selector("#notice:not([hidden])")
    assert "no label nowhere" in page.locator("#notice").inner_text()
    assert complaints == []
