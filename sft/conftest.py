"""The fixtures of the training stage: the preset, the data, and the time of its parts."""

from pathlib import Path
from typing import Any

import pytest

from harness.command_line.runnable_commands import runnable
from harness.store.run_folder import LATEST, with_stage
from sft.evaluation.examination import AdapterExamination
from sft.models.presets import DEFAULT
from sft.plugin import TINY, preset_of

TINY_SAMPLES, TINY_HELD = 48, 8
FEW_VALIDATED = 16
"""So many sequences does a small model on a CPU validate on: on 120 of them two cores spend longer than on the training."""
FEW_AT_ONCE = 2
"""Sequences in a step of a small model on a CPU, which takes dozens of steps in a minute."""
TRAININGS = 8
"""Six levels, the validator, and the adapter that is loaded again."""
TRAINING_SHARE = 0.5
"""The other half of the time is for making the data, loading the model, and judging."""
JUDGED = 24
"""The number of solutions, and of problems, that are judged in a quarter of an hour."""


@pytest.fixture(scope="session")
def stage_folder(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """Return where the stage keeps its data, its adapters and the sealed figures."""
    named = pytestconfig.getoption("harness_sft_out")
    folder = Path(named) if named else tmp_path_factory.mktemp("sft")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def tiny(pytestconfig: pytest.Config) -> bool:
    """Return whether the model is the tiny one, which needs no run."""
    return preset_of(pytestconfig).name == TINY


@pytest.fixture(scope="session")
def small(pytestconfig: pytest.Config, *, tiny: bool) -> bool:
    """Return whether the model is a small one on a CPU, which can reach little in minutes."""
    import torch

    return tiny or (preset_of(pytestconfig).name == DEFAULT and not torch.cuda.is_available())


@pytest.fixture(scope="session")
def preset(pytestconfig: pytest.Config, stage_folder: Path, *, tiny: bool) -> str:
    """Return the preset to train."""
    from sft.training.tiny_models import write_tiny_preset

    return str(write_tiny_preset(stage_folder)) if tiny else preset_of(pytestconfig).name


@pytest.fixture(scope="session")
def minutes(pytestconfig: pytest.Config) -> float:
    """Return about how long the whole suite is to take."""
    return float(pytestconfig.getoption("harness_sft_minutes"))


@pytest.fixture(scope="session")
def data(pytestconfig: pytest.Config, stage_folder: Path) -> Path:
    """Return the datasets made of the sealed stages of runs; those of a session that was cut off are made again."""
    from sft.datasets.command import DatasetOptions, make_datasets
    from sft.datasets.output import DatasetFolder
    from sft.datasets.sources import SAMPLES

    option = pytestconfig.getoption
    latest = with_stage(Path(option("harness_runs")) / LATEST, *SAMPLES)
    sealed = any((latest / stage / "manifest.json").is_file() for stage in SAMPLES)
    runs = option("harness_sft_runs") or ([str(latest)] if sealed else [])
    if not runs:
        make = f"run {runnable('make mutation')} or {runnable('make variant')}, or give --harness-sft-runs RUN"
        pytest.skip(f"no sealed stage in {latest}: {make}")
    excluded = option("harness_exclude")
    folder = stage_folder / "data"
    DatasetFolder(folder).clear()
    make_datasets(
        DatasetOptions(
            folder,
            seed=option("harness_seed"),
            run=[Path(run) for run in runs],
            corpus=[option("harness_corpus")] if excluded else [],
            exclude=[Path(excluded)] if excluded else [],
            evaluation=[Path(path) for path in option("harness_sft_evaluation")],
        )
    )
    return folder


@pytest.fixture(scope="session")
def examined_data(stage_folder: Path, request: pytest.FixtureRequest, *, tiny: bool) -> Path:
    """Return the folder of what is trained on and judged: of a run's stages, or for the tiny model small files of the same names."""
    if not tiny:
        folder: Path = request.getfixturevalue("data")
        return folder
    from sft.training.tiny_models import tiny_problems, tiny_samples, write_tiny_samples

    for kind, made in (("samples", tiny_samples), ("problems", tiny_problems)):
        for split, count, seed in (("train", TINY_SAMPLES, 1), ("test", TINY_HELD, 2)):
            write_tiny_samples(stage_folder / f"{kind}-{split}.jsonl", count, seed=seed, of=made)
    return stage_folder


@pytest.fixture(scope="session")
def changed(pytestconfig: pytest.Config, minutes: float, *, small: bool, tiny: bool) -> dict[str, Any]:
    """Return the settings in which these trainings differ from the preset's."""
    shared: dict[str, Any] = {"log_steps": 1, "seed": pytestconfig.getoption("harness_seed")}
    if tiny:
        return {**shared, "minutes": 0.0}
    few = {"batch_size": FEW_AT_ONCE, "evaluations": 1, "valid_most": FEW_VALIDATED} if small else {}
    return {**shared, "minutes": minutes * TRAINING_SHARE / TRAININGS, "epochs": 2.0, **few}


@pytest.fixture(scope="session")
def stage(
    stage_folder: Path,
    preset: str,
    changed: dict[str, Any],
    examined_data: Path,
    minutes: float,
) -> AdapterExamination:
    """Return what the trainings and examinations share."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    judged = max(JUDGED, round(JUDGED * minutes / 15))
    return AdapterExamination(stage_folder, preset, changed, device, examined_data, judged)
