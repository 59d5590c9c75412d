"""`oracle-factory next` on sealed runs: what it writes, and that `formalize` asks exactly that."""

import itertools
import json
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

from harness.corpora.problems import load_corpus
from oracle_factory.command import main
from tests.generators.formalizations.llm_formalizers.formalizing_server import FormalizingServer
from tests.json_lines import read_lines
from tests.reports.stage_records import consensus_record, program_record, seal_stage, verdict_record

MODELS = {"openai:gpt-4.1-mini": 0.75, "openai:gpt-4.1-nano": 0.6, "anthropic:claude-haiku-4-5": 0.7}


@pytest.fixture
def planted(tmp_path: Path) -> Path:
    """Return a sealed run on the bundled corpus without gold answers, three models right as often as `MODELS` says."""
    rng = Random("next")
    problems = [problem for problem in load_corpus("mini") if problem.solution][:40]
    records: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for problem in problems:
        name = problem.problem_id
        records["problems"].append(
            {"problem_id": name, "question": problem.question, "solution": "", "gold": None, "tier": None}
        )
        values = {
            model: "6" if rng.random() < accuracy else str(rng.randrange(7, 12)) for model, accuracy in MODELS.items()
        }
        for model, value in sorted(values.items()):
            records["programs"].append(program_record(name, model, value))
            records["verdicts"].append(verdict_record("ut1", name, model, None, "UNKNOWN"))
        share = Counter(values.values()).most_common(1)[0][1] / len(values)
        records["consensus"].append(consensus_record(name, p_right=share))
        for left, right in itertools.combinations(sorted(MODELS), 2):
            same = values[left] == values[right]
            records["verdicts"].append(verdict_record("ut3", name, left, right, "CONFIRMED" if same else "REFUTED"))
    records["models"] = [
        {"model": model, "problems": len(problems), "accuracy": accuracy} for model, accuracy in MODELS.items()
    ]
    return seal_stage(tmp_path / "planted", "formalization", records)


def test_the_budget_is_kept_and_buys_a_prefix(planted: Path, tmp_path: Path) -> None:
    """The questions cost no more than the budget, a smaller one buys the first of them, and no kept problem is asked about."""
    asked = []
    for budget in ("0.002", "0.02", "5.00"):
        assert main(["next", str(planted), "--budget", budget, "--at", "0.8", "--store", str(tmp_path / "s")]) == 0
        questions = read_lines(planted / "questions.jsonl")
        assert sum(question["cost"] for question in questions) <= float(budget)
        asked.append(questions)
    assert asked[0] == asked[1][: len(asked[0])]
    assert asked[1] == asked[2][: len(asked[1])]
    assert len(asked[0]) < len(asked[2])
    assert all(question["p_right"] < 0.8 for question in asked[2])


def test_the_command_names_a_file_that_is_not_there(
    planted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The answers of a next round go to a new file."""
    monkeypatch.chdir(tmp_path)
    for there, named in (
        ("other", "answers.jsonl"),
        ("answers.jsonl", "answers-2.jsonl"),
        ("answers-2.jsonl", "answers-3.jsonl"),
    ):
        (tmp_path / there).touch()
        assert main(["next", str(planted), "--at", "0.8", "--store", str(tmp_path / "s")]) == 0
        assert capsys.readouterr().out.rstrip().endswith(f" -o {named}")


def test_problems_are_asked_about_evenly_by_the_best_models(planted: Path, tmp_path: Path) -> None:
    """Each open problem gets one question before any gets a second, of the model that is right most often of those not yet asked."""
    models = "openai:gpt-4o,openai:gpt-4.1-mini,openai:gpt-4.1-nano"
    corpus = tmp_path / "corpus.jsonl"
    known = (planted / "formalization/problems.jsonl").read_text(encoding="utf-8")
    others = [
        {"problem_id": f"other-{number}", "question": f"Tom has {number} bags of 7 apples. How many apples are there?"}
        for number in range(3, 8)
    ]
    corpus.write_text(known + "".join(json.dumps(record) + "\n" for record in others), encoding="utf-8")
    command = ["next", str(planted), "--at", "0.8", "--models", models, "--corpus", str(corpus)]
    assert main([*command, "--store", str(tmp_path / "s"), "--budget", "5.00"]) == 0
    questions = read_lines(planted / "questions.jsonl")
    own = [question["ask"] for question in questions if question["problem_id"].startswith("other")]
    assert [question["problem_id"] for question in questions[: len(others)]] == [each["problem_id"] for each in others]
    assert own[: 3 * len(others)] == [
        model for model in ("openai:gpt-4.1-mini", "openai:gpt-4o", "openai:gpt-4.1-nano") for _ in others
    ]


def test_formalize_asks_what_was_chosen(
    planted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`formalize --questions` asks each model for the problems that were chosen for it and for no other."""
    pytest.importorskip("openai", reason="asking models is optional")
    models = "openai:gpt-4.1-mini,openai:gpt-4.1-nano,openai:gpt-4o-mini"
    store = ["--store", str(tmp_path / "answers.sqlite")]
    assert main(["next", str(planted), "--budget", "0.05", "--at", "0.8", "--models", models, *store]) == 0
    shown = capsys.readouterr().out
    assert "formalize --corpus" in shown
    assert "kept " in shown
    questions = read_lines(planted / "questions.jsonl")
    chosen = {
        (question["problem_id"], question["ask"] + (f"#{question['sample'] + 1}" if question["sample"] else ""))
        for question in questions
    }
    assert len(chosen) == len(questions) > 3
    with FormalizingServer() as server:
        for name, address in server.variables.items():
            monkeypatch.setenv(name, address)
        asked = ["--questions", str(planted / "questions.jsonl"), "-o", str(tmp_path / "answers.jsonl"), *store]
        assert main(["formalize", "--corpus", "mini", "--repairs", "0", *asked]) == 0
        assert len(server.asked) == len(chosen)
    written = read_lines(tmp_path / "answers.jsonl")
    assert {(record["problem_id"], record["model"]) for record in written} == chosen
