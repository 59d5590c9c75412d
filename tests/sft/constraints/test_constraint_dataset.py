"""Tests of the constraint dataset: no evaluation problem is in the training split, and the targets are correct."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from harness.store.run_folder import RunFolder
from sft.constraints.dataset import (
    EVALUATION,
    TRAIN,
    VALIDATION,
    ProblemSplitPlan,
    make_dataset,
    masked_text,
    read_problems,
    split,
)
from sft.constraints.output_forms import OutputForm
from tests.sft.constraints.fakes import tiny_problem, write_problems

SHARES = (0.6, 0.2, 0.2)
PLAN = ProblemSplitPlan(SHARES, 10, 10)
PROBLEMS = [tiny_problem(number) for number in range(60)]
NAMES = st.sampled_from(["Ana", "Zoltan", "Mei", "O"])
NUMBERS = st.one_of(st.integers(0, 10**6).map(str), st.sampled_from(["two", "Seven", "twelve"]))


@given(st.lists(st.tuples(st.integers(0, 20), NAMES, NUMBERS), min_size=1, max_size=60), st.integers(0, 9))
def test_no_group_is_split(drawn: list[tuple[int, str, str]], seed: int) -> None:
    """Problems that differ in names and numbers alone are in one part, and every problem is in one."""
    made = [
        replace(tiny_problem(text), id=str(number), problem=f"{name} {'and so on ' * text} {amount}?")
        for number, (text, name, amount) in enumerate(drawn)
    ]
    parts = split(made, SHARES, seed=seed)
    assert sorted(problem.id for found in parts.values() for problem in found) == sorted(example.id for example in made)
    texts = [{masked_text(problem.problem) for problem in found} for found in parts.values()]
    assert sum(map(len, texts)) == len(set().union(*texts))


@pytest.fixture
def run(tmp_path: Path) -> RunFolder:
    """Return a run with its data formatted."""
    run = RunFolder(tmp_path / "run")
    make_dataset(run, write_problems(tmp_path / "problems.jsonl", PROBLEMS), PLAN)
    return run


def records(run: RunFolder, name: str) -> list[dict[str, Any]]:
    """Return the records of a file of the stage."""
    return run.stage("smt-format").records(name)


def test_examples_are_apart_from_the_evaluation(run: RunFolder) -> None:
    """Examples have three texts; none is of a problem of the evaluation, or differs from one in names and numbers alone."""
    kept = {masked_text(record["problem"]) for record in records(run, EVALUATION)}
    assert kept
    for name in (TRAIN, VALIDATION):
        examples = records(run, name)
        assert all(list(record) == ["instruction", "input", "output"] for record in examples)
        assert all(record["output"].endswith("(get-value (answer))") for record in examples)
        assert not kept & {masked_text(record["input"]) for record in examples}


def test_a_stage_is_made_once(run: RunFolder, tmp_path: Path) -> None:
    """For the same inputs it stays as it is; for others it is made anew."""
    manifest = run.stage("smt-format").folder / "manifest.json"
    before = manifest.stat().st_mtime_ns
    problems = tmp_path / "problems.jsonl"
    assert read_problems(problems) == PROBLEMS
    make_dataset(run, problems, PLAN)
    assert manifest.stat().st_mtime_ns == before
    make_dataset(run, problems, replace(PLAN, form=OutputForm.PROGRAM))
    assert manifest.stat().st_mtime_ns > before
