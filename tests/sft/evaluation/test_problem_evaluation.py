"""Tests of the evaluation of validators: figures are those of plain counting, and every engine answers every problem."""

from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from harness.constraint_system import ProblemClass
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from sft.datasets.levels import VALIDATION, problem_completion
from sft.evaluation.problem_evaluation import MEASURES, judged_item
from sft.judges.forms import ProblemForm
from sft.judges.local import LocalJudge
from sft.samples.items import ProblemSample
from sft.samples.problem_judgement import ProblemJudgement
from sft.training.tiny_models import tiny_loaded
from tests.harness.llm.loopback_server import LoopbackServer
from tests.json_lines import write_lines

CLASSES = list(ProblemClass)
NOT_JUDGED = 3


def sample(number: int, problem_class: ProblemClass, group: str = "") -> ProblemSample:
    """Return a problem of a class."""
    name = f"p{number}"
    return ProblemSample(name, group or name, f"Problem {number}?", problem_class, "So it is.", "test", "", "removed")


@given(st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from([*CLASSES, None]), st.floats(0, 1)), min_size=1))
def test_figures_are_those_of_counting(drawn: list[tuple[ProblemClass, ProblemClass | None, float]]) -> None:
    """Accuracy, F1 and false alarms are those of scikit-learn, and lie within their intervals where all problems are one group."""
    from sklearn.metrics import accuracy_score, f1_score

    samples = [sample(number, gold, "one") for number, (gold, _, _) in enumerate(drawn)]
    answers = [{**ProblemJudgement(said, sure, "x").record(), "seconds": 0.1} for _, said, sure in drawn]
    figures = MEASURES.figures(list(map(judged_item, samples, answers)), rounds=20)
    gold = [int(problem_class) for problem_class, _, _ in drawn]
    said = [NOT_JUDGED if told is None else int(told) for _, told, _ in drawn]
    present = sorted(set(gold))
    expected = {
        "accuracy": accuracy_score(gold, said),
        "macro_f1": f1_score(gold, said, labels=present, average="macro", zero_division=0),
    }
    solvable = [told for label, told in zip(gold, said, strict=True) if label == ProblemClass.SOLVABLE]
    if solvable:
        expected["false_alarms"] = sum(told in {0, 2} for told in solvable) / len(solvable)
    for name, value in expected.items():
        found = figures.metrics[name]
        assert found.value == pytest.approx(value)
        assert found.low == found.high == pytest.approx(value)
    assert sum(sum(row.values()) for row in figures.confusion.values()) == len(drawn)


def write_samples(path: Path) -> list[ProblemSample]:
    """Write six problems, two of each class, and return them."""
    samples = [sample(number, CLASSES[number % 3]) for number in range(6)]
    write_lines(path, (sample.record() for sample in samples))
    return samples


def test_a_provider_is_compared_with_the_majority(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A model that knows the answers has 1.000 everywhere; it is asked by the prompt of training, and a second time by nobody."""
    samples = write_samples(tmp_path / "problems.jsonl")
    answers = {VALIDATION.prompt(sample.question): problem_completion(sample) for sample in samples}
    command = ["evaluate-validator", str(tmp_path / "problems.jsonl"), "--engines", "zero-shot-llm,majority"]
    command += ["--rounds", "20", "--model", "openai:gpt-4.1-mini", "--store", str(tmp_path / "answers.sqlite")]
    command += ["--out", str(tmp_path / "run" / "validator")]
    with LoopbackServer(answers=lambda prompt: answers[prompt]) as server:
        for name, value in server.variables.items():
            monkeypatch.setenv(name, value)
        assert main(command) == 0
        assert server.paid.total() == len(samples)
    said = capsys.readouterr().out
    assert "6 problems" in said
    assert next(line for line in said.splitlines() if line.startswith("zero-shot-llm")).count("1.000 1.00..1.00") == 5
    assert main([*command, "--offline"]) == 0
    stage = RunFolder(tmp_path / "run").stage("validator")
    figures = {row["engine"]: row["metrics"]["accuracy"]["value"] for row in stage.records("figures.jsonl")}
    assert figures == {"zero-shot-llm": 1.0, "majority": pytest.approx(1 / 3)}
    assert stage.records("comparisons.jsonl")[0]["only_ours"] == 4
    told = [row["verdict"] for row in stage.records("judgements-zero-shot-llm.jsonl")]
    assert told == [sample.problem_class.word for sample in samples]


def test_an_adapter_of_another_level_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An adapter that judges solutions, and a folder without one, do not validate problems."""
    (tmp_path / "problems.jsonl").write_text('{"question": "How many?"}\n')
    command = ["validate", str(tmp_path / "problems.jsonl"), "--engine", "chat"]
    assert main(command) == 2
    assert "--adapter DIR" in capsys.readouterr().err
    (tmp_path / "adapter_config.json").write_text("{}")
    (tmp_path / "settings.json").write_text('{"level": "4"}')
    assert main([*command, "--adapter", str(tmp_path)]) == 2
    assert "was trained on level 4" in capsys.readouterr().err


@pytest.mark.parametrize("short", [["\ud800"], pytest.param(["How many pens?", ""], marks=pytest.mark.slow)], ids=len)
def test_a_local_model_answers_within_the_schema(short: list[str]) -> None:
    """Random weights, asked about any text, give one of the three verdicts with its label; a prompt that is too long is not judged."""
    judged = list(LocalJudge(tiny_loaded("smollm2-135m"), ProblemForm()).judge([*short, "x " * 4_000]))
    assert [judgement.problem_class is None for judgement in judged] == [*[False] * len(short), True]
    assert all(0 <= judgement.confidence <= 1 and judgement.reason for judgement in judged)
