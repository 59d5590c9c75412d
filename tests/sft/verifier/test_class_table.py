"""`oracle-factory verify --reference`: a class's answers to one problem, a row a pupil, in the terminal, as CSV and as JSON lines."""

import csv
import json
from pathlib import Path

import pytest

from oracle_factory.command import main
from tests.cases import cases
from tests.json_lines import read_lines, write_lines

QUESTION = "A shelf holds 14 boxes of 9 pens. 31 pens are sold. How many pens are left?"
WORKED = "14 * 9 = 126 pens\n126 - 31 = 95 pens\n#### 95"
PUPILS = {
    "Ada": "14 * 9 = 126\n126 - 31 = 95",
    "=Bo": "14 * 9 = 126\n126 + 31 = 157",
    "[red]Cy": "",
    "Dee": "I do not know.",
    "Eve": "14 * 9 = 126\n126 - 31 = 95\n" + "and so on " * 12_000,
}


def _class(tmp_path: Path, *, question: str = QUESTION, suffix: str = "jsonl") -> list[str]:
    file, worked = tmp_path / f"class.{suffix}", tmp_path / "worked.txt"
    records = [{"name": name, "question": question, "solution": text} for name, text in PUPILS.items()]
    if suffix == "csv":
        with file.open("w", encoding="utf-8", newline="") as lines:
            table = csv.DictWriter(lines, list(records[0]))
            table.writeheader()
            table.writerows(records)
    else:
        write_lines(file, records)
    worked.write_text(WORKED, encoding="utf-8")
    return ["verify", str(file), "--reference", str(worked)]


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_row_a_pupil(tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str) -> None:
    """Each pupil has a row in the order of the file: the first wrong line, its kind and the correction; the status says that some were not judged."""
    assert main(_class(tmp_path, suffix=suffix)) == 1
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[1][:2] == ["Ada", "right"]
    assert " ".join(rows[2]) == "=Bo wrong L2 126 + 31 = 157 operator swap 126 - 31 = 95"
    assert rows[3][:4] == ["[red]Cy", "wrong", "answer", "(empty)"]
    assert rows[4][:3] == ["Dee", "not", "judged"]
    assert rows[5][:3] == ["Eve", "not", "judged"]


def test_the_table_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`-o` writes CSV, in which no cell is a formula, or JSON lines with the name of each pupil; `-` prints these alone."""
    asked = _class(tmp_path)
    assert main([*asked, "-o", str(tmp_path / "class.csv"), "--quiet"]) == 1
    assert not capsys.readouterr().out
    with (tmp_path / "class.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["pupil"] for row in rows] == ["Ada", "'=Bo", "[red]Cy", "Dee", "Eve"]
    assert rows[1]["correction"] == "126 - 31 = 95"
    assert main([*asked, "-o", "-"]) == 1
    records = read_lines(capsys.readouterr().out)
    assert [record["pupil"] for record in records] == list(PUPILS)
    assert records[1]["error_details"]["correction"] == "126 - 31 = 95"
    assert main([*asked, "-o", "-", "--type-names", "original"]) == 1
    named = read_lines(capsys.readouterr().out)
    assert named[1]["error_details"]["error_type"] == records[1]["error_details"]["alias"] == "incorrect_operation"
    assert "alias" not in named[1]["error_details"]


@cases(
    ("records", "worked", "message"),
    [
        pytest.param([{"question": QUESTION, "solution": "1"}, {"question": "How?", "solution": "1"}], WORKED, "the questions of record 1 and record 2 differ", id="two questions"),
        pytest.param([{"question": QUESTION, "solution": "1"}], '{"question": "How?", "solution": "#### 1"}', "and record 1 differ", id="another question"),
        pytest.param([{"solution": "1"}], WORKED, "no record has a question", id="no question"),
        pytest.param([{"question": QUESTION, "text": "1"}], WORKED, "no solution in the fields 'question', 'text'; name its field by --solution-field", id="missing column"),
        pytest.param([{"question": QUESTION, "solution": "1"}], "By hand.", "no answer of the worked solution is read", id="no answer"),
        pytest.param([{"question": QUESTION, "solution": "1"}], '{"question": "How?"}', "no solution in the fields", id="no worked solution"),
        pytest.param([{"question": QUESTION, "solution": "1"}], '{"solution": "#### 1"}\n{"solution": "#### 1"}', "found 2 records", id="two records"),
        pytest.param([], WORKED, "the file is empty", id="empty file"),
    ],
)  # fmt: skip
def test_a_class_that_cannot_be_judged(
    records: list[dict[str, str]], worked: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message says what is wrong, and nothing is printed."""
    asked = _class(tmp_path)
    write_lines(tmp_path / "class.jsonl", records)
    (tmp_path / "worked.txt").rename(tmp_path / "worked")
    (tmp_path / "worked").write_text(worked, encoding="utf-8")
    assert main([*asked[:3], str(tmp_path / "worked")]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert not printed.out


def test_the_question_of_the_reference(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A record as reference brings the question; a file that is missing is named."""
    worked = tmp_path / "worked.jsonl"
    worked.write_text(json.dumps({"question": QUESTION, "answer": WORKED}), encoding="utf-8")
    file = tmp_path / "class.jsonl"
    file.write_text(json.dumps({"id": 7, "solution": PUPILS["Ada"]}), encoding="utf-8")
    assert main(["verify", str(file), "--reference", str(worked)]) == 0
    assert "7" in capsys.readouterr().out
    assert main(["verify", str(file), "--reference", str(tmp_path / "none")]) == 2
    assert "cannot be read" in capsys.readouterr().err
