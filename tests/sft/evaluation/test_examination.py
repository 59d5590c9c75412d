"""The examination of trained adapters: trainings that are kept, continued or made anew."""

import json
import shutil
from pathlib import Path

import pytest

from sft.constraints.stages import CLAIM
from sft.evaluation.examination import AdapterExamination
from sft.training.tiny_models import write_tiny_preset, write_tiny_samples


@pytest.mark.slow
def test_finished_training_is_kept(tmp_path: Path) -> None:
    """A finished training is not made again; one that was cut off is continued; other data or settings are trained anew."""
    preset = str(write_tiny_preset(tmp_path))
    write_tiny_samples(tmp_path / "samples-train.jsonl", 24, seed=1)
    changed = {"level": "1", "max_steps": 3, "minutes": 0.0, "log_steps": 1, "evaluations": 3, "patience": 0}
    stage = AdapterExamination(tmp_path, preset, changed, "cpu", tmp_path, 8)
    first = stage.trained("samples", "kept")
    assert first.outcome is not None
    kept = stage.trained("samples", "kept")
    assert kept.outcome is None
    assert (kept.adapter, kept.history) == (first.adapter, first.history)

    run = tmp_path / "kept" / "run"
    (tmp_path / "kept" / "manifest.json").unlink()
    for checkpoint in sorted((run / "checkpoints").iterdir())[1:]:
        shutil.rmtree(checkpoint)
    continued = stage.trained("samples", "kept")
    assert continued.outcome is not None
    assert continued.outcome.metrics["steps"] == 3
    assert [entry["step"] for entry in continued.history if "loss" in entry] == [1, 2, 3]

    write_tiny_samples(tmp_path / "samples-train.jsonl", 24, seed=2)
    anew = stage.trained("samples", "kept")
    assert anew.outcome is not None
    inputs = json.loads((tmp_path / "kept" / CLAIM).read_text("utf-8"))
    assert stage.trained("samples", "kept", max_steps=2).outcome is not None
    assert json.loads((tmp_path / "kept" / CLAIM).read_text("utf-8")) != inputs
