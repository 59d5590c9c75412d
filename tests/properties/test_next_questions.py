"""`oracle-factory next` on sealed runs: what it writes, that `formalize` asks exactly that, and that it sees what the run saw."""

from __future__ import annotations

import itertools
import json
import shlex
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from harness.command_line.runnable_commands import runnable
from harness.corpora.problems import load_corpus
from oracle_factory.command import main
from properties.next_questions.question_plans import PILOT
from properties.next_questions.run_problems import read_problems
from reports.views.artefacts import open_stage
from tests.generators.formalizations.llm_formalizers.formalizing_server import FormalizingServer
from tests.reports.stage_records import program_record, seal_stage, verdict_record

if TYPE_CHECKING:
    from tests.properties.session_process import SessionOutcome

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
        for left, right in itertools.combinations(sorted(MODELS), 2):
            same = values[left] == values[right]
            records["verdicts"].append(verdict_record("ut3", name, left, right, "CONFIRMED" if same else "REFUTED"))
    return seal_stage(tmp_path / "planted", "formalization", records)


def questions_of(run: Path) -> list[dict[str, Any]]:
    """Return the questions that were written for a run."""
    return [json.loads(line) for line in (run / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_the_budget_is_kept_and_more_money_gains_more(planted: Path, tmp_path: Path) -> None:
    """The questions cost no more than the budget, the first gain most for a dollar, and a larger budget gains more."""
    gains = []
    for budget in ("0.002", "0.02", "5.00"):
        assert main(["next", str(planted), "--budget", budget, "--at", "0.8", "--store", str(tmp_path / "s")]) == 0
        questions = questions_of(planted)
        assert sum(question["cost"] for question in questions) <= float(budget)
        gains.append(sum({question["problem_id"]: question["gain"] for question in questions}.values()))
    assert gains[0] < gains[1] <= gains[2]
    assert all(question["p_right"] < 0.8 for question in questions)


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
    questions = questions_of(planted)
    chosen = {
        (question["problem_id"], question["ask"] + (f"#{question['sample'] + 1}" if question["sample"] else ""))
        for question in questions
    }
    assert len(chosen) == len(questions) > 3
    assert len({model for _, model in chosen}) > 1
    with FormalizingServer() as server:
        for name, address in server.variables.items():
            monkeypatch.setenv(name, address)
        asked = ["--questions", str(planted / "questions.jsonl"), "-o", str(tmp_path / "answers.jsonl"), *store]
        assert main(["formalize", "--corpus", "mini", "--repairs", "0", *asked]) == 0
        assert len(server.asked) == len(chosen)
    written = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {(record["problem_id"], record["model"]) for record in written} == chosen


def test_the_printed_command_runs_wherever_the_run_is_reached(
    planted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command names the problems of the run itself, by a path from the current folder, quoted, and asks what was chosen."""
    pytest.importorskip("openai", reason="asking models is optional")
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    run = planted.rename(elsewhere / "my run")
    monkeypatch.chdir(elsewhere)
    assert main(["next", "my run", "--at", "0.8", "--models", "openai:gpt-4.1-nano"]) == 0
    printed = capsys.readouterr().out.rstrip().splitlines()[-1]
    program, *words = shlex.split(printed)
    assert program == runnable("oracle-factory")
    with FormalizingServer() as server:
        for name, address in server.variables.items():
            monkeypatch.setenv(name, address)
        assert main([*words, "--repairs", "0"]) == 0
    written = [json.loads(line) for line in Path("answers.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {record["problem_id"] for record in written} == {question["problem_id"] for question in questions_of(run)}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["next", "RUN", "--budget", "much"], "expected dollars such as 5.00"),
        (["next", "RUN", "--models", "compatible:mine"], "no price of compatible:mine is known"),
        (["next", "RUN", "--dialect", "prose"], "--dialect: expected names of"),
        (["next", "RUN", "--corpus", "SHORT"], "--corpus: expected the 40 problems of the run and others, found no"),
        (["next", "nowhere"], "expected a run under runs/"),
        (["formalize", "--questions", "RUN/formalization/problems.jsonl", "-o", "x"], "expected a question, found"),
        (["formalize", "--questions", "missing", "-o", "x"], "no such file; make questions: "),
        (["formalize", "--questions", "missing", "--models", "local", "-o", "x"], "leave --models out"),
        (["formalize", "-o", "x"], "expected --models"),
    ],
)
def test_misuse_is_told(planted: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str) -> None:
    """What cannot be used gives status 2 and one line that says what was expected."""
    short = planted.parent / "short.jsonl"
    short.write_text('{"problem_id": "x", "question": "How many?"}\n', encoding="utf-8")
    arguments = [argument.replace("RUN", str(planted)).replace("SHORT", str(short)) for argument in arguments]
    assert main(arguments) == 2
    message = capsys.readouterr().err
    assert told in message
    assert message.count("\n") == 1


def test_probabilities_are_those_of_the_run(judged: SessionOutcome) -> None:
    """What is read from a sealed run gives the probabilities that the session sealed."""
    check_probabilities(judged.run)


@pytest.mark.slow
def test_probabilities_of_classes_are_those_of_the_run(tmp_path: Path) -> None:
    """So it does where the formalizations of a problem were compared by classes, not in pairs."""
    answers = "corpora/mini/formalizations.jsonl"
    run = tmp_path / "classes"
    assert main(["judge", "mini", answers, "--problems", "0:6", "--max-pairs", "2", "-j1", "--out", str(run)]) == 0
    check_probabilities(run)


def check_probabilities(folder: Path) -> None:
    """Fail if what is read from a run gives other probabilities than it sealed."""
    from oracles.consensus.probability.value_of_information import ValueOfInformation

    stage = open_stage(folder)
    run = read_problems(stage)
    information = ValueOfInformation(run.reliability, run.weights, 0.99)
    sealed = {record.problem_id: record.p_right for record in stage.consensus() if record.p_right is not None}
    assert sealed
    assert {name: information.probability(run.problems[name]) for name in sealed} == pytest.approx(sealed, abs=1e-3)


def test_a_model_that_the_run_does_not_know_is_asked_about_twenty_problems(planted: Path, tmp_path: Path) -> None:
    """Before anything is planned with an unknown model, it is asked about 20 problems that others were asked about, and no others."""
    models = "openai:gpt-4.1-mini,openai:gpt-4o-mini,openai:gpt-4o"
    assert main(["next", str(planted), "--at", "0.8", "--models", models, "--store", str(tmp_path / "s")]) == 0
    asked: defaultdict[str, list[str]] = defaultdict(list)
    for question in questions_of(planted):
        asked[question["ask"]].append(question["problem_id"])
    assert len(asked["openai:gpt-4o"]) == PILOT
    assert asked["openai:gpt-4o"] == asked["openai:gpt-4o-mini"]
    assert all(question["gain"] > 0 for question in questions_of(planted) if question["ask"] == "openai:gpt-4.1-mini")


def test_a_pilot_spends_no_more_than_half_of_the_budget(planted: Path, tmp_path: Path) -> None:
    """Where a pilot is too dear, the unknown model is planned with as one of mean accuracy, and the budget is kept."""
    command = ["next", str(planted), "--at", "0.8", "--models", "openai:gpt-4o", "--store", str(tmp_path / "s")]
    assert main([*command, "--budget", "0.01"]) == 0
    questions = questions_of(planted)
    assert questions
    assert sum(question["cost"] for question in questions) <= 0.01
    assert all(question["gain"] > 0 for question in questions)


def test_each_problem_gets_several_answers_before_gains_decide(planted: Path, tmp_path: Path) -> None:
    """Problems of few answers are asked about first, by the models that are right most often, one answer each before a second one."""
    corpus = tmp_path / "corpus.jsonl"
    known = (planted / "formalization/problems.jsonl").read_text(encoding="utf-8")
    others = [
        {"problem_id": f"other-{number}", "question": f"Tom has {number} bags of 7 apples. How many apples are there?"}
        for number in range(3, 8)
    ]
    corpus.write_text(known + "".join(json.dumps(record) + "\n" for record in others), encoding="utf-8")
    command = ["next", str(planted), "--at", "0.8", "--store", str(tmp_path / "s"), "--corpus", str(corpus)]
    assert main(command) == 0
    accuracy = read_problems(open_stage(planted)).reliability.accuracy
    best = max(accuracy, key=lambda model: accuracy[model])
    first = [question for question in questions_of(planted) if question["problem_id"].startswith("other")]
    assert Counter(question["problem_id"] for question in first) == {record["problem_id"]: 3 for record in others}
    assert {question["ask"] for question in first[: len(others)]} == {best}
    assert [question["problem_id"] for question in first[: len(others)]] == [record["problem_id"] for record in others]
    cost = sum(question["cost"] for question in first[:4])
    assert main([*command, "--budget", f"{cost + 2e-6:.6f}"]) == 0
    assert questions_of(planted) == first[:4]


@pytest.mark.slow
def test_problems_that_nobody_was_asked_about_are_planned(planted: Path, tmp_path: Path) -> None:
    """With the corpus of the run, problems without an answer are asked about, of several models each, as one answer proves nothing.

    A small budget asks one question about each of many problems, since its answer tells where a second one is worth asking.
    """
    corpus = tmp_path / "corpus.jsonl"
    known = (planted / "formalization/problems.jsonl").read_text(encoding="utf-8")
    others = [
        {"problem_id": f"other-{number}", "question": f"Tom has {number} bags of 7 apples. How many apples are there?"}
        for number in range(3, 8)
    ]
    corpus.write_text(known + "".join(json.dumps(record) + "\n" for record in others), encoding="utf-8")
    command = ["next", str(planted), "--at", "0.8", "--store", str(tmp_path / "s"), "--corpus", str(corpus)]
    assert main(command) == 0
    asked = Counter(question["problem_id"] for question in questions_of(planted))
    assert all(asked[record["problem_id"]] > 1 for record in others)
    cost = sum(question["cost"] for question in questions_of(planted))
    assert main([*command, "--budget", f"{cost / 4:.6f}"]) == 0
    first = [question["problem_id"] for question in questions_of(planted)]
    assert len(set(first[: len(others)])) == len(others)
