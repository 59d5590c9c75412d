"""A training run, from its settings to the adapter and its metrics."""

from __future__ import annotations

import json
import shutil
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.command_line.runnable_commands import runnable
from harness.errors import HarnessError
from harness.store.run_folder import write_atomically
from sft.models.base_model import LoadedModel, load_model, number_format
from sft.models.line_marks import Mark, MarkWriter, TargetKind
from sft.training.adapter import card, save_adapter
from sft.training.batches import Collator, batches_of
from sft.training.loss_plot import loss_plot
from sft.training.token_sequences import TokenSequences, load_sequences, sample_files

if TYPE_CHECKING:
    from sft.training.config import TrainingSettings

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

    train: TokenSequences
    valid: TokenSequences


def train(settings: TrainingSettings, loaded: LoadedModel | None = None) -> TrainingOutcome:
    """Train an adapter and write it with its metrics to `settings.out`; `loaded` replaces the model of the preset.

    Raises:
        HarnessError: the data or the weights are not there or cannot be read; there is no checkpoint to continue from.
    """
    if not settings.train:
        raise HarnessError(
            f"nothing to train on: give --train FILE.jsonl; make one: {runnable('oracle-factory datasets --run RUN --out DIR')}"
        )
    sample_files([*settings.train, *settings.valid])
    if loaded is None:
        loaded = load_for(settings)
    split = split_of(settings, loaded.tokenizer)
    return train_on(settings, loaded, split)


def load_for(settings: TrainingSettings) -> LoadedModel:
    """Load the model that the settings name; errors as in `train`."""
    return load_model(settings.model, _device(settings), nf4=settings.quantization == "nf4")


def split_of(settings: TrainingSettings, tokenizer: Any) -> TrainingSplit:
    """Return the sequences of a run; training and validation share no problem. Errors as in `train`."""
    form = {"level": settings.level, "labels": settings.labels}
    sequences = load_sequences(
        settings.train, tokenizer, tail_share=settings.tail_share, max_length=settings.max_length, **form
    )
    if settings.valid:
        valid = load_sequences(
            settings.valid, tokenizer, tail_share=settings.tail_share, max_length=settings.max_length, **form
        )
        known = np.isin(sequences.groups, valid.groups)
        training = sequences.take(~known)
    else:
        mixed = (sequences.groups ^ np.uint64(settings.seed * 0x9E3779B97F4A7C15 % 2**64)) * np.uint64(
            0xBF58476D1CE4E5B9
        )
        kept = (mixed >> np.uint64(11)).astype(np.float64) / 2**53 < settings.valid_share
        training, valid = sequences.take(~kept), sequences.take(kept)
    if settings.limit:
        training = training.take(_drawn(len(training), settings.limit, settings.seed))
    if not len(training):
        raise HarnessError("nothing to train on: every problem is kept for validation; lower --valid-share")
    return TrainingSplit(training, valid.take(_drawn(len(valid), settings.valid_most, settings.seed)))


def _drawn(size: int, most: int, seed: int) -> np.ndarray[Any, Any]:
    return np.sort(np.random.default_rng(seed).permutation(size)[:most])


