"""Tests of the terminal report of the label stage: causes with their first record, cut at the width of the terminal."""

from pathlib import Path

import pytest

from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from reports.terminal.label_stage import print_labels
from tests.reports.terminal.printing import printed


def shown(folder: Path, findings: list[tuple[str, str]], *, width: int = 120) -> list[str]:
    """Return the lines that are printed of a stage with a record for each cause and text."""
    records = [
        {
            "problem_id": "p-1",
            "left": "six#0",
            "status": "CONFIRMED" if cause == "flawed-but-right-answer" else "REFUTED",
            "file": "six",
            "reason": None,
            "findings": [{"line": "L1", "cause": cause, "found": text, "expected": "7"}],
        }
        for cause, text in findings
    ]
    causes = {cause: sum(other == cause for other, _ in findings) for cause, _ in findings}
    counts = {"records": 9, "rejected": 0, "files": {"six": {"CONFIRMED": 8, "REFUTED": 1}}, "causes": {"six": causes}}
    RunFolder(folder).stage("label").seal({"verdicts.jsonl": [], "flagged.jsonl": records}, {"counts": counts})
    return printed(lambda console: print_labels(folder, console), width=width).splitlines()


def test_the_command_prints_a_run_that_has_labels_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run that has labels alone is printed; no other stage is needed."""
    shown(tmp_path, [("wrong-verdict", "1 + 1 = 3")])
    assert main(["report", str(tmp_path)]) == 0
    assert "wrong-verdict" in capsys.readouterr().out


def test_files_and_causes_are_told_most_frequent_first(tmp_path: Path) -> None:
    """Each cause has its count and its first record."""
    lines = shown(tmp_path, [("stale-number", "5"), ("no-such-line", "L9"), ("no-such-line", "L8")])
    assert [line.split() for line in lines if "expected" in line] == [
        ["2", "no-such-line", "p-1", "L1:", "L9;", "expected", "7"],
        ["1", "stale-number", "p-1", "L1:", "5;", "expected", "7"],
    ]


def test_text_of_a_record_is_one_line_within_the_width(tmp_path: Path) -> None:
    """A line break in it is a space, and a long text is cut."""
    lines = shown(tmp_path, [("stale-number", "a\nb" + "x" * 5_000)], width=80)
    assert any("a bxxx" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_a_remark_is_told_from_a_finding_that_refutes(tmp_path: Path) -> None:
    """What was found of a confirmed label leaves it as it is, and says so."""
    lines = shown(tmp_path, [("flawed-but-right-answer", "1.39"), ("stale-number", "5")])
    assert {line.split()[1]: "label stands" in line for line in lines if "expected" in line} == {
        "flawed-but-right-answer": True,
        "stale-number": False,
    }
