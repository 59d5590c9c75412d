"""Tests of what samples rest on: thresholds of oracles, and weights by which training multiplies its loss."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from harness.records.provenance import SourceProvenance
from oracle_factory.command import main
from sft.training.examples import ExampleForm, read_examples
from sft.training.tiny_models import tiny_tokenizer
from tests.sft.datasets.sealed_runs import Record, rows_of, sealed_run


def _provenance(number: int) -> SourceProvenance | None:
    """Return what the records of a problem rest on: nothing recorded, no stage, an oracle alone, or a clique drawn by lot."""
    random = Random(number)
    match number % 6:
        case 0:
            return None
        case 1:
            return SourceProvenance(formalized=False)
        case 2:
            return SourceProvenance(formalized=True, oracle="ash", clique_size=1, confidence=0.0)
    size, confidence = random.randint(2, 6), round(random.uniform(0.2, 1.3), 4)
    return SourceProvenance(
        formalized=True,
        oracle=random.choice(["ash", "oak"]),
        clique_size=size,
        confidence=confidence,
        p_right=None if number % 6 == 3 else round(random.uniform(0.1, 1.0), 4),
    )


PROVENANCE = {f"p-{number}": _provenance(number) for number in range(48)}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run of problems that rest on different things."""
    return sealed_run(tmp_path_factory.mktemp("run"), list(PROVENANCE), provenance=PROVENANCE)


EVERYTHING = ["--balance", "as-is", "--problem-balance", "as-is", "--most-per-problem", "99", "--include-unreviewed"]


def _made(run: Path, out: Path, *options: str) -> Path:
    """Return the folder of datasets of all records of a run."""
    assert main(["datasets", "--run", str(run), "--out", str(out), *EVERYTHING, *options]) == 0
    return out


def _problems(rows: Sequence[Record]) -> set[str]:
    return {row["problem_id"].partition(":")[0] for row in rows}


@pytest.mark.parametrize(("confidence", "clique", "right"), [(0.0, 1, 0.0), (0.75, 3, 0.0), (0.5, 2, 0.3)])
def test_thresholds_take_what_reaches_them(
    run: Path, tmp_path_factory: pytest.TempPathFactory, confidence: float, clique: int, right: float
) -> None:
    """Solutions and problems are those whose oracle reaches all; without thresholds all, what is not recorded too. The rest is counted."""
    options = ("--min-confidence", str(confidence), "--min-clique", str(clique), "--min-p-right", str(right))
    out = _made(run, tmp_path_factory.mktemp("out"), *options, "--levels", "none")
    asks = confidence > 0 or clique > 1 or right > 0
    expected = {
        name
        for name, own in PROVENANCE.items()
        if not asks
        or (
            own is not None
            and own.formalized
            and own.confidence >= confidence  # type: ignore[operator]  # formalized ones have both
            and own.clique_size >= clique  # type: ignore[operator]  # the same
            and (right == 0 or (own.p_right is not None and own.p_right >= right))
        )
    }
    for pattern in ("samples-*.jsonl", "problems-*.jsonl"):
        assert _problems(rows_of(out, pattern)) == expected
    card = (out / "README.md").read_text("utf-8")
    assert ("less agreement than" in card) is asks
    assert ("no confidence is recorded" in card) is asks
    assert f'"confidence": {confidence}' in card


def test_weights_are_confidences_and_reach_the_training(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of every row; a record without a confidence above 0 gives none. The sequences that train have these weights."""
    monkeypatch.setenv("ORACLE_FACTORY_CACHE", str(tmp_path / "cache"))
    out = _made(run, tmp_path / "out", "--weight-by-confidence", "--splits", "1,0,0", "--formats", "jsonl,chat")
    weights = {name: own.confidence for name, own in PROVENANCE.items() if own is not None and own.confidence}
    files = ["samples-train.jsonl", "problems-train.jsonl", "level-5/train.jsonl", "chat/level-5/train.jsonl"]
    for name in files:
        rows = rows_of(out, name)
        assert _problems(rows) == weights.keys()
        assert all(row["weight"] == weights[row["problem_id"].partition(":")[0]] for row in rows)
        level = "validator" if "problems" in name else "1" if "samples" in name else ""
        examples = read_examples([out / name], tiny_tokenizer(), ExampleForm(level, max_length=4_096))
        assert np.allclose([example.weight for example in examples], [row["weight"] for row in rows])
    assert "multiplies the loss" in (out / "README.md").read_text("utf-8")
