"""Tests of the Review page with hostile text: text from any source is shown as text."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.json_lines import write_lines
from tests.reports.app.reviewing import ROOT, Server, Tab, Tabs
from tests.reports.stage_records import mutation_records

HOSTILE = (
    '</textarea></script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">'
    "](javascript:window.hacked=1) $\\LaTeX$ :red[x] `code` 🎲 \u202eLTR\u202c\u2028 "
)
SHORT = '<img src=x onerror="window.hacked=1">](javascript:1) $x$ :red[x] \u202e'
LONG = "unbroken" * 400
TEXTS = {"question", "solution", "flawed_solution", "explanation", "correction", "from", "to", "before", "after"}
NAMES = {"problem_id", "flaw_id", "model", "operator", "position", "mutation_type", "variable"}


def hostile(value: Any, key: str = "") -> Any:
    """Return a record with hostile text in every field that is read as text, and a very long word in the longest."""
    if isinstance(value, dict):
        return {name: item if name == "certificate" else hostile(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [hostile(item, key) for item in value]
    if not isinstance(value, str):
        return value
    if key in TEXTS | {"reasons", "edits"}:
        *lines, last = value.split("\n")
        last = last if key.endswith("solution") else f"{last} {HOSTILE}{LONG}"
        return "\n".join([*(f"{line} {HOSTILE}" for line in lines), last])
    return f"{value}{SHORT}" if key in NAMES else value


READ = f"""() => {{ const page = {ROOT}.querySelector(".review").cloneNode(true);
  page.querySelectorAll(".backdrop").forEach(one => one.remove()); return page.textContent; }}"""
"""What is read on the page: behind each field stands its text once more, exactly as it is, to give it its height."""


@pytest.fixture(scope="module")
def hostile_server(serve: "Callable[..., Server]", tmp_path_factory: pytest.TempPathFactory) -> "Server":
    """Return a server on a folder of hostile candidates, whose names are hostile too."""
    folder: Path = tmp_path_factory.mktemp("hostile") / "<img src=x onerror=alert(1)>"
    folder.mkdir()
    records = [hostile(record) for record in mutation_records()["conceptual"][::12]]
    write_lines(folder / "conceptual.jsonl", records)
    return serve("--candidates-dir", str(folder))


def runs_nothing(tab: "Tab") -> None:
    """Assert that no hostile text became more than text, in the page or in the component."""
    assert tab.page.evaluate("window.hacked") is None
    assert tab.page.locator("img, [onerror], a[href^=javascript], .review script, .katex").count() == 0


@pytest.mark.slow
def test_every_field_shows_hostile_text_as_text(tabs: "Tabs", hostile_server: "Server") -> None:
    """Candidates, reviewer, typed text, notes: nothing runs, nothing is fetched, fields hold exactly what the record does."""
    asked: list[str] = []
    name = f"Ada {HOSTILE[:60]}"
    tab = tabs(hostile_server, name)
    tab.page.on("request", lambda request: asked.append(request.url))
    for _ in range(6):
        before = tab.candidate
        text = tab.page.evaluate(READ)
        assert text.count("</textarea></script><script>window.hacked=1</script><img src=x") > 5
        assert "\u202e" not in text
        assert "<U+202E>" in text
        assert HOSTILE.rstrip() in tab.erroneous.input_value()
        runs_nothing(tab)
        tab.page.keyboard.insert_text(HOSTILE)
        tab.saved()
        tab.press("Alt+r", "6")
        tab.page.keyboard.insert_text(HOSTILE)
        tab.press("Enter")
        tab.moves_on(before)
        runs_nothing(tab)
    tab.saved()
    assert tab.entries()[-1].note.startswith("</textarea></script><script>")
    assert [address for address in asked if not address.startswith((hostile_server.url, "data:", "blob:"))] == []
    assert "Traceback" not in hostile_server.log
