"""The suite of the levels: each is trained, asked with its own prompt, and examined beside the majority and the base weights."""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.command_line.runnable_commands import runnable
from harness.corpora.problems import read_records
from harness.solution.labels import ErrorClass
from harness.store.run_folder import dump, write_lines
from sft.evaluation.baselines import MAJORITY, TRAINED
from sft.models.presets import DEFAULT
from sft.plugin import TINY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sft.training.run import TrainingOutcome

pytestmark = pytest.mark.sft
MEASURES = {
    "1": ("verdict_accuracy",),
    "2": ("class_accuracy",),
    "3": ("class_accuracy",),
    "4": ("class_accuracy",),
    "5": ("weighted_f1", "line_accuracy"),
    "max": ("weighted_f1", "line_accuracy"),
}
"""The engines that each level is compared with."""
TINY_STEPS = 16
TINY_SAMPLES, TINY_HELD = 96, 8
HELD_PROBLEMS = 24
"""The number of unseen problems that are judged at each level."""
FEW = {"": 12, ErrorClass.COMPUTATIONAL: 4, ErrorClass.CONCEPTUAL: 4, ErrorClass.SKIPPED_STEP: 4}
"""The number of solutions of each class that are judged for a small model on a CPU, half of them correct."""
FEW_VALIDATED = 16
"""So many sequences are validated on: on 120 of them two cores spend longer than on the training."""
FEW_AT_ONCE = 2
"""Sequences in a step of a small model on a CPU, which takes dozens of steps in half a minute."""


@dataclass(frozen=True, slots=True)
class ExaminedLevel:
    """A trained level: the level, the outcome of training, and the metrics of each engine on problems kept out."""

    level: str
    outcome: TrainingOutcome
    metrics: Mapping[str, Mapping[str, Any]]
    small: bool

    def require_better(self, engine: str) -> None:
        """Fail where the adapter is no better than another engine; expect the failure, with the figures, of a small model on a CPU alone."""
        for measure in MEASURES[self.level]:
            ours, theirs = (self.metrics[name][measure]["value"] for name in (TRAINED, engine))
            figures = f"level {self.level}: {measure} {ours:.3f}, {engine} {theirs:.3f}"
            if self.small and not ours > theirs:
                pytest.xfail(figures)
            assert ours > theirs, figures


