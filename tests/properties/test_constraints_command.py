"""Tests of the constraints command: it runs every stage, skips finished ones and resumes after an interruption."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.store.run_folder import RunFolder
from oracle_factory.command import main
from properties.constraints.pipeline_options import PipelineStep
from sft.training.tiny_models import write_tiny_preset
from tests.properties.session_process import ROOT

MADE = ["break", "filter", "format", "generate", "repair", "validate"]
WRITTEN = ["baseline", "baseline-grammar", "distilled", "distilled-grammar", "refine", "refine-grammar"]
STAGES = sorted([*MADE, *WRITTEN, "evaluate", "train"])
COUNT = 10
"""So many problems of each domain, where no model is trained."""
MAKING = ("--until", "format", "--count", str(COUNT), "--evaluation", "4")
PROBLEM = ["problem", "reasoning", "program"]
COLUMNS = {
    ("generate", "puzzles.csv"): PROBLEM,
    ("filter", "valid.csv"): PROBLEM,
    ("filter", "broken.csv"): [*PROBLEM, "reason", "line", "column"],
    ("repair", "repaired.csv"): [*PROBLEM, "repaired", "by", "certain", "kept", "doubts", "edits"],
    ("validate", "validation_results.csv"): ["id", "valid", "error"],
}


def smt_run(folder: Path, *options: str) -> int:
    """Run the command with a cache of its own, so that nothing of another test is there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ORACLE_FACTORY_CACHE", str(folder / "cache"))
        return main(["smt", "run", "--run", str(folder / "run"), *options])


def modelled(folder: Path) -> tuple[str, ...]:
    """Return options of a run with a small model."""
    return ("--preset", str(write_tiny_preset(folder)), "--device", "cpu")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Run what needs no model."""
    folder = tmp_path_factory.mktemp("prepared")
    assert smt_run(folder, *MAKING) == 0
    return RunFolder(folder / "run")


def rows(run: RunFolder, stage: str, name: str) -> list[dict[str, str]]:
    """Return the rows of a table of a stage."""
    return list(csv.DictReader(io.StringIO("\n".join(run.stage(f"smt-{stage}").lines(name)), newline="")))


def sealed(run: RunFolder) -> list[str]:
    """Return the stages that are sealed, which are all there is."""
    found = sorted(path.parent.name for path in run.folder.glob("*/manifest.json"))
    assert found == sorted(path.name for path in run.folder.iterdir() if path.name != "report")
    return [name.removeprefix("smt-") for name in found]


def test_tables_have_a_row_for_each_problem(prepared: RunFolder) -> None:
    """Each step seals its stage, with tables as users of such pipelines expect them."""
    assert sealed(prepared) == MADE
    for (stage, name), columns in COLUMNS.items():
        assert prepared.stage(f"smt-{stage}").lines(name)[0].split(",") == columns
    problems = prepared.stage("smt-generate").records("problems.jsonl")
    for domain in {problem["domain"] for problem in problems}:
        own = [(problem["problem"], problem["program"]) for problem in problems if problem["domain"] == domain]
        assert [(row["problem"], row["program"]) for row in rows(prepared, "generate", f"{domain}.csv")] == own
        assert len(own) == COUNT
    tables = {path.name: path.read_bytes() for path in prepared.stage("smt-generate").folder.glob("*.csv")}
    assert tables["resource_alloc.csv"] == tables["resources.csv"]
    valid, broken = (rows(prepared, "filter", f"{name}.csv") for name in ("valid", "broken"))
    assert len(valid) + len(broken) == len(rows(prepared, "validate", "validation_results.csv")) == 4 * COUNT
    assert len(rows(prepared, "repair", "repaired.csv")) == len(broken)


def test_a_run_that_is_done_is_passed_over(prepared: RunFolder, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is written, and each step says so."""
    before = {path: path.stat().st_mtime_ns for path in prepared.folder.rglob("*")}
    time.sleep(1.1)  # what is newer than a second is taken for fresh
    assert smt_run(prepared.folder.parent, *MAKING) == 0
    assert {path: path.stat().st_mtime_ns for path in prepared.folder.rglob("*")} == before
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith(tuple(PipelineStep))]
    assert [line.partition(":")[2] for line in lines] == [" sealed before"] * len(MADE)


