"""Tests of the page of evaluation traces in a browser that opens it from disk."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.reports.html.opened_page import OVERFLOWING, open_page
from tests.reports.html.report_pages import PAGES
from tests.reports.stage_records import Stage, seal_stage

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


def test_line_that_differs_shows_both_texts(page: "Page", template_run: Path) -> None:
    """The cause stands beside what the template gives and what the solution says, with the difference marked."""
    open_page(page, TRACES, template_run, "mini-001~careless")
    mismatch = page.locator(".mismatch").first
    assert mismatch.locator(".cause").inner_text() == "punctuation"
    assert mismatch.locator("dd mark").all_inner_texts() == ["!", "."]


def test_dead_variables_are_marked(page: "Page", template_run: Path) -> None:
    """What the answer does not depend on is marked in the graph, the table and the legend."""
    open_page(page, TRACES, template_run, "mini-009~birch")
    assert page.locator(".graph .node.dead").count() == 3
    assert page.locator(".steps .badge", has_text="dead").count() == 3
    assert "dead: the answer does not depend on it" in page.locator(".keys").inner_text()
    assert "the answer does not depend on" in page.locator(".claim.refuted").inner_text()


def test_findings_of_a_claim_are_listed(page: "Page", template_run: Path) -> None:
    """A finding names its line, its cause and what was found."""
    open_page(page, TRACES, template_run, "mini-009~birch")
    assert page.locator(".findings li").all_inner_texts() == ["L2 no such value: found 7, expected 17"]


def test_list_searches_and_filters(page: "Page", template_run: Path) -> None:
    """The box searches ids, models and questions; chips of claims and of tiers narrow each other."""
    open_page(page, TRACES, template_run)
    shown = page.locator("#shown")
    page.fill("#search", "careless")
    by_model = shown.inner_text()
    page.get_by_role("button", name="lines refuted").click()
    refuted = shown.inner_text()
    page.fill("#search", "")
    page.get_by_role("button", name=re.compile("^tier 5")).click()
    page.get_by_role("button", name="structure refuted").click()
    assert (by_model, refuted, shown.inner_text()) == ("2 of 52 traces", "2 of 52 traces", "1 of 52 traces")
    assert page.locator("#traces tbody a").all_inner_texts() == ["mini-048"]


def test_labels_never_leave_their_nodes(page: "Page", tmp_path: Path, templates: Stage) -> None:
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


@pytest.mark.slow
def test_graph_of_sixty_nodes_stays_still(page: "Page", tmp_path: Path, templates: Stage) -> None:
    """A graph taller than the window scrolls in its panel, all of it legible, and nothing moves when one points at it."""
    trace = next(trace for trace in templates["traces"] if trace["problem_id"] == "mini-001")
    entries: list[dict[str, Any]] = []
    for number in range(60):
        reads = [entry["variable"] for entry in entries[-7 if number % 3 else 60 :: 3]]
        role = "answer" if number == 59 else "output" if reads else "question_input"
        more = {"value": str(number), "line": f"L{number // 4 + 1}", "code": " + ".join(reads), "comment": ""}
        entries.append({"variable": f"quantity_{number}", "role": role, "reads": reads, **more})
    stage = {**templates, "traces": [{**trace, "entries": entries, "lines": [], "dead": []}]}
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, TRACES, seal_stage(tmp_path, "template", stage), "mini-001~birch")
    node = page.locator(".graph .node").nth(31)
    node.scroll_into_view_if_needed()
    before = node.locator("text").first.bounding_box()
    node.hover()
    assert node.get_attribute("class") == "node output on"
    assert node.locator("text").first.bounding_box() == before
    assert (page.locator(".graph .node").count(), page.evaluate(OVERFLOWING)) == (60, 0)


@pytest.mark.slow
def test_value_out_of_sight_is_brought_into_view(page: "Page", template_run: Path) -> None:
    """Pointing at a value in the text scrolls the picture in its panel, not the page, to the variable's node."""
    page.set_viewport_size({"width": 1280, "height": 420})
    open_page(page, TRACES, template_run, "mini-007~birch")
    page.locator(".lines").scroll_into_view_if_needed()
    value = page.locator(".lines .mark", has_text="2025").first
    value.hover()
    node = page.locator(".graph .node.on").bounding_box()
    panel = page.locator(".picture").bounding_box()
    assert node is not None
    assert panel is not None
    assert panel["y"] <= node["y"]
    assert node["y"] + node["height"] <= min(panel["y"] + panel["height"], 420)
