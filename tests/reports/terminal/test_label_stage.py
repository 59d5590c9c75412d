"""Tests of the terminal report of the label stage: it shows the findings and foreign text as text."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from harness.store.run_folder import RunFolder
from reports.terminal.label_stage import print_labels
from reports.views.artefacts import NotSealedError


def flagged(cause: str, said: str, *, problem_id: str = "p-1") -> dict[str, Any]:
    """Return a record with one finding."""
    finding = {"line": "L1", "cause": cause, "found": said, "expected": "7"}
    return {
        "problem_id": problem_id,
        "left": "six#0",
        "status": "REFUTED",
        "file": "six",
        "reason": None,
        "findings": [finding],
    }


def sealed(folder: Path, records: list[dict[str, Any]], causes: dict[str, int]) -> Path:
    """Seal a label stage."""
    counts = {"records": 9, "rejected": 0, "files": {"six": {"CONFIRMED": 8, "REFUTED": 1}}, "causes": {"six": causes}}
    RunFolder(folder).stage("label").seal({"verdicts.jsonl": [], "flagged.jsonl": records}, {"counts": counts})
    return folder


def shown(run: Path, width: int = 120) -> str:
    """Return what is printed."""
    stream = io.StringIO()
    print_labels(run, Console(file=stream, width=width, force_terminal=False))
    return stream.getvalue()


def test_files_and_causes_are_told_most_frequent_first(tmp_path: Path) -> None:
    """Each cause with its first record."""
    records = [flagged("stale-number", "5"), flagged("no-such-line", "L9"), flagged("no-such-line", "L8")]
    lines = shown(sealed(tmp_path, records, {"stale-number": 1, "no-such-line": 2})).splitlines()
    told = [line.split() for line in lines if "expected" in line]
    assert [one[:2] for one in told] == [["2", "no-such-line"], ["1", "stale-number"]]
    assert told[0][2:] == ["p-1", "L1:", "L9;", "expected", "7"]


@pytest.mark.parametrize("text", ["[red]x[/red]", "\x1b[31mx", "\u202ex", "a\nb", "[/]"])
def test_foreign_text_is_shown_and_not_acted_on(tmp_path: Path, text: str) -> None:
    """No markup, no control characters, one line."""
    output = shown(sealed(tmp_path, [flagged("stale-number", text)], {"stale-number": 1}))
    line = next(line for line in output.splitlines() if "stale-number" in line)
    assert "expected 7" in line
    assert not {"\x1b", "\u202e"} & set(output)
    assert text.startswith("[") <= (text in line)


def test_a_line_is_cut_at_the_terminals_width(tmp_path: Path) -> None:
    """However long a finding is."""
    output = shown(sealed(tmp_path, [flagged("stale-number", "x" * 5_000)], {"stale-number": 1}), width=80)
    assert max(map(len, output.splitlines())) <= 80


def test_a_stage_that_is_not_sealed_is_one_message(tmp_path: Path) -> None:
    """It names the command."""
    (tmp_path / "label").mkdir()
    (tmp_path / "label" / "flagged.jsonl").write_text(json.dumps({}))
    with pytest.raises(NotSealedError, match="pytest -n auto -m label"):
        shown(tmp_path)
