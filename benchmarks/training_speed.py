"""Benchmark of training speed: our trainer, a bare loop and TRL with its defaults, on the same model and batches.

`python -m benchmarks.training_speed` prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from sft.models.base_model import load_model, number_format
from sft.models.line_marks import TargetKind
from sft.training.batches import Collator, batches_of
from sft.training.config import TrainingSettings, settings_of
from sft.training.run import TrainingSplit, make_trainer, split_of
from sft.training.tiny_models import write_tiny_samples

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sft.models.base_model import LoadedModel

SETTLING = 2
"""The first steps of each side are not counted: memory is taken and kernels are chosen."""


@dataclass(frozen=True, slots=True)
class TrainingLoop:
    """What is timed: its name, and what takes the steps and gives the time at the end of each, in seconds."""

    name: str
    times: Callable[[], list[float]]


def measure(_data: Path) -> str:
    """Return the figures as Markdown; they need no data."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    with tempfile.TemporaryDirectory() as folder:
        table = comparison_table(_parser().parse_args([]), Path(folder))
    return f"## Training speed\n\n    python -m benchmarks training_speed\n\n{table}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return 0, or 2 with one message where it cannot be done."""
    options = _parser().parse_args(arguments)
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        with tempfile.TemporaryDirectory() as folder:
            print(comparison_table(options, Path(folder)))
    except HarnessError as error:
        sys.stderr.write(f"training_speed: {error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.training_speed", description=__doc__)
    parser.add_argument("--preset", default="smollm2-135m")
    parser.add_argument("--train", metavar="FILE", help="samples in JSONL (sums of two steps)")
    parser.add_argument("--steps", type=int, default=6, help="steps counted in each round")
    parser.add_argument("--rounds", type=int, default=3, help="how often each side is measured, in turn")
    parser.add_argument("--batch", type=int, default=8)
    return parser


