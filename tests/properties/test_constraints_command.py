"""Tests of the constraints command: it runs every stage, skips finished ones and resumes after an interruption."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from properties.constraints.pipeline import STEPS
from sft.training.tiny_models import write_tiny_preset
from tests.properties.session_process import ROOT

if TYPE_CHECKING:
    from pathlib import Path

STAGES = ["break", "correct", "distilled", "distilled-grammar", "evaluate", "filter", "format", "generate", "refine"]
STAGES += ["baseline", "baseline-grammar", "refine-grammar", "repair", "train", "validate"]
KEYS = {"baseline_valid_pct", "distilled_valid_pct", "refined_valid_pct", "num_examples", "total_runtime_seconds"}
WHO = ("baseline", "distilled", "refined")
MADE = ["break", "correct", "filter", "format", "generate", "repair", "validate"]
COUNT = 10
"""So many problems of each domain, where no model is trained."""
MAKING = ("--until", "format", "--count", str(COUNT), "--evaluation", "4")


@dataclass(frozen=True, slots=True)
class Made:
    """A run of everything with a small model, and the options it had."""

    run: RunFolder
    options: tuple[str, ...]


@pytest.fixture(scope="module")
def mended(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Run what needs no model."""
    folder = tmp_path_factory.mktemp("mended") / "run"
    options = ("--run", str(folder), *MAKING)
    assert main(["smt", "run", *options]) == 0
    return Made(RunFolder(folder), options)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Run everything with a small model."""
    folder = tmp_path_factory.mktemp("constraints")
    preset = write_tiny_preset(folder)
    options = ("--run", str(folder / "run"), "--preset", str(preset), "--count", "25", "--evaluation", "4")
    options += ("--max-steps", "2", "--most", "24", "--device", "cpu")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ORACLE_FACTORY_CACHE", str(folder / "cache"))
        assert main(["smt", "run", *options]) == 0
    return Made(RunFolder(folder / "run"), options)


def rows(run: RunFolder, stage: str, name: str) -> list[dict[str, str]]:
    """Return the rows of a table of a stage."""
    return list(csv.DictReader(io.StringIO(run.stage(f"smt-{stage}").read(name), newline="")))


def sealed(run: RunFolder) -> list[str]:
    """Return the stages that are sealed, which are all there is."""
    found = sorted(path.parent.name for path in run.folder.glob("*/manifest.json"))
    assert found == sorted(path.name for path in run.folder.iterdir() if path.name != "report")
    return [name.removeprefix("smt-") for name in found]


def test_each_step_of_making_seals_its_stage(mended: Made) -> None:
    """Each step up to the training data seals its stage."""
    assert sealed(mended.run) == MADE


@pytest.mark.slow
def test_every_step_seals_its_stage(made: Made) -> None:
    """Every step seals its stage, and no other folder is left."""
    assert sealed(made.run) == sorted(STAGES)


def test_tables_have_their_columns(mended: Made) -> None:
    """As users of such pipelines expect them, a row for each problem."""
    problem = ["problem", "reasoning", "program"]
    columns = {
        ("generate", "puzzles.csv"): problem,
        ("filter", "valid.csv"): problem,
        ("filter", "broken.csv"): [*problem, "reason", "line", "column"],
        ("repair", "repaired.csv"): [*problem, "repaired", "by", "certain", "doubts", "edits"],
        ("validate", "validation_results.csv"): ["id", "valid", "error"],
    }
    for (stage, name), wanted in columns.items():
        assert mended.run.stage(f"smt-{stage}").lines(name)[0].split(",") == wanted
    problems = mended.run.stage("smt-generate").records("problems.jsonl")
    for domain in {listed["domain"] for listed in problems}:
        told = [(row["problem"], row["program"]) for row in rows(mended.run, "generate", f"{domain}.csv")]
        assert told == [(listed["problem"], listed["program"]) for listed in problems if listed["domain"] == domain]
        assert len(told) == COUNT
    tables = {path.name: path.read_bytes() for path in mended.run.stage("smt-generate").folder.glob("*.csv")}
    assert tables["resource_alloc.csv"] == tables["resources.csv"]
    assert len(rows(mended.run, "filter", "valid.csv")) + len(rows(mended.run, "filter", "broken.csv")) == len(problems)
    assert len(rows(mended.run, "repair", "repaired.csv")) == len(rows(mended.run, "filter", "broken.csv"))
    assert len(rows(mended.run, "validate", "validation_results.csv")) == len(problems) == 4 * COUNT


@pytest.mark.slow
def test_refining_has_its_table(made: Made) -> None:
    """A row for each problem of the evaluation, in four columns."""
    found = rows(made.run, "refine", "refined_outputs.csv")
    assert [list(row) for row in found] == [["id", "initial_valid", "final_valid", "iterations"]] * 4


@pytest.mark.slow
def test_final_metrics_have_the_documented_keys(made: Made) -> None:
    """Validity and correctness of three models, on their own and held to the grammar, how many examples, and how long."""
    metrics = json.loads(made.run.stage("smt-evaluate").read("final_metrics.json"))
    shares = {f"{who}{held}_{what}_pct" for who in WHO for held in ("", "_grammar") for what in ("valid", "correct")}
    assert set(metrics) == shares | KEYS
    assert all(0 <= metrics[name] <= 100 for name in shares)
    assert metrics["num_examples"] == 4
    assert metrics["total_runtime_seconds"] > 0


def test_what_was_broken_is_what_was_mended(mended: Made) -> None:
    """Each broken program has a reason and a place; what the repair gives is a program that entails its gold answer, or is left out."""
    broken = mended.run.stage("smt-break").records("broken.jsonl")
    found = rows(mended.run, "filter", "broken.csv")
    assert 0 < len(found) <= len(broken)
    assert all(row["reason"] and int(row["line"]) > 0 and int(row["column"]) > 0 for row in found)
    right = {
        record["id"] for record in mended.run.stage("smt-validate").records("validation.jsonl") if record["correct"]
    }
    assert {record["id"] for record in mended.run.stage("smt-validate").records("problems.jsonl")} == right


def test_corrections_are_of_what_solvers_say(mended: Made) -> None:
    """Each has something said of it, and is not the program it is to become."""
    told = mended.run.stage("smt-correct").records("corrections.jsonl")
    assert {correction["said"].split()[0] for correction in told} >= {"error:", "answer"}
    assert all(correction["program"] != correction["output"] for correction in told)


def test_a_run_that_is_done_is_passed_over(mended: Made, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is written, and each step says so."""
    before = {path: path.stat().st_mtime_ns for path in mended.run.folder.rglob("*")}
    time.sleep(1.1)  # what is newer than a second is taken for fresh
    assert main(["smt", "run", *mended.options]) == 0
    assert {path: path.stat().st_mtime_ns for path in mended.run.folder.rglob("*")} == before
    said = [line for line in capsys.readouterr().err.splitlines() if line.startswith(tuple(STEPS))]
    assert len(said) == len(MADE)
    assert all("sealed before" in line for line in said)


