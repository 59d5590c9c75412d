"""Tests of the constraint evaluation: valid and correct programs are counted by solvers, with confidence intervals."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.records.constraint import COLUMNS, table as table_text
from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from oracles.constraints.validation import Validation
from sft.constraints.dataset import evaluation_of
from sft.constraints.evaluation import evaluate_programs, shares, table
from tests.sft.constraints.fakes import ScriptedWriter, formatted_run, tiny_problem

VACUOUS = "(set-logic QF_LIA)\n(declare-const answer Int)\n(assert (> answer 0))\n(check-sat)"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Return an evaluated run: right, broken, vacuous and right programs, and none for two of the rows."""
    run = formatted_run(tmp_path_factory.mktemp("evaluating"))
    problems = evaluation_of(run)
    gold = [problem.program for problem in problems]
    rows = {
        "smt-baseline": ["", "Sure!", "(check-sat)", VACUOUS],
        "smt-baseline-grammar": [VACUOUS] * 4,
        "smt-distilled": [gold[0], gold[1], gold[2][:-60], VACUOUS],
        "smt-refine": [*gold[:3], VACUOUS],
    }
    for name, programs in rows.items():
        answers = [{"id": problem.id, "program": program} for problem, program in zip(problems, programs, strict=True)]
        run.stage(name).seal({"answers.jsonl": answers}, {"seconds": 2.5})
    evaluate_programs(run)
    return run


def test_counts_are_those_of_the_programs(run: RunFolder) -> None:
    """A program that allows the gold answer and others is valid, and not correct; of rows that were not made nothing is said."""
    metrics = json.loads("".join(run.stage("smt-evaluate").lines("final_metrics.json")))
    assert metrics.pop("total_runtime_seconds") >= 10
    valid = {"baseline": 25.0, "baseline_grammar": 100.0, "distilled": 75.0, "refined": 100.0}
    correct = {"baseline": 0.0, "baseline_grammar": 0.0, "distilled": 50.0, "refined": 75.0}
    assert metrics == {
        **{f"{row}_valid_pct": share for row, share in valid.items()},
        **{f"{row}_correct_pct": share for row, share in correct.items()},
        "num_examples": 4,
    }
    assert [line.split("|")[1].strip() for line in table(run).splitlines()[2:]] == [
        row.replace("_", ", ") for row in valid
    ]
    assert "| 75.0% |" in table(run).splitlines()[4]
    for row in run.stage("smt-evaluate").records("rows.jsonl"):
        domains = row["domains"].values()
        assert [sum(domain["correct"][key] for domain in domains) for key in ("count", "of")] == [
            row["correct"]["count"],
            4,
        ]


def test_chance_is_told_apart() -> None:
    """A program that says yes is correct where the answer is yes, and not counted where chance does not help."""
    problems = [replace(tiny_problem(0), gold="true"), replace(tiny_problem(1), gold=None), tiny_problem(2)]
    found = shares(problems, [Validation(problem.id, valid=True, correct=True) for problem in problems])
    assert (found["correct"]["count"], found["open"]["correct"]["count"], found["open"]["correct"]["of"]) == (3, 1, 1)


def test_a_table_of_a_user_is_refined_and_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of a CSV are refined by a given adapter; of the outputs, without gold answers, only validity is measured."""
    problems = [tiny_problem(number) for number in range(4)]
    rows = [dict(zip(COLUMNS, (one.problem, "", one.program), strict=True)) for one in problems]
    rows[1]["program"] = "(check-sat"
    (tmp_path / "rows.csv").write_text("\n".join(table_text(rows)), encoding="utf-8")
    adapter = tmp_path / "lora"
    adapter.mkdir()
    monkeypatch.setattr(
        "sft.constraints.generation.writer_of", lambda *_, **__: ScriptedWriter(lambda _: problems[1].program)
    )
    asked = ["--run", str(tmp_path / "run"), "--dataset", str(tmp_path / "rows.csv"), "--max-examples", "3"]
    wanted = ["smt", "refine", *asked, "--distilled-model", str(adapter)]
    wanted += ["--max-iters", "2", "--out", str(tmp_path / "o.csv")]
    assert main(wanted) == 2, "no adapter in the folder"
    (adapter / "adapter_config.json").write_text("{}")
    assert main(wanted) == 0
    with (tmp_path / "o.csv").open(encoding="utf-8") as file:
        refined = [tuple(row.values()) for row in csv.DictReader(file)]
    assert [row[1:] for row in refined] == [("true", "true", "0"), ("false", "true", "1"), ("true", "true", "0")]
    assert main(["smt", "evaluate", "--run", str(tmp_path / "run"), "--output-dir", str(tmp_path / "out")]) == 0
    metrics = json.loads((tmp_path / "out/final_metrics.json").read_text(encoding="utf-8"))
    assert [metrics[f"{row}_valid_pct"] for row in ("baseline", "distilled", "refined")] == [None, 66.7, 100.0]
    assert (metrics["refined_correct_pct"], metrics["num_examples"]) == (None, 3)