def comparison_table(options: argparse.Namespace, folder: Path) -> str:
    """Return the table. Of each side the median round counts, since the machine may be shared."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    count = options.batch * (options.steps + SETTLING)
    train = options.train or str(write_tiny_samples(folder / "samples.jsonl", count, seed=0))
    changed = {"train": [train], "batch_size": options.batch, "accumulation": 1, "valid_share": 0.0, "minutes": 0.0}
    settings = settings_of(options.preset, out=str(folder / "run"), gradient_checkpointing=False, **changed)

    def load() -> LoadedModel:
        return load_model(settings.model, device, nf4=settings.quantization == "nf4")

    split = split_of(settings, load().tokenizer)
    epochs = 1 + count / len(split.train)
    batches = batches_of(split.train.lengths, options.batch, epochs=epochs, seed=0)[: options.steps + SETTLING]
    tokens = sum(int(split.train.lengths[batch].sum()) for batch in batches[SETTLING:])
    sides = [
        TrainingLoop("bare loop of PyTorch", lambda: bare_loop_times(settings, load(), split, batches)),
        TrainingLoop("`sft.training.command`", lambda: our_times(settings, load(), split, batches)),
        TrainingLoop("TRL as it comes", lambda: trl_times(settings, load(), split, batches)),
    ]
    rates: dict[str, list[float]] = {side.name: [] for side in sides}
    for _ in range(options.rounds):
        for side in sides:
            times = side.times()
            rates[side.name].append(tokens / (times[-1] - times[SETTLING - 1]))
    base = statistics.median(rates[sides[0].name])
    rows = [
        f"| {name} | {statistics.median(found):,.0f} | {min(found):,.0f}–{max(found):,.0f} | {statistics.median(found) / base:.2f} |"
        for name, found in rates.items()
    ]
    about = f"{settings.preset}, {device}, {number_format(device)}, batch {options.batch}, {tokens / options.steps / options.batch:.0f} tokens a sequence, {options.rounds} rounds of {options.steps} steps"
    return "\n".join([f"{about}:\n", "| | tokens/s | range | of the bare loop |", "|---|---|---|---|", *rows])


def bare_loop_times(
    settings: TrainingSettings, loaded: LoadedModel, split: TrainingSplit, batches: list[Any]
) -> list[float]:
    """Train by a loop without a trainer."""
    import torch
    from peft import LoraConfig, get_peft_model
    from peft.helpers import disable_input_dtype_casting

    from sft.training.trainer import TargetHead, weighted_loss

    adapter = LoraConfig(r=settings.rank, lora_alpha=settings.alpha, target_modules="all-linear", task_type="CAUSAL_LM")
    model = get_peft_model(loaded.model, adapter).train()
    head = TargetHead(model.get_base_model())
    chosen = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(chosen, lr=settings.learning_rate, weight_decay=0.0, fused=True)
    weights = {
        TargetKind.MARK: settings.weight_mark,
        TargetKind.TEXT: settings.weight_text,
        TargetKind.TAIL: settings.weight_tail,
    }
    collator = Collator(split.train, weights, loaded.tokenizer.pad_token_id)
    half = number_format(loaded.device).itemsize == 2
    times: list[float] = []
    with disable_input_dtype_casting(model):
        for batch in batches:
            inputs = {
                name: tensor.to(loaded.device, non_blocking=True) for name, tensor in collator(batch.tolist()).items()
            }
            with torch.autocast(loaded.device, torch.bfloat16) if half else nullcontext():
                loss = weighted_loss(head.logits(model, inputs), inputs)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(chosen, 1.0)
            optimizer.step()
            optimizer.zero_grad()
            times.append(_now(loaded.device, len(times), len(batches)))
    return times


def our_times(settings: TrainingSettings, loaded: LoadedModel, split: TrainingSplit, batches: list[Any]) -> list[float]:
    """Train as `sft.training.command` does."""
    from peft.helpers import disable_input_dtype_casting
    from transformers.trainer_callback import PrinterCallback

    from sft.training.budget import RunBudget

    trainer = make_trainer(settings, loaded, split, batches, RunBudget(len(batches), 0.0))
    trainer.remove_callback(PrinterCallback)
    times = _timed(trainer, loaded.device, len(batches))
    with disable_input_dtype_casting(trainer.model):
        trainer.train()
    return times


def trl_times(settings: TrainingSettings, loaded: LoadedModel, split: TrainingSplit, batches: list[Any]) -> list[float]:
    """Train by TRL with its defaults, on the same sequences in the same order, the same targets of one weight."""
    from datasets import Dataset
    from peft import LoraConfig
    from transformers.trainer_callback import PrinterCallback
    from trl import SFTConfig, SFTTrainer

    train = split.train
    rows = [slice(train.offsets[row], train.offsets[row + 1]) for batch in batches for row in batch]
    ids = [train.ids[row].tolist() for row in rows]
    labels = [
        [token if kind else -100 for token, kind in zip(train.ids[row].tolist(), train.kinds[row], strict=True)]
        for row in rows
    ]
    arguments = SFTConfig(
        output_dir=str(Path(settings.out) / "plain"),
        per_device_train_batch_size=settings.batch_size,
        max_steps=len(batches),
        use_cpu=loaded.device == "cpu",
        bf16=number_format(loaded.device).itemsize == 2,
        report_to="none",
        save_strategy="no",
        disable_tqdm=True,
        train_sampling_strategy="sequential",
    )
    trainer = SFTTrainer(
        model=loaded.model,
        args=arguments,
        processing_class=loaded.tokenizer,
        train_dataset=Dataset.from_dict({"input_ids": ids, "labels": labels}),
        peft_config=LoraConfig(
            r=settings.rank, lora_alpha=settings.alpha, target_modules="all-linear", task_type="CAUSAL_LM"
        ),
    )
    trainer.remove_callback(PrinterCallback)
    times = _timed(trainer, loaded.device, len(batches))
    trainer.train()
    return times


def _timed(trainer: Any, device: str, steps: int) -> list[float]:
    """Return a list that the trainer fills with the time at the end of each step."""
    from transformers import TrainerCallback

    times: list[float] = []

    class Timer(TrainerCallback):  # type: ignore[misc]  # transformers is not type-checked here
        def on_step_end(self, *_: Any, **__: Any) -> None:
            times.append(_now(device, len(times), steps))

    trainer.add_callback(Timer())
    return times


def _now(device: str, step: int, steps: int) -> float:
    """Return the time in seconds, after the device's work is done where the time counts."""
    import torch

    if device != "cpu" and step in {SETTLING - 1, steps - 1}:
        torch.cuda.synchronize()
    return time.perf_counter()


if __name__ == "__main__":
    sys.exit(main())
