"""Tests of what reports show of causes of refutations and of oracles that may need rounding."""

import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from reports.html.formalization_page import write_report
from reports.terminal.formalization_stage import print_findings, print_summary
from reports.terminal.problem import print_problem
from tests.reports.embedded import blobs, strings
from tests.reports.stage_records import formalization_records, seal_stage
from tests.reports.terminal.printing import printed, words

if TYPE_CHECKING:
    from playwright.sync_api import Page

SENTENCE = (
    "may need rounding: the question asks for a whole number (pack), but with cans = 31 the oracle gives 31/6; "
    "outside the clique, cyd differs by rounding"
)


def _cause(kind: str) -> dict[str, Any]:
    return {"kind": kind, "basis": "proved", "method": "normal-form", "checked": 1, "inputs": ["b"]}


@pytest.fixture
def doubtful_run(tmp_path: Path) -> Path:
    """Return a run whose second problem may need rounding, and whose first has refuted pairs of two causes, one uncounted."""
    records = copy.deepcopy(formalization_records())
    refuted, unknown = records["verdicts"][-2:]
    refuted.update(cause=_cause("rounding"), witness="extreme")
    unknown.update(status="REFUTED", cause=_cause("unused_input"), counterexample=refuted["counterexample"])
    first, second = records["consensus"]
    first["dissenters"][0]["cause"] = "rounding"
    first["counted"] = ["logic", "rounding"]
    first["pairs"].append({"left": "bob", "right": "cyd", "score": 0.5, "uncounted": "unused_input"})
    finding = {"kind": "may need rounding", "asked": "pack", "inputs": {"cans": "31"}, "value": "31/6"}
    second.update(
        findings=[{**finding, "dissenters": ["cyd"]}], oracle="ada", clique=["ada"], clique_size=1, confidence=0.9
    )
    second["counted"] = ["logic", "rounding"]
    return seal_stage(tmp_path / "runs" / "doubtful", "formalization", records)


def test_the_summary_counts_causes_and_lists_rounding_first(doubtful_run: Path) -> None:
    """Each cause has its pairs, how they were decided and whether it counts; the surer problem comes first for its finding."""
    lines = words(printed(lambda console: print_summary(doubtful_run, console), width=400))
    assert {
        "rounding 1 1 · never",
        "unused input 1 1 · they may be (--harness-strict=no)",
        "UT-3 p-1 1~3 rounding: left 7, right 5 at b = 1",
        "0.80 p-1 clique of 2 of 3 readable; cyd dissents (rounding): not equivalent",
    } <= set(lines)
    place = lines.index("Least sure, 1 that may need rounding first")
    assert lines[place + 1].startswith(f"0.90 p-2 {SENTENCE}")


def test_every_finding_states_its_cause(doubtful_run: Path) -> None:
    """A refuted pair is printed with its cause, how sure it is, and that its values are extreme."""
    text = printed(lambda console: print_findings(doubtful_run, console), width=400)
    assert "left 7, right 5 (extreme values); cause: rounding, proved" in text
    assert "left 7, right 5; cause: unused input, proved" in text


def test_a_problem_says_what_was_not_counted(doubtful_run: Path) -> None:
    """The clique of a problem is printed with the refuted pairs that it holds and with its finding."""
    first, second = (
        printed(lambda console, name=name: print_problem(doubtful_run, name, console), width=400)
        for name in ("p-1", "p-2")
    )
    assert "not counted: bob ~ cyd differ, cause: unused input" in first
    assert SENTENCE in second


def test_the_page_holds_causes_and_findings(doubtful_run: Path) -> None:
    """The page embeds the causes with their counts and the finding in a sentence."""
    held = blobs(write_report(doubtful_run).read_text(encoding="utf-8"))
    index = held["index"]
    assert [row[0] for row in index["problems"]] == ["p-2", "p-1"]
    assert index["cause_counts"] == [["rounding", 1, 1, 0, True], ["unused input", 1, 1, 0, False]]
    assert SENTENCE in set(strings(held))


@pytest.mark.slow
def test_the_page_filters_by_cause(page: "Page", complaints: list[str], doubtful_run: Path) -> None:
    """Problems are filtered by the cause of a refuted pair and by the finding; a pair shows its cause."""
    page.goto(write_report(doubtful_run).as_uri())
    page.get_by_role("button", name="refuted: unused input").click()
    assert page.locator("#problems tbody tr").count() == 1
    page.get_by_role("button", name="any cause").click()
    page.get_by_role("button", name="may need rounding").click()
    assert page.locator("#problems tbody a").all_inner_texts() == ["p-2"]
    page.goto(page.url.partition("#")[0] + "#/problem/p-1")
    page.wait_for_selector(".badge.cause")
    assert {"rounding", "unused input"} <= set(page.locator(".badge.cause").all_inner_texts())
    assert complaints == []