def train_on(settings: TrainingSettings, loaded: LoadedModel, split: TrainingSplit) -> TrainingOutcome:
    """Train on sequences; errors as in `train`."""
    from peft.helpers import disable_input_dtype_casting
    from transformers.trainer_callback import EarlyStoppingCallback, PrinterCallback

    from sft.training.budget import RunBudget, Timekeeper, time_of
    from sft.training.progress import ProgressReporter

    out = Path(settings.out)
    checkpoint = _checkpoint(settings, out)
    batches = batches_of(
        split.train.lengths,
        settings.batch_size,
        epochs=settings.epochs,
        seed=settings.seed,
        in_order=settings.order == "file",
    )
    each = settings.accumulation * _devices(loaded.device)
    if settings.max_steps:
        batches = batches[: settings.max_steps * each]
    steps = max(1, len(batches) // each)
    budget = RunBudget(steps, settings.minutes * 60, time_of(checkpoint) if checkpoint else 0.0)
    tokens = np.cumsum([0, *(split.train.lengths[batch].sum() for batch in batches)])[::each].tolist()
    reporter = ProgressReporter(budget, [*tokens, tokens[-1]])
    trainer = make_trainer(settings, loaded, split, batches, budget)
    if settings.compile:
        _compile(trainer.model)
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(Timekeeper(budget, settings.evaluations, validates=len(split.valid) > 0))
    trainer.add_callback(reporter)
    if settings.patience and len(split.valid):
        trainer.add_callback(EarlyStoppingCallback(settings.patience))
    # Under autocast the adapter's weights are rounded once a step; casting its input to float32 and back costs two passes.
    casting = disable_input_dtype_casting(trainer.model) if settings.quantization == "none" else nullcontext()
    with casting:
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        best = _validated(trainer) if len(split.valid) else {}
    return _written(
        settings,
        trainer,
        split,
        out,
        {
            **best,
            "tokens_read": int(tokens[min(trainer.state.global_step, len(tokens) - 1)]),
            "tokens_per_second": reporter.rate,
            "seconds": budget.elapsed(),
        },
    )


def _validated(trainer: Any) -> dict[str, float]:
    """Return the validation of the weights that a run ends with: that of its best checkpoint, which was loaded, where there is one."""
    state = trainer.state
    for entry in reversed(state.log_history if state.best_model_checkpoint else []):
        if entry["step"] == state.best_global_step and "eval_loss" in entry:
            return {name: value for name, value in entry.items() if name.startswith("eval_")}
    validated: dict[str, float] = trainer.evaluate()
    return validated


def _compile(model: Any) -> None:
    """Compile the decoder layers in place, one graph for all of them, whatever the length of a batch."""
    for module in model.modules():
        if type(module).__name__.endswith("DecoderLayer"):
            module.compile(dynamic=True)


def _device(settings: TrainingSettings) -> str:
    import torch

    if settings.device == "cuda" and not torch.cuda.is_available():
        raise HarnessError("no CUDA device here: give --device cpu, or auto")
    if settings.device == "cpu" or not torch.cuda.is_available():
        return "cpu"
    from accelerate import PartialState

    return str(PartialState().device)


def _devices(device: str) -> int:
    """Return the number of processes that share the batches out."""
    from accelerate import PartialState

    # The first state that is made decides for all: without `cpu`, processes on CPUs would not know of each other.
    return int(PartialState(cpu=device == "cpu").num_processes)


def _checkpoint(settings: TrainingSettings, out: Path) -> Path | None:
    checkpoints = sorted((out / "checkpoints").glob("checkpoint-*"), key=lambda path: int(path.name.rpartition("-")[2]))
    if settings.resume:
        if not checkpoints:
            raise HarnessError(f"no checkpoint in {out / 'checkpoints'}: run without --resume")
        return checkpoints[-1]
    if checkpoints:
        raise HarnessError(f"{out} holds checkpoints of a run: give another --out, go on by --resume, or remove it")
    return None


def _either(config: Any, name: str, older: str) -> str:
    return name if name in config.__dataclass_fields__ else older


def make_trainer(
    settings: TrainingSettings, loaded: LoadedModel, split: TrainingSplit, batches: list[Any], budget: Any
) -> Any:
    """Return the trainer of a run, its adapter in float32, every linear layer's."""
    from datasets import Dataset
    from peft import LoraConfig
    from trl import SFTConfig

    from sft.training.trainer import MarkTrainer

    writer = MarkWriter(loaded.tokenizer)
    weights = {
        TargetKind.MARK: settings.weight_mark,
        TargetKind.TEXT: settings.weight_text,
        TargetKind.TAIL: settings.weight_tail,
    }
    padding = loaded.tokenizer.pad_token_id
    validates = len(split.valid) > 0
    cuda = loaded.device.startswith("cuda")
    arguments = SFTConfig(
        output_dir=str(Path(settings.out) / "checkpoints"),
        per_device_train_batch_size=settings.batch_size,
        per_device_eval_batch_size=settings.batch_size,
        gradient_accumulation_steps=settings.accumulation,
        num_train_epochs=1,
        max_steps=budget.steps,
        learning_rate=settings.learning_rate,
        weight_decay=settings.weight_decay,
        optim="adamw_torch_fused",
        bf16=number_format(loaded.device).itemsize == 2,
        use_cpu=not cuda,
        max_length=None,
        dataset_kwargs={"skip_prepare_dataset": True},
        # Its name changes with transformers 6, and the old one warns from 5.23 on.
        **{_either(SFTConfig, "activation_checkpointing", "gradient_checkpointing"): settings.gradient_checkpointing},
        logging_steps=settings.log_steps,
        logging_nan_inf_filter=False,
        include_num_input_tokens_seen="no",
        eval_strategy="steps" if validates else "no",
        eval_steps=NEVER,
        save_strategy="steps",
        save_steps=NEVER,
        save_total_limit=2,
        load_best_model_at_end=validates,
        metric_for_best_model="eval_mark_loss",
        greater_is_better=False,
        report_to="none",
        disable_tqdm=True,
        seed=settings.seed,
        dataloader_pin_memory=cuda,
        accelerator_config={"non_blocking": cuda, "split_batches": False, "even_batches": False},
        ddp_find_unused_parameters=False,
    )
    dataset = Dataset.from_dict({"length": split.train.lengths})
    return MarkTrainer(
        model=loaded.model,
        args=arguments,
        processing_class=loaded.tokenizer,
        train_dataset=dataset,
        eval_dataset=Dataset.from_dict({"length": split.valid.lengths}) if validates else None,
        peft_config=LoraConfig(
            r=settings.rank,
            lora_alpha=settings.alpha,
            lora_dropout=settings.dropout,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        ),
        batches=batches,
        collator=Collator(split.train, weights, padding),
        valid_collator=Collator(split.valid, weights, padding) if validates else None,
        share=budget.share,
        warmup=settings.warmup,
        ask=writer.ask[-1],
        marks=tuple(writer.first[mark] for mark in Mark),
    )


def _written(
    settings: TrainingSettings, trainer: Any, split: TrainingSplit, out: Path, validation: dict[str, Any]
) -> TrainingOutcome:
    history = list(trainer.state.log_history)
    metrics = {
        **{name.replace("eval_", "valid_"): value for name, value in validation.items() if name != "eval_seconds"},
        "steps": trainer.state.global_step,
        "sequences_given": len(split.train),
        "dropped": split.train.dropped,
        "train_loss": next((entry["loss"] for entry in reversed(history) if "loss" in entry), None),
    }
    adapter = out / "adapter"
    if trainer.is_world_process_zero():
        shutil.rmtree(adapter, ignore_errors=True)
        save_adapter(trainer.model, adapter, settings.model)
        write_atomically(adapter / "README.md", card(settings, metrics))
        for folder in (adapter, out):
            write_atomically(folder / "settings.json", json.dumps(settings.record(), indent=2) + "\n")
            write_atomically(folder / "metrics.json", json.dumps(metrics, indent=2) + "\n")
        trainer.state.save_to_json(str(out / "trainer_state.json"))
        write_atomically(out / "loss.svg", loss_plot(history))
    return TrainingOutcome(trainer.model.eval(), adapter, metrics, history)
