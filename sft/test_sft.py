"""The suite of the verifier: no protected problem in the data, training learns, adapters load, outputs are valid."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.command_line.runnable_commands import runnable
from harness.corpora.problems import load_corpus, read_exclusion, read_records
from harness.store.latest_run import LATEST, with_stage
from sft.plugin import TINY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sft.models.base_model import LoadedModel
    from sft.training.run import TrainingOutcome

pytestmark = pytest.mark.sft
SHOWN = 8
"""The number of solutions that the trained adapter judges."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where the stage keeps its data and its run."""
    return tmp_path_factory.mktemp("sft")


@pytest.fixture(scope="module")
def data(pytestconfig: pytest.Config, folder: Path) -> Path:
    """Return the datasets made of the sealed stages of runs."""
    from sft.datasets.command import DatasetOptions, make_datasets
    from sft.datasets.sources import SAMPLES

    option = pytestconfig.getoption
    latest = with_stage(Path(option("harness_runs")) / LATEST, *SAMPLES)
    sealed = any((latest / stage / "manifest.json").is_file() for stage in SAMPLES)
    runs = option("harness_sft_runs") or ([str(latest)] if sealed else [])
    if not runs:
        pytest.skip(
            f"no sealed stage in {latest}: run {runnable('make mutation')} or {runnable('make variant')}, or give --harness-sft-runs RUN"
        )
    excluded = option("harness_exclude")
    make_datasets(
        DatasetOptions(
            folder / "data",
            seed=option("harness_seed"),
            run=[Path(run) for run in runs],
            corpus=[option("harness_corpus")] if excluded else [],
            exclude=[Path(excluded)] if excluded else [],
            evaluation=[Path(path) for path in option("harness_sft_evaluation")],
        )
    )
    return folder / "data"


@pytest.fixture(scope="module")
def trained_on(pytestconfig: pytest.Config, folder: Path, request: pytest.FixtureRequest) -> Path:
    """Return the samples to train on: of the stage's data, or for the tiny model small ones."""
    from sft.training.tiny_models import write_tiny_samples

    if pytestconfig.getoption("harness_sft_preset") == TINY:
        return write_tiny_samples(folder / "samples.jsonl", 120, seed=1)
    folder_of_data: Path = request.getfixturevalue("data")
    return folder_of_data / "samples-train.jsonl"


@pytest.fixture(scope="module")
def preset(pytestconfig: pytest.Config, folder: Path) -> str:
    """Return the preset to train."""
    from sft.training.tiny_models import write_tiny_preset

    named = pytestconfig.getoption("harness_sft_preset")
    return str(write_tiny_preset(folder)) if named == TINY else str(named)


@pytest.fixture(scope="module")
def outcome(pytestconfig: pytest.Config, preset: str, trained_on: Path, folder: Path) -> TrainingOutcome:
    """Return the outcome of training."""
    from sft.training.config import settings_of
    from sft.training.run import train

    minutes, seed = pytestconfig.getoption("harness_sft_minutes"), pytestconfig.getoption("harness_seed")
    return train(
        settings_of(
            preset,
            train=[str(trained_on)],
            out=str(folder / "run"),
            minutes=minutes,
            seed=seed,
            epochs=2.0,
            log_steps=1,
        )
    )


@pytest.fixture(scope="module")
def reloaded(outcome: TrainingOutcome, preset: str) -> LoadedModel:
    """Return the preset's model with the adapter as it was written."""
    from sft.models.base_model import load_with_adapter

    return load_with_adapter(preset, outcome.adapter, str(outcome.model.device))


@pytest.fixture(scope="module")
def solutions(trained_on: Path) -> Sequence[dict[str, Any]]:
    """Return some solutions."""
    return [record for _, record in read_records(trained_on)][:SHOWN]


def test_data_hold_no_excluded_problem(pytestconfig: pytest.Config, data: Path) -> None:
    """No record of any split is of an excluded problem, nor of one edited from it; there are records."""
    exclude, corpus = pytestconfig.getoption("harness_exclude"), pytestconfig.getoption("harness_corpus")
    excluded = set(read_exclusion(Path(exclude), load_corpus(corpus)).problems) if exclude else set()
    records = [record for path in sorted(data.glob("*.jsonl")) for _, record in read_records(path)]
    assert records
    assert not {str(record["problem_id"]).partition(":")[0] for record in records} & excluded


def test_training_learns(outcome: TrainingOutcome) -> None:
    """The loss of the last quarter of the steps is below that of the first, and every figure is a number."""
    losses = [entry["loss"] for entry in outcome.history if "loss" in entry]
    assert outcome.metrics["steps"] > 0
    assert all(math.isfinite(loss) for loss in losses)
    assert len(losses) > 1
    quarter = max(1, len(losses) // 4)
    assert sum(losses[-quarter:]) < sum(losses[:quarter])
    assert math.isfinite(outcome.metrics["valid_mark_loss"])


def test_adapter_reloads_to_the_same_logits(outcome: TrainingOutcome, reloaded: LoadedModel, solutions: Any) -> None:
    """The adapter as written computes the very logits of the model that was trained."""
    import torch

    ids = torch.tensor([reloaded.tokenizer.encode(solutions[0]["solution"])], device=reloaded.device)
    with torch.inference_mode():
        assert torch.equal(outcome.model(input_ids=ids).logits, reloaded.model(input_ids=ids).logits)


def test_verifier_writes_what_the_schema_says(outcome: TrainingOutcome, preset: str, solutions: Any) -> None:
    """The judgements of the verifier with the adapter are in order, fit the schema, and name existing lines."""
    from sft.samples.outcomes import satisfies
    from sft.samples.solution_text import read_item
    from sft.verifier.command import verify_items
    from sft.verifier.engine_registry import EngineSettings, open_engine

    items = [read_item(record["question"], record["solution"]) for record in solutions]
    engine = open_engine("model", EngineSettings(preset=preset, adapter=outcome.adapter, explain=False))
    records = [judgement.record() for judgement in verify_items(items, engine)]
    assert len(records) == len(items)
    for item, record in zip(items, records, strict=True):
        details = record["error_details"]
        assert satisfies({"verdict": record["verdict"], "error_details": details}), record
        assert details is None or details["erroneous_line_number"] in item.places()
