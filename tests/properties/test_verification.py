"""`oracle-factory verify` by programs that are judged for it: once, of the right problems, and refused by name where they cannot be used."""

import io
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness.errors import HarnessError
from oracle_factory import verify, verify_many
from oracle_factory.command import main
from tests.cases import cases
from tests.generators.formalizations.llm_formalizers.formalizing_server import FormalizingServer
from tests.json_lines import read_lines, write_lines

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
    return str(write_lines(path, records))


def test_programs_are_judged_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Programs are judged in a folder beside them, which a second call and `--oracles` read; what they do not cover is not judged."""
    solutions, answers = _file(tmp_path / "solutions.jsonl", SOLUTIONS), _file(tmp_path / "answers.jsonl", ANSWERS)
    assert main(["verify", solutions, "--formalizations", answers]) == 1
    first = capsys.readouterr()
    verdicts = read_lines(first.out)
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
        (SOLUTIONS, UNKNOWN, "programs name 'hats', and ids of problems look like 'pens'"),
        (NAMELESS, ANSWERS, "no record has a problem_id; give the problems"),
        (TWICE, ANSWERS, "the id 'pens' stands at two questions"),
        (SOLUTIONS, SOLUTIONS, "holds no program; the first record: malformed-record"),
        (SOLUTIONS, SILENT, "on none of the 1 problems programs agree"),
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


def test_models_are_asked_for_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model's programs judge the solutions: the price is shown before, a paid one needs a budget, and nothing is asked twice."""
    pytest.importorskip("openai", reason="asking models is optional")
    files = [_file(tmp_path / "solutions.jsonl", SOLUTIONS[:2]), "--store", str(tmp_path / "answers.sqlite")]
    told = iter(PROGRAMS)
    models = ["--models", "openai:gpt-4.1-mini,openai:gpt-4.1-nano"]
    with FormalizingServer(lambda _: next(told)) as server:
        for name, value in server.variables.items():
            monkeypatch.setenv(name, value)
        assert main(["verify", *files, *models]) == 2
        refused = capsys.readouterr()
        assert "at most" in refused.err
        assert "--budget: expected the most that the answers may cost" in refused.err
        assert not server.asked
        assert main(["verify", *files, *models, "--budget", "1"]) == 0
        printed = capsys.readouterr()
        assert [record["verdict"] for record in read_lines(printed.out)] == ["Correct", "Flawed"]
        assert "programs agree on 1 of 1 problems" in printed.err
        assert main(["verify", *files, *models]) == 0
        assert capsys.readouterr().out == printed.out
        assert len(server.asked) == 2
    assert (tmp_path / "solutions-programs.jsonl").is_file()


def test_questions_without_ids_are_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Solutions of several questions that have no ids, or one id, are judged by programs of their own question."""
    pytest.importorskip("openai", reason="asking models is optional")
    records = [{**TWICE[0]}, {**TWICE[1]}, {"question": QUESTION.replace("14", "15"), "solution": RIGHT}]
    files = [_file(tmp_path / "solutions.jsonl", records), "--store", str(tmp_path / "answers.sqlite"), "--quiet"]

    def program(body: dict[str, Any]) -> str:
        asked = body["messages"][1]["content"].rsplit("Problem", 1)[-1]
        return PROGRAMS[0] if QUESTION in asked else "def solve(a: int = 40, b: int = 8):\n    return a // b"

    with FormalizingServer(program) as server:
        for name, value in server.variables.items():
            monkeypatch.setenv(name, value)
        assert main(["verify", *files, "--models", "openai:gpt-4.1-mini", "--budget", "1"]) == 0
    assert [record["verdict"] for record in read_lines(capsys.readouterr().out)] == [
        "Correct",
        "Correct",
        "Flawed",
    ]


def test_many_in_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`verify_many` judges a file, a list and a data frame alike, by programs, by the record or by text, and says what is not covered."""
    pandas = pytest.importorskip("pandas")
    for given in (SOLUTIONS, _file(tmp_path / "s.jsonl", SOLUTIONS), pandas.DataFrame([*SOLUTIONS, {"question": "?"}])):
        many = verify_many(given, formalizations=ANSWERS)
        assert [(own.flawed, bool(own.error)) for own in many][:3] == [(False, False), (True, False), (False, True)]
    assert "no solution in the fields" in many[3].error
    assert list(many.to_pandas()["line"]) == ["", "L1", "", ""]
    assert "agree on 1 of 2 problems" in capsys.readouterr().err
    by_text = verify_many(SOLUTIONS, progress=False)
    assert repr(by_text).endswith("0 not judged; Correct does not cover wrong steps of true arithmetic>")
    assert "not covered" in repr(by_text[0])
    assert not capsys.readouterr().err
    referred = verify_many([SOLUTIONS[1] | {"gold_solution": RIGHT}, SOLUTIONS[0]])
    assert [(own.line, bool(own.not_covered)) for own in referred] == [("L1", False), ("", True)]
    for wrong, message in (
        ([], "found none"),
        ({"question": QUESTION}, "solutions: expected a file or records, found an object"),
        (["text"], r"solutions\[0\]: expected a mapping"),
        (str(tmp_path / "none.jsonl"), "cannot be read"),
    ):
        with pytest.raises(HarnessError, match=message):
            verify_many(wrong)  # type: ignore[arg-type]  # misuse
    with pytest.raises(HarnessError, match="no record has a problem_id"):
        verify_many(NAMELESS, formalizations=ANSWERS)
    with pytest.raises(HarnessError, match="found oracles and models"):
        verify_many(SOLUTIONS, oracles=tmp_path, models="local")
    with pytest.raises(HarnessError, match="expected 'oracle' with models, found 'text'"):
        verify_many(SOLUTIONS, engine="text", models="local")
