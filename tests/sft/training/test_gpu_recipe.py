"""The recipe for a GPU, `make sft-gpu`: its very commands, run on a tiny model, train, go on and evaluate."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from harness.paths import ROOT
from sft.training.tiny_models import write_tiny_preset, write_tiny_samples

if TYPE_CHECKING:
    from pathlib import Path


def _commands(folder: Path, preset: Path) -> list[list[str]]:
    """Return the commands that make would run, with this interpreter in place of the one of `.venv`."""
    variables = [f"PRESET={preset}", f"DATASET={folder}", f"GPU_OUT={folder / 'out'}", "GPU_MINUTES=1"]
    printed = subprocess.run(
        ["make", "--no-print-directory", "-n", "sft-gpu", *variables],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    lines = [shlex.split(line) for line in printed.splitlines() if "/oracle-factory " in line]
    return [[sys.executable, "-m", "oracle_factory", *words[1:]] for words in lines]


@pytest.mark.slow
def test_the_recipe_trains_goes_on_and_evaluates(tmp_path: Path) -> None:
    """A second call resumes; the adapter has its card, and is measured beside the commonest label and the base weights."""
    preset = write_tiny_preset(tmp_path)
    write_tiny_samples(tmp_path / "samples-train.jsonl", 256, seed=1)
    write_tiny_samples(tmp_path / "samples-validation.jsonl", 80, seed=2)
    first = _commands(tmp_path, preset)
    assert [words[3] for words in first] == ["train", "evaluate"]
    assert "--resume" not in first[0]
    for words in first:
        subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    out = tmp_path / "out"
    assert "--resume" in _commands(tmp_path, preset)[0]
    metrics = json.loads((out / "adapter" / "metrics.json").read_text("utf-8"))
    assert metrics["steps"] > 1
    assert (out / "adapter" / "README.md").is_file()
    figures = [json.loads(line) for line in (out / "verifier" / "figures.jsonl").read_text("utf-8").splitlines()]
    assert {row["engine"] for row in figures} == {"majority", "zero-shot", "trained"}
