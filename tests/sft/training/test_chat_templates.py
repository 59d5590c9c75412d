"""The prompts of levels under the turn formats of the presets' tokenizers."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.store.run_folder import dump
from sft.datasets.levels import LABELS, Level
from sft.evaluation.dataset_items import EvaluationItem
from sft.judges.forms import SolutionForm
from sft.models.text_generation import chat_prompt
from sft.samples.items import Sample
from sft.training.examples import IGNORED, ExampleForm, read_examples
from sft.training.tiny_models import tiny_samples, tiny_tokenizer
from tests.cases import cases

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
        item = EvaluationItem("d", sample).item()
        assert given == chat_prompt(tokenizer, [{"role": "user", "content": SolutionForm(level).prompt(item)}])
        assert answer.endswith(tokenizer.eos_token)
        if level in {Level.WHERE, Level.MAX}:
            assert json.loads(answer.removesuffix(tokenizer.eos_token))["verdict"] == "Flawed"
