"""The command that makes a stage of a run names the inputs of the run, so that it runs as it is printed."""

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from harness.command_line.runnable_commands import runnable
from harness.paths import ROOT
from harness.store.run_folder import run_option
from oracle_factory.command import main
from reports.views.artefacts import command_on
from tests.cases import cases

DEFAULT = {
    "corpus": "mini",
    "formalizations": ["formalizations.jsonl", "annotation"],
    "problems": None,
    "slice": None,
    "oracle": "parameters",
    "weights": [0.7, 0.3],
    "bonus": [1.0, 1.1, 1.2, 1.3],
    "strict": True,
    "max_pairs": 1000,
}
OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"problems": "0:3", "slice": "1/2"}, ["--harness-problems=0:3", "--harness-slice=1/2"]),
    ({"formalizations": ["annotation"]}, ["--harness-formalizations=annotation"]),
    ({"weights": [0.5, 0.5], "strict": False}, ["--harness-weights=0.5,0.5", "--harness-strict=no"]),
    (
        {"corpus": "a b; c.jsonl"},
        [
            "--harness-corpus=a b; c.jsonl",
            "--harness-formalizations=FOLDER/formalizations.jsonl",
            "--harness-formalizations=annotation",
        ],
    ),
]


@cases(("changed", "expected"), OPTIONS)
def test_options_that_differ_from_the_defaults_are_named(
    tmp_path: Path, changed: dict[str, Any], expected: list[str]
) -> None:
    """Each recorded option that is not a default is an option of the command, quoted; no other is, and none where no manifest can be read."""
    (tmp_path / "label").mkdir()
    manifest = {"seed": 0, "options": {**DEFAULT, **changed}}
    (tmp_path / "label" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    first = f"{runnable('pytest')} -n auto -m mutation {run_option(tmp_path)}"
    assert shlex.split(command_on("mutation", tmp_path)) == [*shlex.split(first), *expected]
    for odd in ("[", "{}", "[]", '{"options": 3, "seed": 0}', '{"options": {}, "seed": 0}'):
        (tmp_path / "label" / "manifest.json").write_text(odd, encoding="utf-8")
        assert command_on("mutation", tmp_path) == first


def test_files_that_are_not_here_have_a_folder_to_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Labels are named for their own stage alone; a file is named as it is only where it is found by that name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run" / "label").mkdir(parents=True)
    options = {**DEFAULT, "formalizations": [], "labels": ["here.jsonl", "there.jsonl", "x" * 400 + ".jsonl"]}
    (tmp_path / "run" / "label" / "manifest.json").write_text(json.dumps({"seed": 0, "options": options}))
    (tmp_path / "here.jsonl").write_text("")
    run = Path("run")
    assert "labels" not in command_on("mutation", run)
    named = [part for part in shlex.split(command_on("label", run)) if part.startswith("--harness-labels=")]
    assert named[:2] == ["--harness-labels=here.jsonl", "--harness-labels=FOLDER/there.jsonl"]


@pytest.mark.slow
def test_the_command_makes_the_stage_of_a_run_on_another_corpus(tmp_path: Path) -> None:
    """A part of a corpus that is not the bundled one is judged; the command, as printed, adds the mutation stage to that run."""
    corpus, run = tmp_path / "mine.jsonl", tmp_path / "run"
    corpus.write_bytes((ROOT / "corpora" / "mini" / "problems.jsonl").read_bytes())
    assert main(["judge", str(corpus), "annotation", "--problems", "0:2", "--out", str(run), "-j", "1"]) == 0
    ended = subprocess.run(
        [*shlex.split(command_on("mutation", run)), "-n0", "--harness-gate=none"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-2000:]
    assert (run / "mutation" / "manifest.json").is_file()
