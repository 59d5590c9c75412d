"""Tests of the command `oracle-factory smt repair`: rows of tables and JSON lines, and files that it cannot read."""

import csv
import json
from pathlib import Path

import pytest

from oracle_factory.command import main
from tests.json_lines import read_lines

BROKEN = "(declare-const x Int)\n(assert (x > 3))\n(check-sat)\n"


def test_the_command_gives_a_row_for_each_row(tmp_path: Path) -> None:
    """Rows come out in order with their other columns, from CSV and to it; the exit status tells whether faults are left, which none is by default."""
    source, target = tmp_path / "broken.csv", tmp_path / "out" / "repaired.csv"
    programs = [BROKEN, BROKEN.replace("x > 3", "> x 3"), "nothing"]
    with source.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["problem", "reasoning", "program", "reason"])
        writer.writerows([f"p{number}", "r, s", program, "odd"] for number, program in enumerate(programs))
    assert main(["smt", "repair", str(source), "-o", str(target)]) == 0
    with target.open(newline="") as file:
        kept = [(row["by"], row["kept"], row["certain"]) for row in csv.DictReader(file)]
    assert kept == [
        ("edits", "1 of 1 assertions", "true"),
        ("none", "1 of 1 assertions", "true"),
        ("partial", "0 of 0 assertions", "false"),
    ]
    assert main(["smt", "repair", str(source), "-o", str(target), "--no-guarantee"]) == 1
    with target.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["problem"] for row in rows] == ["p0", "p1", "p2"]
    assert [(row["repaired"], row["by"]) for row in rows] == [("true", "edits"), ("false", "none"), ("false", "none")]
    assert json.loads(rows[0]["edits"])[0]["after"] == "(> x 3)"
    assert rows[1]["program"] == programs[1]


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_row_that_is_none_comes_out_too(tmp_path: Path, suffix: str) -> None:
    """What is no record, has too few cells or too many, or no text for a program, is a row that is left with its faults."""
    source, target = tmp_path / f"rows.{suffix}", tmp_path / "repaired.jsonl"
    first = json.dumps({"problem": "p0", "program": BROKEN})
    rows = {
        "csv": f'problem,program\np0,"{BROKEN}"\np1\np2,a,b\np3,\n',
        "jsonl": f'{first}\n{{"problem": "p1"}}\n{{"problem":\n{{"problem": "p3", "program": [3]}}\n',
    }
    source.write_text(rows[suffix])
    assert main(["smt", "repair", str(source), "-o", str(target), "--no-guarantee"]) == 1
    found = read_lines(target)
    assert [row.get("problem") for row in found] == ["p0", None if suffix == "csv" else "p1", None, "p3"]
    assert [row["repaired"] for row in found] == [True, False, False, False]
    assert [row["program"] for row in found[1:]] == ["", "", ""]
    assert [bool(row.get("unreadable")) for row in found] == [False, suffix == "csv", True, False]
