"""The examination of trained adapters: trainings that are kept, continued or made anew."""

import json
import shutil
from pathlib import Path

import pytest

from sft.constraints.stages import CLAIM
from sft.evaluation.examination import trained_once
from sft.training.tiny_models import write_tiny_preset, write_tiny_samples


@pytest.mark.slow
def test_finished_training_is_kept(tmp_path: Path) -> None:
    """A finished training is not made again; one that was cut off is continued; other data or settings are trained anew."""
    preset = str(write_tiny_preset(tmp_path))
    data = write_tiny_samples(tmp_path / "data.jsonl", 24, seed=1)
    few = {"level": "1", "max_steps": 3, "minutes": 0.0, "log_steps": 1, "evaluations": 3, "patience": 0}
    first = trained_once(preset, data, tmp_path / "kept", **few)
    assert first.outcome is not None
    kept = trained_once(preset, data, tmp_path / "kept", **few)
    assert kept.outcome is None
    assert (kept.adapter, kept.history) == (first.adapter, first.history)

    run = tmp_path / "kept" / "run"
    (tmp_path / "kept" / "manifest.json").unlink()
    for checkpoint in sorted((run / "checkpoints").iterdir())[1:]:
        shutil.rmtree(checkpoint)
    continued = trained_once(preset, data, tmp_path / "kept", **few)
    assert continued.outcome is not None
    assert continued.outcome.metrics["steps"] == 3
    assert [entry["step"] for entry in continued.history if "loss" in entry] == [1, 2, 3]

    other = write_tiny_samples(tmp_path / "data.jsonl", 24, seed=2)
    anew = trained_once(preset, other, tmp_path / "kept", **few)
    assert anew.outcome is not None
    inputs = json.loads((tmp_path / "kept" / CLAIM).read_text("utf-8"))
    assert trained_once(preset, other, tmp_path / "kept", **{**few, "max_steps": 2}).outcome is not None
    assert json.loads((tmp_path / "kept" / CLAIM).read_text("utf-8")) != inputs