@pytest.mark.slow
def test_a_step_that_is_skipped_is_not_made(tmp_path: Path) -> None:
    """Without breaking, what domains make is filtered, and nothing of it is broken."""
    run = RunFolder(tmp_path / "run")
    assert main(["smt", "run", "--run", str(run.folder), *MAKING, "--until", "filter", "--skip", "break"]) == 0
    assert not run.stage("smt-break").folder.exists()
    assert run.stage("smt-filter").manifest()["counts"]["broken"] == 0


@pytest.mark.slow
def test_few_problems_without_training_and_without_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The base model alone writes. Without time, no step is done by half and no program is written; with time the same command goes on to the end."""
    preset = write_tiny_preset(tmp_path)
    run = RunFolder(tmp_path / "run")
    options = ["--run", str(run.folder), "--preset", str(preset), "--count", "5", "--skip", "train", "--batch", "1"]
    options += ["--most", "8", "--device", "cpu"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ORACLE_FACTORY_CACHE", str(tmp_path / "cache"))
        assert main(["smt", "run", *options, "--minutes", "0.0001"]) == 2
        assert "generate: the time of --minutes is over at 1 of 20 problems" in capsys.readouterr().err
        assert not run.stage("smt-generate").sealed
        assert main(["smt", "run", *options, "--until", "format"]) == 0
        capsys.readouterr()
        assert main(["smt", "run", *options, "--minutes", "0.0001"]) == 0
        said = capsys.readouterr()
        assert run.stage("smt-baseline").records("answers.jsonl") == []
        assert main(["smt", "run", *options]) == 0
        assert capsys.readouterr().err.count("4 problems, 4 programs") == 2
        assert main(["smt", "run", *options, "--minutes", "0.0001"]) == 0
        assert capsys.readouterr().err.count("sealed before") == 10
    assert "write (baseline, grammar): 4 problems, 0 programs, 4 left out, because the time was over" in said.err
    assert "refine: left out" in said.err
    assert "evaluate: 0 compared, 4 problems" in said.err
    assert (
        "\n8 programs are left out, for which there was no time: the same command with more --minutes writes"
        in said.err
    )
    assert not run.stage("smt-distilled").folder.exists()
    assert len(run.stage("smt-baseline").records("answers.jsonl")) == 4


def test_foreign_problems_go_the_same_way(tmp_path: Path) -> None:
    """Those of a file are filtered, mended and validated with the others; without gold, one answer is what they are learnt by."""
    table = tmp_path / "mine.csv"
    program = "(declare-const answer Int)(assert (= answer {}))(check-sat)"
    with table.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["problem", "reasoning", "program"])
        writer.writerows(
            [["Four?", "It is.", program.format(4)], ["Any?", "", program.format("answer")], ["Bad?", "", "(("]]
        )
    run = RunFolder(tmp_path / "run")
    options = ("--until", "validate", "--count", "0", "--broken", "0", "--problems", str(table))
    assert main(["smt", "run", "--run", str(run.folder), *options]) == 0
    assert [record["id"] for record in run.stage("smt-validate").records("problems.jsonl")] == ["mine-1"]
    assert [row["valid"] for row in rows(run, "validate", "validation_results.csv")] == ["true", "true", "false"]


def test_a_missing_step_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beginning amid a run that is not there ends with status 2 and one message."""
    assert main(["smt", "run", "--run", str(tmp_path / "run"), "--from", "format"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("oracle-factory smt run: format: ")
    assert "Traceback" not in said


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_ended_goes_on(made: Made, tmp_path: Path, end: signal.Signals) -> None:
    """Killed or interrupted amid writing, it does not write again what it has written, and ends with the same programs."""
    options = [option if option != str(made.run.folder) else str(tmp_path / "run") for option in made.options]
    command = [sys.executable, "-m", "oracle_factory", "smt", "run", *options, "--batch", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ORACLE_FACTORY_CACHE": str(tmp_path / "cache")}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    shards = tmp_path / "run" / "smt-distilled" / "shards"
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline and not any(path.stat().st_size for path in shards.glob("*")):
        time.sleep(0.01)
    process.send_signal(end)
    said = process.communicate()[1].decode()
    if end is signal.SIGINT:
        assert process.returncode == 130
        assert said.endswith("Interrupted: the same command continues where it stopped.\n")
        assert "Traceback" not in said
    kept = [
        line for path in shards.glob("*") for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")
    ]
    assert 0 < len(kept) < 4
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ORACLE_FACTORY_CACHE", str(tmp_path / "cache"))
        assert main(["smt", "run", *options, "--batch", "1"]) == 0
    answers = RunFolder(tmp_path / "run").stage("smt-distilled").records("answers.jsonl")
    assert all(json.loads(line) in answers for line in kept)
    assert len(answers) == 4
