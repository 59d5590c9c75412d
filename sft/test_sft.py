"""The suite of the verifier: no protected problem in the data, training learns, adapters load, outputs are valid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness.corpora.problems import load_corpus, read_exclusion, read_records
from sft.models.base_model import LoadedModel, load_preset
from sft.training.run import TrainingOutcome

if TYPE_CHECKING:
    from sft.evaluation.examination import AdapterExamination

pytestmark = pytest.mark.sft
SHOWN = 8
"""The number of solutions that the trained adapter judges."""


@pytest.fixture(scope="module")
def outcome(stage: AdapterExamination) -> TrainingOutcome:
    """Return the outcome of a training on the whole answer, made in this session."""
    outcome = stage.trained("samples", "reloaded", again=True, level="max", epochs=2.0).outcome
    assert outcome is not None
    return outcome


@pytest.fixture(scope="module")
def reloaded(outcome: TrainingOutcome, preset: str) -> LoadedModel:
    """Return the preset's model with the adapter as it was written."""
    return load_preset(preset, str(outcome.model.device), adapter=outcome.adapter)


@pytest.fixture(scope="module")
def solutions(examined_data: Path) -> Sequence[dict[str, Any]]:
    """Return some solutions."""
    return [record for _, record in read_records(examined_data / "samples-train.jsonl")][:SHOWN]


def test_data_hold_no_excluded_problem(pytestconfig: pytest.Config, data: Path) -> None:
    """No record of any split is of an excluded problem, nor of one edited from it; there are records."""
    exclude, corpus = pytestconfig.getoption("harness_exclude"), pytestconfig.getoption("harness_corpus")
    excluded = set(read_exclusion(Path(exclude), load_corpus(corpus)).problems) if exclude else set()
    records = [record for path in sorted(data.glob("*.jsonl")) for _, record in read_records(path)]
    assert records
    assert not {str(record["problem_id"]).partition(":")[0] for record in records} & excluded


def test_training_is_measured(outcome: TrainingOutcome) -> None:
    """A training takes steps, and its loss on problems kept for validation is a number."""
    assert outcome.metrics["steps"] > 0
    assert math.isfinite(outcome.metrics["valid_loss"])


def test_adapter_reloads_to_the_same_logits(outcome: TrainingOutcome, reloaded: LoadedModel, solutions: Any) -> None:
    """The adapter as written computes the very logits of the model that was trained."""
    import torch

    ids = torch.tensor([reloaded.tokenizer.encode(solutions[0]["solution"])], device=reloaded.device)
    with torch.inference_mode():
        assert torch.equal(outcome.model(input_ids=ids).logits, reloaded.model(input_ids=ids).logits)


def test_verifier_writes_what_the_schema_says(outcome: TrainingOutcome, preset: str, solutions: Any) -> None:
    """The judgements of the verifier with the adapter are in order, read whole from answers of the schema, and name existing lines."""
    from sft.samples.solution_text import read_item
    from sft.verifier.command import verify_items
    from sft.verifier.engine_registry import EngineSettings, open_engine

    items = [read_item(record["question"], record["solution"]) for record in solutions]
    engine = open_engine("model", EngineSettings(preset=preset, adapter=outcome.adapter))
    judged = list(verify_items(items, engine))
    assert len(judged) == len(items)
    for item, judgement in zip(items, judged, strict=True):
        assert (judgement.valid, judgement.error) == (True, ""), judgement.record()
        assert not judgement.flawed or judgement.line in item.places()
