"""Tests of the evaluation command: it judges items by several engines, keeps the answers and seals them for reports."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.store.run_folder import Stage
from oracle_factory.command import main
from sft.samples.solution_judgement import Judgement
from tests.harness.llm.loopback_server import LoopbackServer
from tests.json_lines import write_lines
from tests.sft.judged_files import FLAWED, QUESTION, RECORDS, SOLUTION


@pytest.fixture
def items(tmp_path: Path) -> Path:
    """Return a file of four solutions of two problems."""
    other = {**RECORDS["human"], "problem_id": "p-1", "question": QUESTION.replace("Tom", "Paul")}
    return write_lines(tmp_path / "mine.jsonl", [RECORDS["human"], other])


def command(items: Path, *more: str) -> int:
    """Run the command on the items."""
    out = items.parent / "run" / "verifier"
    return main(["evaluate", str(items), "--rounds", "20", "--out", str(out), *more])


def records(items: Path, name: str) -> list[dict[str, Any]]:
    """Return a sealed file."""
    return Stage(items.parent / "run" / "verifier").records(name)


def test_engines_are_judged_on_the_same_items(items: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The symbolic engine finds the false product and accuses nobody else; the majority says one thing of all."""
    assert command(items, "--engines", "majority,symbolic") == 0
    by_engine = {row["engine"]: row for row in records(items, "figures.jsonl")}
    assert by_engine["symbolic"]["confusion"]["computational_error"]["computational_error"] == 2
    assert by_engine["symbolic"]["metrics"]["weighted_f1"]["value"] == 1
    assert by_engine["majority"]["metrics"]["verdict_accuracy"]["value"] == 0.5
    tests = {(record["engine"], record["of"]): record for record in records(items, "comparisons.jsonl")}
    assert (tests["symbolic", "verdict"]["only_ours"], tests["symbolic", "verdict"]["only_theirs"]) == (2, 0)
    assert f"oracle-factory report {items.parent / 'run'} --verifier" in capsys.readouterr().out


def test_finished_items_are_not_judged_again(items: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an engine said before, by the same code, stands; what a killed run left in its shard, too."""
    asked: list[int] = []

    class Counting:
        name = "counting"

        def judge(self, given: list[Any]) -> Any:
            asked.append(len(given))
            if sum(asked) == 3:
                raise KeyboardInterrupt
            return iter([Judgement(flawed=False, confidence=0.5)] * len(given))

    monkeypatch.setattr("sft.evaluation.solution_evaluation.open_engine", lambda *_: Counting())
    assert command(items, "--engines", "counting") == 130
    assert not Stage(items.parent / "run" / "verifier").sealed
    assert (command(items, "--engines", "counting"), asked) == (0, [1, 1, 1, 1, 1])
    assert (command(items, "--engines", "counting"), len(asked)) == (0, 5)
    assert len(records(items, "predictions-counting.jsonl")) == 4
    monkeypatch.setattr("sft.evaluation.engine_run.signature", lambda *_: "other code")
    assert (command(items, "--engines", "counting"), len(asked)) == (0, 9)


def test_engines_of_before_stay_in_the_comparison(items: Path) -> None:
    """Judging by another engine keeps the first one's answers; of other items they are dropped."""
    command(items, "--engines", "symbolic")
    command(items, "--engines", "majority")
    assert {row["engine"] for row in records(items, "figures.jsonl")} == {"symbolic", "majority"}
    write_lines(items, [RECORDS["examination"]])
    command(items, "--engines", "majority")
    assert {row["engine"] for row in records(items, "figures.jsonl")} == {"majority"}
    assert not (items.parent / "run" / "verifier" / "predictions-symbolic.jsonl").exists()


def test_a_text_judged_twice_is_the_same_answer(tmp_path: Path) -> None:
    """A text that a file holds twice is judged once, timed once, and answered alike."""
    items = write_lines(tmp_path / "twice.jsonl", [RECORDS["human"], {**RECORDS["human"], "problem_id": "p-1"}])
    command(items, "--engines", "symbolic")
    by_text: dict[str, set[str]] = {}
    timed = 0
    for record in records(items, "predictions-symbolic.jsonl"):
        by_text.setdefault(record["text"], set()).add(json.dumps([record["verdict"], record["error_details"]]))
        timed += record["seconds"] is not None
    assert {len(value) for value in by_text.values()} == {1}
    assert timed == len(by_text)
    assert FLAWED != SOLUTION


def test_models_of_providers_are_one_command_with_its_price(
    items: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The price stands before a question is sent, each model has its row, an answer is not paid twice, and a budget ends it."""
    store = ("--store", str(items.parent / "answers.sqlite"))
    models = ("--engines", "majority,zero-shot:openai:gpt-4.1,zero-shot:openai:gpt-4.1-mini", *store)
    with LoopbackServer(answers=lambda _: json.dumps({"verdict": "Correct", "error_details": None})) as server:
        for name, value in server.variables.items():
            monkeypatch.setenv(name, value)
        assert command(items, *models, "--dry-run") == 0
        first = capsys.readouterr().err
        assert re.search(r"openai:gpt-4\.1 .*\$0\.0", first)
        assert server.paid.total() == 0
        assert command(items, *models, "--budget", "0.0001") == 2
        assert server.paid.total() == 0
        capsys.readouterr()
        assert command(items, *models) == 0
        assert capsys.readouterr().err.startswith(first)
        paid = server.paid.total()
        assert command(items, *models) == 0
        assert server.paid.total() == paid
    engines = {row["engine"] for row in records(items, "figures.jsonl")}
    assert engines == {"majority", "zero-shot-openai-gpt-4.1", "zero-shot-openai-gpt-4.1-mini"}