@pytest.mark.slow
def test_every_step_seals_its_stage(tmp_path: Path) -> None:
    """With a model, too, and no other folder is left; the metrics are those of three models, on their own and held to the grammar."""
    options = ("--count", "25", "--evaluation", "4", "--max-steps", "2", "--most", "24")
    assert smt_run(tmp_path, *modelled(tmp_path), *options) == 0
    run = RunFolder(tmp_path / "run")
    assert sealed(run) == STAGES
    assert [list(row) for row in rows(run, "refine", "refined_outputs.csv")] == [
        ["id", "initial_valid", "final_valid", "iterations"]
    ] * 4
    metrics = json.loads("".join(run.stage("smt-evaluate").lines("final_metrics.json")))
    assert metrics.pop("num_examples") == 4
    assert metrics.pop("total_runtime_seconds") > 0
    names = [f"{who}{held}" for who in ("baseline", "distilled", "refined") for held in ("", "_grammar")]
    assert set(metrics) == {f"{name}_{measure}_pct" for name in names for measure in ("valid", "correct")}
    assert all(0 <= share <= 100 for share in metrics.values())


@pytest.mark.slow
def test_few_problems_without_training_and_without_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The base model alone writes. Without time, no step is done by half and no program is written; with time the same command goes on to the end."""
    run = RunFolder(tmp_path / "run")
    options = [*modelled(tmp_path), "--count", "5", "--skip", "train", "--skip", "break", "--batch", "1", "--most", "8"]
    assert smt_run(tmp_path, *options, "--minutes", "0.0001") == 2
    assert "generate: the time of --minutes is over at 1 of 20 problems" in capsys.readouterr().err
    assert not run.stage("smt-generate").sealed
    assert smt_run(tmp_path, *options, "--until", "format") == 0
    assert run.stage("smt-filter").manifest()["counts"]["broken"] == 0
    assert sealed(run) == [name for name in MADE if name != "break"]
    capsys.readouterr()
    assert smt_run(tmp_path, *options, "--minutes", "0.0001") == 0
    told = capsys.readouterr().err
    assert "write (baseline, grammar): 4 problems, 0 programs, 4 left out, because the time was over" in told
    assert "refine: left out" in told
    assert "evaluate: 0 compared, 4 problems" in told
    assert "\n8 programs are left out, for which there was no time: the same command with more --minutes" in told
    assert run.stage("smt-baseline").records("answers.jsonl") == []
    assert smt_run(tmp_path, *options) == 0
    assert capsys.readouterr().err.count("4 problems, 4 programs") == 2
    assert smt_run(tmp_path, *options, "--minutes", "0.0001") == 0
    assert capsys.readouterr().err.count("sealed before") == 8
    assert len(run.stage("smt-baseline").records("answers.jsonl")) == 4


def test_foreign_problems_go_the_same_way(tmp_path: Path) -> None:
    """Those of a file are filtered, repaired and validated with the others; without gold, one answer is what they are learnt by."""
    table = tmp_path / "mine.csv"
    program = "(declare-const answer Int)(assert (= answer {}))(check-sat)"
    with table.open("w", newline="") as stream:
        cells = [["Four?", "It is.", program.format(4)], ["Any?", "", program.format("answer")], ["Bad?", "", "(("]]
        csv.writer(stream).writerows([PROBLEM, *cells])
    assert smt_run(tmp_path, "--until", "validate", "--count", "0", "--broken", "0", "--problems", str(table)) == 0
    run = RunFolder(tmp_path / "run")
    assert [record["id"] for record in run.stage("smt-validate").records("problems.jsonl")] == ["mine-1"]
    assert [row["valid"] for row in rows(run, "validate", "validation_results.csv")] == ["true", "true", "false"]


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_ended_goes_on(tmp_path: Path, end: signal.Signals) -> None:
    """Killed or interrupted amid writing, it does not write again what it has written, and ends with the same programs."""
    options = [*modelled(tmp_path), "--count", "25", "--evaluation", "4", "--max-steps", "2"]
    options += ["--most", "24", "--batch", "1"]
    command = [sys.executable, "-m", "oracle_factory", "smt", "run", "--run", str(tmp_path / "run"), *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ORACLE_FACTORY_CACHE": str(tmp_path / "cache")}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    shards = tmp_path / "run" / "smt-distilled" / "shards"
    deadline = time.monotonic() + 200
    while time.monotonic() < deadline and not any(path.stat().st_size for path in shards.glob("*")):
        time.sleep(0.01)
    process.send_signal(end)
    told = process.communicate()[1].decode()
    if end is signal.SIGINT:
        assert process.returncode == 130
        assert told.endswith("interrupted; finished work is kept, and the same command continues from there\n")
        assert "Traceback" not in told
    lines = [line for path in shards.glob("*") for line in path.read_text().splitlines(keepends=True)]
    kept = [line for line in lines if line.endswith("\n")]
    assert 0 < len(kept) < 4
    assert smt_run(tmp_path, *options) == 0
    answers = RunFolder(tmp_path / "run").stage("smt-distilled").records("answers.jsonl")
    assert all(json.loads(line) in answers for line in kept)
    assert len(answers) == 4
