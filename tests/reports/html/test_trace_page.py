"""Tests of the page of evaluation traces in a browser that opens it from disk."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.reports.html.opened_page import OVERFLOWING, open_page
from tests.reports.html.report_pages import PAGES
from tests.reports.stage_records import seal_stage, template_records

if TYPE_CHECKING:
    from playwright.sync_api import Page

TRACES = PAGES[1]


def test_trace_opens_by_its_address(page: "Page", template_run: Path, complaints: list[str]) -> None:
    """`#/trace/<problem>~<model>` shows question, lines, graph, claims and table."""
    open_page(page, TRACES, template_run, "mini-007~birch")
    text = page.locator("#trace").inner_text()
    wanted = ["A charity run has a budget of $2,750.", "✓ structure", "L5", "question input: $12 each", "45 * 12"]
    assert [words for words in wanted if words not in text] == []
    assert page.locator(".graph .node").count() == 12
    assert page.locator(".graph .edge").count() == 11
    assert page.locator(".lines li").nth(3).inner_text().split("\n")[-1].startswith("Of the $2,750 they keep 2750-900")
    assert complaints == []


@pytest.mark.parametrize("way", ["hover", "focus", "node"])
def test_pointing_at_a_value_marks_its_variable(page: "Page", template_run: Path, way: str) -> None:
    """Its node, its other places, and the edges to what it comes from and leads to are marked; leaving unmarks."""
    open_page(page, TRACES, template_run, "mini-001~birch")
    value = page.locator(".lines .mark", has_text="82").first
    if way == "hover":
        value.hover()
    elif way == "focus":
        value.focus()
    else:
        page.locator(".graph .node", has_text="all_seedlings").hover()
    names = [page.locator(f".graph .node.{kind} .name").all_text_contents() for kind in ("on", "up", "down")]
    assert names[0] == ["all_seedlings"]
    assert len(names[1]) == 6
    assert set(names[2]) == {"left", "answer"}
    assert page.locator(".lines .mark.on").all_inner_texts() == ["82"] * 4
    assert (page.locator(".edge.up").count(), page.locator(".edge.down").count()) == (6, 2)
    assert "comes from 6 · leads to 2 · output" in page.locator(".reading").inner_text()
    page.mouse.move(1, 1)
    page.evaluate("document.activeElement.blur()")
    assert page.locator(".on, .up, .down").count() == 0


def test_labels_never_leave_their_nodes(page: "Page", tmp_path: Path) -> None:
    """Names and values that are long, wide, combining or right-to-left are cut with an ellipsis; the title has them whole."""
    names = [
        "x" * 5000,
        "日本語" * 30,
        "﷽" * 12,
        "e\u0301" * 60,
        "العربية" * 9,
        "👩\u200d👩\u200d👧" * 20,
        "m",
        "W" * 28,
    ]
    templates = template_records()
    trace = next(trace for trace in templates["traces"] if trace["problem_id"] == "mini-001")
    inputs = [
        {"variable": name, "value": name[::-1], "role": "input", "line": "L1", "code": "", "comment": "", "reads": []}
        for name in names
    ]
    answer = {**inputs[0], "variable": "a" * 60, "role": "answer", "line": "FA", "code": "x", "reads": names}
    stage = {**templates, "traces": [{**trace, "entries": [*inputs, answer], "lines": [], "dead": []}]}
    open_page(page, TRACES, seal_stage(tmp_path, "template", stage), "mini-001~birch")
    assert page.evaluate(OVERFLOWING) == 0
    assert page.locator(".graph .node .name").nth(7).text_content() != ""
    assert page.locator(".graph .node title").first.text_content() == f"{names[0]} = {names[0][::-1]}"
    assert page.locator(".graph .name").first.text_content().endswith("…")  # type: ignore[union-attr]  # it has text
