"""`oracle-factory verify` by programs that are judged for it: once, of the right problems, and refused by name where they cannot be used."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from harness.errors import HarnessError
from oracle_factory import verify
from oracle_factory.command import main
from tests.cases import cases

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

QUESTION = "A shelf holds 14 boxes of 9 pens. 31 pens are sold. How many pens are left?"
OTHER = "A rope of 40 m is cut into 8 parts. How long is a part?"
RIGHT = "14 * 9 = 126\n126 - 31 = 95\n#### 95"
WRONG = "14 + 9 = 23\n31 - 23 = 8\n#### 8"
PROGRAMS = (
    "def solve(boxes: int = 14, pens: int = 9, sold: int = 31):\n    return boxes * pens - sold",
    "def solution():\n    boxes = 14\n    pens = 9\n    held = boxes * pens\n    sold = 31\n    return held - sold",
)
SOLUTIONS = [
    {"problem_id": "pens", "question": QUESTION, "solution": RIGHT},
    {"problem_id": "pens", "question": QUESTION, "solution": WRONG},
    {"problem_id": "rope", "question": OTHER, "solution": "40 / 8 = 5\n#### 5"},
]
ANSWERS = [{"problem_id": "pens", "model": f"m{place}", "response": code} for place, code in enumerate(PROGRAMS)]


def _file(path: Path, records: Sequence[dict[str, Any]]) -> str:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return str(path)


def test_programs_are_judged_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs are judged in a folder beside them, which a second call and `--oracles` read; what they do not cover is not judged."""
    solutions, answers = _file(tmp_path / "solutions.jsonl", SOLUTIONS), _file(tmp_path / "answers.jsonl", ANSWERS)
    assert main(["verify", solutions, "--formalizations", answers]) == 1
    first = capsys.readouterr()
    verdicts = [json.loads(line) for line in first.out.splitlines()]
    assert [record["verdict"] for record in verdicts] == ["Correct", "Flawed", None]
    assert verdicts[1]["error_details"]["erroneous_line_number"] == "L1"
    assert verdicts[2]["error"].startswith("no judged program is about this question")
    assert "agree on 1 of 1 problems" in first.err
    (run,) = tmp_path.glob("answers-*")
    sealed = (run / "formalization" / "manifest.json").stat().st_mtime_ns
    assert main(["verify", solutions, "--formalizations", answers, "--quiet"]) == 1
    assert capsys.readouterr().out == first.out
    assert main(["verify", solutions, "--oracles", str(run), "--quiet"]) == 1
    assert capsys.readouterr().out == first.out
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO((tmp_path / "solutions.jsonl").read_bytes())))
    assert main(["verify", "-", "--formalizations", answers, "--corpus", solutions, "--quiet"]) == 1
    assert capsys.readouterr().out == first.out
    assert list(tmp_path.glob("answers-*")) == [run]
    assert (run / "formalization" / "manifest.json").stat().st_mtime_ns == sealed


def test_no_worked_solution_decides_the_oracle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The answer that a record states, right or wrong, does not change the oracle or its confidence."""
    answers = _file(tmp_path / "answers.jsonl", ANSWERS)
    judged = []
    for place, more in enumerate(({}, {"answer": "8"}, {"gold_solution": WRONG})):
        solutions = _file(tmp_path / f"{place}.jsonl", [SOLUTIONS[1] | more])
        assert main(["verify", solutions, "--formalizations", answers, "--quiet"]) == 0
        judged.append(capsys.readouterr().out)
    assert len(set(judged)) == 1


UNKNOWN = [{**answer, "problem_id": "hats"} for answer in ANSWERS]
SILENT = [{**answer, "response": "I do not know."} for answer in ANSWERS]
TWICE = [SOLUTIONS[0], {**SOLUTIONS[2], "problem_id": "pens"}]
NAMELESS = [{"question": QUESTION, "solution": RIGHT}]


@cases(
    ("solutions", "answers", "message"),
    [
        pytest.param(
            SOLUTIONS, UNKNOWN, "programs name 'hats', and ids of problems look like 'pens'", id="other problem"
        ),
        pytest.param(NAMELESS, ANSWERS, "no record has a problem_id; give the problems", id="solutions without ids"),
        pytest.param(TWICE, ANSWERS, "the id 'pens' stands at two questions", id="an id of two questions"),
        pytest.param(SOLUTIONS, SOLUTIONS, "holds no program; the first record: malformed-record", id="no programs"),
        pytest.param(SOLUTIONS, SILENT, "on none of the 1 problems programs agree", id="answers without a program"),
    ],
)
def test_programs_that_cannot_be_used(
    solutions: list[dict[str, Any]],
    answers: list[dict[str, Any]],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The message says why the programs cannot be used, and nothing is judged."""
    files = _file(tmp_path / "solutions.jsonl", solutions), _file(tmp_path / "answers.jsonl", answers)
    assert main(["verify", files[0], "--formalizations", files[1]]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert not printed.out


def test_options_that_do_not_go_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without a sealed run, two sources of programs, a corpus without programs and a pipe without a corpus are refused by name."""
    solutions, answers = _file(tmp_path / "solutions.jsonl", SOLUTIONS), _file(tmp_path / "answers.jsonl", ANSWERS)
    for arguments, message in (
        (["--oracles", str(tmp_path)], "holds no sealed run of judged programs"),
        (["--oracles", "r", "--formalizations", answers], "expected one of --oracles and --formalizations"),
        (["--corpus", solutions], "goes with --formalizations alone"),
    ):
        assert main(["verify", solutions, *arguments]) == 2
        assert message in capsys.readouterr().err
    assert main(["verify", "-", "--formalizations", answers]) == 2
    assert "a pipe is read once" in capsys.readouterr().err


def test_what_text_alone_does_not_cover(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without programs the default engine says that its Correct does not cover wrong steps of true arithmetic."""
    assert main(["verify", _file(tmp_path / "solutions.jsonl", SOLUTIONS)]) == 0
    assert "Correct does not cover wrong steps of true arithmetic" in capsys.readouterr().err


def test_programs_in_python(tmp_path: Path) -> None:
    """`verify` takes the programs of a problem as texts, records or a file; those of two problems are refused."""
    for given in (PROGRAMS, ANSWERS, _file(tmp_path / "answers.jsonl", ANSWERS)):
        assert verify(QUESTION, RIGHT, formalizations=given).flawed is False
        wrong = verify(QUESTION, WRONG, formalizations=given)
        assert (wrong.flawed, wrong.line) == (True, "L1")
    with pytest.raises(HarnessError, match="expected programs of one problem, found programs of 'hats' and 'pens'"):
        verify(QUESTION, RIGHT, formalizations=[*ANSWERS, *UNKNOWN])
    with pytest.raises(HarnessError, match="expected one of oracles and formalizations"):
        verify(QUESTION, RIGHT, formalizations=PROGRAMS, oracles=tmp_path)
    with pytest.raises(HarnessError, match="found none"):
        verify(QUESTION, RIGHT, formalizations=[])
