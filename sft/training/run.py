"""A training run, from its settings to the adapter and its metrics."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.store.run_folder import write_atomically
from sft.datasets.leakage import text_hash
from sft.models.base_model import LoadedModel, load_model, number_format
from sft.training.adapter import card, save_adapter
from sft.training.config import STEPS, TrainingSettings
from sft.training.examples import ExampleForm, TrainingExample, level_of, read_examples, sample_files

NEVER = 10**9


@dataclass(frozen=True, slots=True)
class TrainingOutcome:
    """A finished run: the model with the adapter, the folder of the adapter, and the metrics."""

    model: Any
    adapter: Path
    metrics: dict[str, Any]
    history: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class TrainingSplit:
    """The training and the validation sequences of a run; the latter may be empty."""

    train: Sequence[TrainingExample]
    valid: Sequence[TrainingExample]


def train(settings: TrainingSettings, loaded: LoadedModel | None = None) -> TrainingOutcome:
    """Train an adapter and write it with its metrics to `settings.out`; `loaded` replaces the model of the preset.

    Raises:
        HarnessError: the data or the weights are not there or cannot be read; there is no checkpoint to continue from.
    """
    if not settings.train:
        make = runnable("oracle-factory datasets --run RUN --out DIR")
        raise HarnessError(f"nothing to train on: give --train FILE.jsonl; make one: {make}")
    sample_files([*settings.train, *settings.valid])
    if settings.level == STEPS:
        raise HarnessError("--level steps trains an encoder, not a language model: sft.training.step_run.train_steps")
    settings = replace(settings, level=settings.level or level_of(settings.train))
    checkpoint = checkpoint_of(settings)
    loaded = loaded or load_for(settings)
    split = split_of(settings, loaded.tokenizer)
    trainer = make_trainer(settings, loaded, split, checkpoint)
    figures = run_to_end(trainer)
    shown = {"valid_loss", "valid_mean_token_accuracy"}
    kept = {name: value for name, value in figures.items() if not name.startswith("valid_") or name in shown}
    metrics = {**kept, "sequences_given": len(split.train)}
    return outcome_of(trainer, metrics, card(settings, metrics))


def load_for(settings: TrainingSettings) -> LoadedModel:
    """Load the model that the settings name; errors as in `train`."""
    return load_model(settings.model, device_of(settings), nf4=settings.quantization == "nf4")


def split_of(settings: TrainingSettings, tokenizer: Any) -> TrainingSplit:
    """Return the sequences of a run; training and validation share no problem. Errors as in `train`."""
    form = ExampleForm(settings.level, settings.labels, settings.max_length)
    examples = read_examples(settings.train, tokenizer, form)
    if settings.valid:
        valid = read_examples(settings.valid, tokenizer, form)
    else:
        valid = [example for example in examples if ticket(example.problem, settings.seed) < settings.valid_share]
    kept = {example.problem for example in valid}
    training = [example for example in examples if example.problem not in kept]
    training = _drawn_examples(training, settings.limit or len(training), settings.seed)
    if not training:
        raise HarnessError("nothing to train on: every problem is kept for validation; lower --valid-share")
    return TrainingSplit(training, _drawn_examples(valid, settings.valid_most, settings.seed))


def ticket(problem: str, seed: int) -> float:
    """Return a number from 0 to 1 that is drawn for a problem."""
    return text_hash(f"{seed}:{problem}") / 2**64


def _drawn_examples(examples: list[TrainingExample], most: int, seed: int) -> list[TrainingExample]:
    chosen = random.Random(f"{seed}:drawn").sample(range(len(examples)), min(most, len(examples)))
    return [examples[place] for place in sorted(chosen)]


def run_to_end(trainer: Any) -> dict[str, Any]:
    """Run a `BudgetTrainer` to the end of its budget, from its checkpoint where there is one, and return its figures.

    Those of the validation of the weights that it ends with begin with `valid_`.
    """
    from peft.helpers import disable_input_dtype_casting

    # Under autocast the adapter's weights are rounded once a step; casting its input to float32 and back costs two passes.
    casting = disable_input_dtype_casting(trainer.model) if trainer.settings.quantization == "none" else nullcontext()
    with casting:
        trainer.train(resume_from_checkpoint=str(trainer.checkpoint) if trainer.checkpoint else None)
        validation = _validation(trainer) if trainer.validates else {}
    state, seconds = trainer.state, trainer.clock.elapsed()
    return {
        **{f"valid_{name[5:]}": value for name, value in validation.items() if name.startswith("eval_")},
        "steps": state.global_step,
        "train_loss": next((entry["loss"] for entry in reversed(state.log_history) if "loss" in entry), None),
        "tokens_read": int(state.num_input_tokens_seen),
        "tokens_per_second": state.num_input_tokens_seen / max(1e-9, seconds),
        "seconds": seconds,
    }


def _validation(trainer: Any) -> dict[str, float]:
    """Return the validation of the weights that a run ends with: of its best checkpoint, which was loaded, or else of its last step."""
    state = trainer.state
    step = state.best_global_step if state.best_model_checkpoint else state.global_step
    for entry in reversed(state.log_history):
        if entry["step"] == step and "eval_runtime" in entry:
            return dict(entry)
    validated: dict[str, float] = trainer.evaluate()
    return validated


def device_of(settings: TrainingSettings) -> str:
    """Return the device of torch that the settings name; raises `HarnessError` where it is not there."""
    import torch

    if torch.cuda.is_available() and settings.device != "cpu":
        from accelerate import PartialState

        return str(PartialState().device)
    if settings.device == "cuda":
        raise HarnessError("no CUDA device here: give --device cpu, or auto")
    return "cpu"


def checkpoint_of(settings: TrainingSettings) -> Path | None:
    """Return the last checkpoint of a run that is resumed, `None` of a new one; raises `HarnessError` where the folder does not fit."""
    out = Path(settings.out)
    checkpoints = sorted((out / "checkpoints").glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]))
    if settings.resume:
        if not checkpoints:
            raise HarnessError(f"no checkpoint in {out / 'checkpoints'}: run without --resume")
        return checkpoints[-1]
    if checkpoints:
        raise HarnessError(f"{out} holds checkpoints of a run: give another --out, go on by --resume, or remove it")
    return None


def run_arguments(settings: TrainingSettings, device: str) -> dict[str, Any]:
    """Return the arguments that the trainers of all models have in common."""
    from transformers import TrainingArguments

    cuda = device.startswith("cuda")
    # Its name changes with transformers 6, and the old one warns from 5.23 on.
    fields = TrainingArguments.__dataclass_fields__
    recompute = "activation_checkpointing" if "activation_checkpointing" in fields else "gradient_checkpointing"
    return {
        "output_dir": str(Path(settings.out) / "checkpoints"),
        "per_device_train_batch_size": settings.batch_size,
        "gradient_accumulation_steps": settings.accumulation,
        "num_train_epochs": settings.epochs,
        "max_steps": settings.max_steps or -1,
        "learning_rate": settings.learning_rate,
        "weight_decay": settings.weight_decay,
        "optim": "adamw_torch_fused",
        "bf16": number_format(device).itemsize == 2,
        "use_cpu": not cuda,
        "remove_unused_columns": False,
        "train_sampling_strategy": "group_by_length",
        recompute: settings.gradient_checkpointing,
        "logging_steps": settings.log_steps,
        "logging_nan_inf_filter": False,
        "include_num_input_tokens_seen": "all",
        "save_strategy": "steps",
        "save_steps": NEVER,
        "save_total_limit": 2,
        "report_to": "none",
        "disable_tqdm": True,
        "seed": settings.seed,
        "dataloader_pin_memory": cuda,
        "ddp_find_unused_parameters": False,
    }


def make_trainer(settings: TrainingSettings, loaded: LoadedModel, split: TrainingSplit, checkpoint: Path | None) -> Any:
    """Return the trainer of a run, its adapter in float32, every linear layer's."""
    from datasets import Dataset
    from peft import LoraConfig
    from trl import SFTConfig

    from sft.training.trainer import WeightedTrainer, weighted_collator

    validates = len(split.valid) > 0
    arguments = SFTConfig(
        **run_arguments(settings, loaded.device),
        per_device_eval_batch_size=settings.batch_size,
        max_length=None,
        dataset_kwargs={"skip_prepare_dataset": True},
        eval_strategy="steps" if validates else "no",
        eval_steps=NEVER,
        load_best_model_at_end=validates,
        metric_for_best_model="eval_loss",
        greater_is_better=False,
    )

    def dataset(examples: Sequence[TrainingExample]) -> Any:
        names = ("input_ids", "labels", "weight", "length")
        rows = [(each.ids, each.labels, each.weight, len(each.ids)) for each in examples]
        return Dataset.from_list([dict(zip(names, row, strict=True)) for row in rows])

    weighted = any(example.weight != 1 for example in (*split.train, *split.valid))
    return WeightedTrainer(
        model=loaded.model,
        args=arguments,
        processing_class=loaded.tokenizer,
        train_dataset=dataset(split.train),
        eval_dataset=dataset(split.valid) if validates else None,
        data_collator=weighted_collator(loaded.tokenizer.pad_token_id, weighted=weighted),
        peft_config=LoraConfig(
            r=settings.rank,
            lora_alpha=settings.alpha,
            lora_dropout=settings.dropout,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        ),
        settings=settings,
        checkpoint=checkpoint,
        validates=validates,
    )


def outcome_of(trainer: Any, metrics: dict[str, Any], text: str) -> TrainingOutcome:
    """Write the adapter of a run, its card and the metrics."""
    settings = trainer.settings
    out = Path(settings.out)
    adapter = out / "adapter"
    if trainer.is_world_process_zero():
        shutil.rmtree(adapter, ignore_errors=True)
        save_adapter(trainer.model, adapter, settings.model)
        write_atomically(adapter / "README.md", text)
        for folder in (adapter, out):
            write_atomically(folder / "settings.json", json.dumps(settings.record(), indent=2) + "\n")
            write_atomically(folder / "metrics.json", json.dumps(metrics, indent=2) + "\n")
        trainer.state.save_to_json(str(out / "trainer_state.json"))
    return TrainingOutcome(trainer.model.eval(), adapter, metrics, list(trainer.state.log_history))