@pytest.fixture(scope="module")
def level_folder(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """Return where the levels keep their adapters and the sealed figures."""
    named = pytestconfig.getoption("harness_sft_out")
    return Path(named) if named else tmp_path_factory.mktemp("levels")


@pytest.fixture(scope="module")
def level_preset(pytestconfig: pytest.Config, level_folder: Path) -> str:
    """Return the preset to train."""
    from sft.training.tiny_models import write_tiny_preset

    named = pytestconfig.getoption("harness_sft_preset")
    level_folder.mkdir(parents=True, exist_ok=True)
    return str(write_tiny_preset(level_folder)) if named == TINY else str(named)


@pytest.fixture(scope="module")
def level_data(pytestconfig: pytest.Config, level_folder: Path) -> dict[str, Path]:
    """Return the samples to train on and to judge, and problems: of a run's stages, or for the tiny model small ones."""
    from sft.training.tiny_models import write_tiny_level_samples, write_tiny_problems

    folder = level_folder / "data"
    if pytestconfig.getoption("harness_sft_preset") == TINY:
        folder.mkdir(exist_ok=True)
        return {
            "train": write_tiny_level_samples(folder / "train.jsonl", TINY_SAMPLES, seed=1),
            "held": write_tiny_level_samples(folder / "held.jsonl", TINY_HELD, seed=2),
            "problems": write_tiny_problems(folder / "problems.jsonl", TINY_SAMPLES, seed=1),
        }
    from sft.datasets.command import DatasetOptions, make_datasets

    option = pytestconfig.getoption
    runs, excluded = option("harness_sft_runs"), option("harness_exclude")
    if not runs:
        pytest.skip("no run to make the data of: give --harness-sft-runs RUN")
    make_datasets(
        DatasetOptions(
            folder,
            seed=option("harness_seed"),
            run=[Path(run) for run in runs],
            corpus=[option("harness_corpus")] if excluded else [],
            exclude=[Path(excluded)] if excluded else [],
            evaluation=[Path(path) for path in option("harness_sft_evaluation")],
            levels="none",
        )
    )
    return {
        "train": folder / "samples-train.jsonl",
        "held": _few(folder / "samples-test.jsonl") if small else folder / "samples-test.jsonl",
        "problems": folder / "problems-train.jsonl",
    }


@pytest.fixture(scope="module")
def small(pytestconfig: pytest.Config) -> bool:
    """Return whether the model is a small one on a CPU, which can reach little in minutes."""
    import torch

    named = pytestconfig.getoption("harness_sft_preset")
    return named == TINY or (named == DEFAULT and not torch.cuda.is_available())


def _few(kept_out: Path) -> Path:
    """Write a few solutions of each class beside a file of samples, and return their path."""
    by_class: dict[str, list[dict[str, Any]]] = {name: [] for name in FEW}
    for _, record in read_records(kept_out):
        by_class[str(record["error_class"] or "")].append(record)
    drawn = [
        record
        for name, records in by_class.items()
        for record in random.Random(f"few:{name}").sample(records, min(len(records), FEW[name]))
    ]
    few = kept_out.with_name("few.jsonl")
    write_lines(few, (dump(record) + "\n" for record in drawn))
    return few


def _settings(config: pytest.Config, level: str, folder: Path, *, small: bool) -> dict[str, Any]:
    """Return the settings of a level's training: its part of the minutes, a few steps of the tiny model."""
    shared: dict[str, Any] = {
        "level": level,
        "log_steps": 1,
        "seed": config.getoption("harness_seed"),
        "out": str(folder / f"level-{level}" / "run"),
        "resume": any((folder / f"level-{level}" / "run" / "checkpoints").glob("checkpoint-*")),
    }
    if config.getoption("harness_sft_preset") == TINY:
        return {**shared, "max_steps": TINY_STEPS, "epochs": 4.0, "minutes": 0.0}
    # Half of the time is for judging.
    minutes = config.getoption("harness_sft_minutes") / (2 * (len(MEASURES) + 1))
    few = {"batch_size": FEW_AT_ONCE, "evaluations": 1, "valid_most": FEW_VALIDATED} if small else {}
    return {**shared, "minutes": minutes, "epochs": 2.0, **few}


@pytest.fixture(scope="module", params=MEASURES)
def examined(
    request: pytest.FixtureRequest,
    pytestconfig: pytest.Config,
    level_preset: str,
    level_data: dict[str, Path],
    level_folder: Path,
    *,
    small: bool,
) -> ExaminedLevel:
    """Return a level, trained and examined; the figures are sealed as the stage verifier of a run of its own."""
    from sft.evaluation.command import EvaluateOptions, evaluate_engines
    from sft.training.config import settings_of
    from sft.training.run import train

    level = request.param
    outcome = train(
        settings_of(
            level_preset, train=[str(level_data["train"])], **_settings(pytestconfig, level, level_folder, small=small)
        )
    )
    out = level_folder / f"level-{level}" / "verifier"
    # The engine chat would be better by what is proved before it is asked.
    options = EvaluateOptions(
        engines=f"{MAJORITY},zero-shot,{TRAINED}",
        items=[level_data["held"]],
        level=level,
        preset=level_preset,
        adapter=outcome.adapter,
        out=str(out),
        problems=HELD_PROBLEMS,
        rounds=200,
        batch=8,
    )
    assert evaluate_engines(options) == 0
    figures = [json.loads(line) for line in (out / "figures.jsonl").read_text("utf-8").splitlines()]
    return ExaminedLevel(level, outcome, {row["engine"]: row["metrics"] for row in figures}, small)


def require_falling(outcome: TrainingOutcome) -> None:
    """Fail where the loss of the last quarter of the run is not below that of the first."""
    losses = [entry["loss"] for entry in outcome.history if "loss" in entry]
    assert len(losses) > 1
    assert all(math.isfinite(loss) for loss in losses)
    quarter = max(1, len(losses) // 4)
    first, last = sum(losses[:quarter]) / quarter, sum(losses[-quarter:]) / quarter
    assert last < first


def test_loss_falls(examined: ExaminedLevel) -> None:
    """Training on the prompt and completion of a level lowers their loss."""
    require_falling(examined.outcome)


def test_adapter_stores_its_level(examined: ExaminedLevel) -> None:
    """The adapter's settings and its card name the level, so that it is asked as it was trained."""
    from sft.verifier.language_model.level_judgements import trained_form

    form = trained_form(examined.outcome.adapter)
    assert form is not None
    assert form.level == examined.level
    assert f"level {examined.level}" in (examined.outcome.adapter / "README.md").read_text("utf-8")


def test_answers_have_the_form_of_the_level(examined: ExaminedLevel) -> None:
    """Every answer of the trained model is a label or an object of its level."""
    assert examined.metrics[TRAINED]["json_validity"]["value"] == 1


def test_beats_the_majority(examined: ExaminedLevel) -> None:
    """On problems kept out, the trained model is better than always saying the commonest label."""
    examined.require_better("majority")


def test_beats_the_base_weights(examined: ExaminedLevel) -> None:
    """On problems kept out, the trained model is better than the same weights untrained, asked with the same prompt."""
    examined.require_better("zero-shot")


def test_validator_loss_falls(
    pytestconfig: pytest.Config, level_preset: str, level_data: dict[str, Path], level_folder: Path, *, small: bool
) -> None:
    """Training on the prompt and completion of the validator lowers their loss."""
    from sft.training.config import settings_of
    from sft.training.run import train

    if not level_data["problems"].is_file():
        pytest.skip(f"the runs have no problem variants; make them: {runnable('make variant')}")
    settings = _settings(pytestconfig, "validator", level_folder, small=small)
    require_falling(train(settings_of(level_preset, train=[str(level_data["problems"])], **settings)))
