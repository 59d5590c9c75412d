"""Tests of the training of the adapter: it ends with the time of its stage, keeps what was learnt, and reads a curriculum in its order."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from harness.store.run_folder import RunFolder
from sft.constraints.adapter_training import adapter_of, metrics_of, train_adapter
from sft.constraints.dataset import ProblemSplitPlan, make_dataset
from sft.constraints.prompts import OutputForm
from sft.constraints.stages import StageWatch
from sft.training.tiny_models import write_tiny_preset
from tests.sft.constraints.fakes import write_tiny_problems

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 6.0
LAST = 20.0
"""What a step and an evaluation may take beyond the time, on a machine that is busy."""


@pytest.fixture
def formatted(tmp_path: Path) -> RunFolder:
    """Return a run with its data formatted as a curriculum."""
    run = RunFolder(tmp_path / "run")
    plan = ProblemSplitPlan((0.5, 0.2, 0.3), 5, 4, form=OutputForm.CLAUSES, curriculum=True)
    make_dataset(run, write_tiny_problems(tmp_path / "problems.jsonl", 60), None, plan)
    return run


@pytest.mark.slow
@pytest.mark.parametrize("minutes", [0.0, 60.0])
def test_training_ends_with_the_time_of_its_stage(formatted: RunFolder, tmp_path: Path, minutes: float) -> None:
    """However many epochs and minutes are asked for, or none as their limit: the adapter of the steps until then is sealed."""
    changed = {"minutes": minutes, "epochs": 1_000.0, "patience": 0, "batch_size": 2}
    preset = str(write_tiny_preset(tmp_path))
    watch = StageWatch("train", time.monotonic() + SECONDS)
    stage = train_adapter(formatted, preset, changed, device="cpu", watch=watch)
    assert stage.sealed
    (settings,) = stage.records("settings.json")
    assert 0 < settings["minutes"] <= SECONDS / 60
    assert settings["order"] == "file"
    assert metrics_of(formatted)["seconds"] < SECONDS + LAST
    steps = metrics_of(formatted)["steps"]
    assert 0 < steps < 10_000
    assert (adapter_of(formatted) / "adapter_model.safetensors").is_file()


@pytest.mark.slow
def test_training_whose_time_was_over_before_it_began_is_sealed(formatted: RunFolder, tmp_path: Path) -> None:
    """It takes a step or a few, so that the run goes on with an adapter."""
    watch = StageWatch("train", time.monotonic() - 5)
    stage = train_adapter(formatted, str(write_tiny_preset(tmp_path)), {"epochs": 1_000.0}, device="cpu", watch=watch)
    assert stage.sealed
    assert json.loads(stage.read("metrics.json"))["steps"] >= 1
