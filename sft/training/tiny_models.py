"""Tiny models, tokenizers and samples for runs of a few seconds."""

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from harness.constraint_system import ProblemClass
from harness.solution.labels import ErrorType
from harness.store.run_folder import dump, write_lines
from sft.models.base_model import LoadedModel, number_format
from sft.models.presets import Preset
from sft.samples.items import ProblemSample, Sample, Truth

_NAMES = ("Ana", "Ben", "Cem", "Dua")
_THINGS = ("pens", "eggs", "cards", "shells")


def tiny_samples(count: int, *, seed: int) -> Iterator[Sample]:
    """Yield sums of two steps in turn: correct, with a wrong result, with the wrong operation, and without the second step.

    Each flawed one has the correct solution as its reference.
    """
    draw = random.Random(f"tiny levels:{seed}")
    for number in range(count):
        name, thing = draw.choice(_NAMES), draw.choice(_THINGS)
        bags, each, lost = draw.randint(2, 9), draw.randint(2, 9), draw.randint(1, 3)
        question = (
            f"{name} has {bags} bags with {each} {thing} each and loses {lost} {thing}. How many {thing} are left?"
        )
        total = bags * each
        right = _text(f"{bags} * {each}", total, lost)
        kind = number % 4
        line, solution = "L1", right
        if kind == 1:
            solution = _text(f"{bags} * {each}", total + draw.choice((1, 2, 10)), lost)
        elif kind == 2:
            solution = _text(f"{bags} + {each}", bags + each, lost)
        elif kind == 3:
            solution, line = f"{bags} * {each} = {total}\n#### {total}", "FA"
        error_type = (None, ErrorType.COMPUTATIONAL, ErrorType.OPERATOR_SWAP, ErrorType.SKIPPED_STEP)[kind]
        truth = Truth(flawed=False)
        if error_type is not None:
            truth = Truth(True, error_type.error_class, str(error_type), line, f"{line} is wrong.")  # noqa: FBT003  # the fields in their order
        identifier = f"tiny-{seed}-{number}"
        reference = right if truth.flawed else ""
        yield Sample(identifier, identifier, question, solution, truth, "tiny", "MIT", reference=reference)


def _text(product: str, total: int, lost: int) -> str:
    return f"{product} = {total}\n{total} - {lost} = {total - lost}\n#### {total - lost}"


def tiny_problems(count: int, *, seed: int) -> Iterator[ProblemSample]:
    """Yield solvable, contradictory and underspecified sums in turn."""
    draw = random.Random(f"tiny problems:{seed}")
    for number in range(count):
        name, thing = draw.choice(_NAMES), draw.choice(_THINGS)
        bags, each = draw.randint(2, 9), draw.randint(2, 9)
        problem_class = [ProblemClass.SOLVABLE, ProblemClass.CONTRADICTORY, ProblemClass.UNDERSPECIFIED][number % 3]
        more = {ProblemClass.CONTRADICTORY: f" {name} has {bags + 1} bags."}.get(problem_class, "")
        stated = "some" if problem_class is ProblemClass.UNDERSPECIFIED else str(each)
        question = f"{name} has {bags} bags with {stated} {thing} each.{more} How many {thing} has {name}?"
        reason = f"{stated} {thing} a bag, {bags} bags{more and ' or one more'}."
        identifier = f"tiny-problem-{seed}-{number}"
        yield ProblemSample(identifier, identifier, question, problem_class, reason, "tiny", "MIT")


def write_tiny_samples(
    path: Path, count: int, *, seed: int, of: Callable[..., Iterable[Sample | ProblemSample]] = tiny_samples
) -> Path:
    """Write so many samples or problems of a maker as JSONL and return the path."""
    write_lines(path, (dump(sample.record()) + "\n" for sample in of(count, seed=seed)))
    return path


def tiny_tokenizer() -> Any:
    """Return a byte-level tokenizer of few hundred tokens that knows the words of answers."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import PreTrainedTokenizerFast

    texts = [f"{sample.question}\n{sample.solution}" for sample in tiny_samples(64, seed=0)]
    words = " correct flawed conceptual_error computational_error skipped_step solvable contradictory underspecified\n"
    trained = ByteLevelBPETokenizer()
    trained.train_from_iterator(
        iter([*texts, *[words] * 64]), vocab_size=512, special_tokens=["<pad>", "<eos>"], show_progress=False
    )
    return PreTrainedTokenizerFast(tokenizer_object=trained._tokenizer, pad_token="<pad>", eos_token="<eos>")  # noqa: S106, SLF001  # no password; the wrapper has no public way


def tiny_loaded(preset: str, *, seed: int = 0) -> LoadedModel:
    """Return a randomly initialised model of two layers, of the architecture of a preset's model, with its tokenizer."""
    import torch
    import transformers

    tokenizer = tiny_tokenizer()
    torch.manual_seed(seed)
    config = Preset.of(preset).configuration(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=16,
        max_position_embeddings=1024,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.eos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        tie_word_embeddings=True,
    )
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=number_format("cpu"))
    return LoadedModel(model.eval(), tokenizer, "cpu")


def write_tiny_preset(folder: Path, preset: str = "smollm2-135m") -> Path:
    """Write such a model with its tokenizer, and the preset that names it; return the preset's path."""
    loaded, weights, path = tiny_loaded(preset), folder / "weights", folder / "tiny.yaml"
    loaded.model.save_pretrained(weights)
    loaded.tokenizer.save_pretrained(weights)
    settings = (
        "quantization: none\nbatch_size: 8\nlearning_rate: 5e-3\nvalid_share: 0.2\nevaluations: 2\nlog_steps: 1\n"
    )
    path.write_text(f"model: {weights}\n{settings}", "utf-8")
    return path
