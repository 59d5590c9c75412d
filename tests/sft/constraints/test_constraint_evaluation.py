"""Tests of the constraint evaluation: valid and correct programs are counted by solvers, with confidence intervals."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from oracles.constraints.validation import ValidationCase
from sft.constraints import evaluation as evaluating
from sft.constraints.dataset import ProblemSplitPlan, evaluation_of, make_dataset as make_data
from sft.constraints.evaluation import Proportion, shares, table
from sft.constraints.solver_session import SolverSession, validation_session
from tests.sft.constraints.fakes import tiny_problem, write_tiny_problems

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VACUOUS = "(set-logic QF_LIA)\n(declare-const answer Int)\n(assert (> answer 0))\n(check-sat)"


@pytest.mark.parametrize(
    ("count", "of", "interval"), [(8, 10, (49.0, 94.3)), (0, 10, (0.0, 27.8)), (50, 100, (40.4, 59.6))]
)
def test_intervals_are_wilsons(count: int, of: int, interval: tuple[float, float]) -> None:
    """Intervals are Wilson's, as published tables have them."""
    assert Proportion.of_counts(count, of).interval == pytest.approx(interval, abs=0.1)


@given(st.integers(1, 500).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_a_share_is_in_its_interval(drawn: tuple[int, int]) -> None:
    """Which is within 0 and 100, and mirrored where the share is."""
    count, of = drawn
    low, high = Proportion.of_counts(count, of).interval
    assert 0 <= low <= Proportion.of_counts(count, of).percent + 0.051
    assert Proportion.of_counts(count, of).percent - 0.051 <= high <= 100
    assert Proportion.of_counts(of - count, of).interval == pytest.approx((100 - high, 100 - low), abs=0.11)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Return an evaluated run: right, broken, vacuous and right programs, and none for two of the rows."""
    folder = tmp_path_factory.mktemp("evaluating")
    run = RunFolder(folder / "run")
    make_data(run, write_tiny_problems(folder / "problems.jsonl", 40), None, ProblemSplitPlan((0.5, 0.2, 0.3), 5, 4))
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
    evaluating.evaluate_programs(run)
    return run


def test_counts_are_those_of_the_programs(run: RunFolder) -> None:
    """A program that allows the gold answer and others is valid, and not correct; of rows that were not made nothing is said."""
    metrics = json.loads(run.stage("smt-evaluate").read("final_metrics.json"))
    stages = [path.parent.name for path in run.folder.glob("smt-*/manifest.json") if path.parent.name != "smt-evaluate"]
    # Making the data takes a measurable time on a busy machine.
    seconds = sum(run.stage(name).manifest().get("seconds", 0.0) for name in stages)
    assert metrics.pop("total_runtime_seconds") == pytest.approx(seconds, abs=0.05)
    assert metrics == {
        "baseline_valid_pct": 25.0,
        "baseline_correct_pct": 0.0,
        "baseline_grammar_valid_pct": 100.0,
        "baseline_grammar_correct_pct": 0.0,
        "distilled_valid_pct": 75.0,
        "distilled_correct_pct": 50.0,
        "refined_valid_pct": 100.0,
        "refined_correct_pct": 75.0,
        "num_examples": 4,
    }


def test_domains_add_up(run: RunFolder) -> None:
    """The counts of domains add up to the rows."""
    for row in run.stage("smt-evaluate").records("rows.jsonl"):
        for what in ("valid", "correct"):
            assert sum(program[what]["count"] for program in row["domains"].values()) == row[what]["count"]
            assert sum(program[what]["of"] for program in row["domains"].values()) == row[what]["of"] == 4


def test_chance_is_told_apart() -> None:
    """A program that says yes is correct where the answer is yes, and not counted where chance does not help."""
    yes = "(set-logic QF_UF)\n(declare-const answer Bool)\n(assert answer)\n(check-sat)"
    asked = [replace(tiny_problem(0), gold="true"), replace(tiny_problem(1), gold=None), tiny_problem(2)]
    found = shares(asked, dict.fromkeys((case.id for case in asked), yes))
    assert (found["correct"]["count"], found["open"]["correct"]["count"], found["open"]["correct"]["of"]) == (2, 0, 1)


def test_the_table_has_a_row_for_each(run: RunFolder) -> None:
    """The table has a row for each, with both shares."""
    lines = table(run).splitlines()
    assert len(lines) == 2 + 4
    assert "75.0%" in lines[4]
    assert "50.0%" in lines[4]


def test_nothing_written_is_nothing_to_evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing was written, the command says that there is nothing to evaluate."""
    assert main(["smt", "evaluate", "--run", str(tmp_path / "run")]) == 2
    assert "no programs are generated yet" in capsys.readouterr().err


@given(st.lists(st.integers(), max_size=8))
def test_a_conversation_gives_each_question_its_answer(questions: list[int]) -> None:
    """However far the function that answers looks ahead by one."""

    def doubled(stream: Iterator[int]) -> Iterator[int]:
        waiting = [2 * next(stream)]
        for case in stream:
            waiting.append(2 * case)
            yield waiting.pop(0)

    conversation = SolverSession(doubled, 0)
    assert [conversation.ask(question) for question in questions] == [2 * question for question in questions]
    conversation.close()


def test_solvers_answer_in_conversation() -> None:
    """Each program by itself, a process for all of them."""
    conversation = validation_session()
    programs = [VACUOUS, "(", VACUOUS.replace("> answer 0", "= answer 3")]
    found = [conversation.ask(ValidationCase(str(number), program)) for number, program in enumerate(programs)]
    conversation.close()
    assert [(validation.id, validation.valid, validation.unique) for validation in found] == [
        ("0", True, False),
        ("1", False, None),
        ("2", True, True),
    ]
