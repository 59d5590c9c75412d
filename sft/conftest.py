"""The fixtures of the training stage: the preset, the data, and the time of its parts."""

from pathlib import Path
from typing import Any

import pytest

from harness.command_line.runnable_commands import runnable
from harness.constraint_system import ProblemClass
from harness.solution.labels import ErrorClass
from harness.store.run_folder import LATEST, with_stage
from sft.evaluation.examination import AdapterExamination, drawn_examples
from sft.models.presets import DEFAULT
from sft.plugin import TINY, preset_of

TINY_SAMPLES, TINY_HELD = 96, 8
FEW_VALIDATED = 16
"""So many sequences does a small model on a CPU validate on: on 120 of them two cores spend longer than on the training."""
FEW_AT_ONCE = 2
"""Sequences in a step of a small model on a CPU, which takes dozens of steps in a minute."""
TRAININGS = 8
"""Six levels, the validator, and the adapter that is loaded again."""
TRAINING_SHARE = 0.5
"""The other half of the time is for making the data, loading the model, and judging."""
OF_EACH_CLASS = 4
"""The number of flawed solutions of each class, and of problems of each class, that are judged in a quarter of an hour."""


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
def training_files(stage_folder: Path, request: pytest.FixtureRequest, *, tiny: bool) -> dict[str, Path]:
    """Return what is trained on, by kind: `levels` and `validator`; of a run's stages, or for the tiny model small ones."""
    if tiny:
        return _tiny_files(stage_folder, "train", TINY_SAMPLES, seed=1)
    folder: Path = request.getfixturevalue("data")
    return {"levels": folder / "samples-train.jsonl", "validator": folder / "problems-train.jsonl"}


def _tiny_files(folder: Path, name: str, count: int, *, seed: int) -> dict[str, Path]:
    from sft.training.tiny_models import tiny_problems, write_tiny_samples

    return {
        "levels": write_tiny_samples(folder / f"tiny-{name}.jsonl", count, seed=seed),
        "validator": write_tiny_samples(folder / f"tiny-{name}-problems.jsonl", count, seed=seed, of=tiny_problems),
    }


@pytest.fixture(scope="session")
def judged_files(stage_folder: Path, minutes: float, request: pytest.FixtureRequest, *, tiny: bool) -> dict[str, Path]:
    """Return what is judged, of problems kept out, half of it correct or solvable, by kind: `levels` and `validator`."""
    if tiny:
        return _tiny_files(stage_folder, "held", TINY_HELD, seed=2)
    folder: Path = request.getfixturevalue("data")
    each = max(1, round(OF_EACH_CLASS * minutes / 15))
    samples: dict[str | None, int] = {None: 3 * each, **dict.fromkeys(map(str, ErrorClass), each)}
    few = drawn_examples(folder / "samples-test.jsonl", stage_folder / "few.jsonl", "error_class", samples)
    path = folder / "problems-test.jsonl"
    if not path.is_file():
        return {"levels": few}
    problems = {int(kind): each * (2 if kind is ProblemClass.SOLVABLE else 1) for kind in ProblemClass}
    out = stage_folder / "few-problems.jsonl"
    return {"levels": few, "validator": drawn_examples(path, out, "class_label", problems)}


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
    training_files: dict[str, Path],
    judged_files: dict[str, Path],
) -> AdapterExamination:
    """Return what the trainings and examinations share."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    return AdapterExamination(stage_folder, preset, changed, training_files, judged_files, device)
