"""A training run of a step classifier, from its settings to the adapter, its metrics and its curve."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.errors import HarnessError
from sft.datasets.leakage import origin
from sft.models.step_encoder import HUB_ID, KINDS, LAYERS, StepEncoder, load_encoder, save_form
from sft.training.adapter import adapter_card
from sft.training.run import TrainingOutcome, checkpoint_of, device_of, run_arguments, ticket, write_adapter
from sft.training.step_pairs import RIGHT, SolutionGroup, balanced, group_of, learnable, marked, read_samples, rewritten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sft.samples.items import Sample
    from sft.training.config import TrainingSettings
    from sft.training.step_pairs import MarkedSolution

FORMS = 3
"""Forms of each group in the data: as it is, and others that are drawn."""
HELD_OUT = "held out"
"""The source of the validation solutions whose problems are kept from training."""


def train_steps(settings: TrainingSettings, encoder: StepEncoder | None = None) -> TrainingOutcome:
    """Train a step classifier and write it with its metrics to `settings.out`; `encoder` replaces the one that the settings name.

    Solutions of `settings.valid_share` of the problems are kept to validate on; each file of `settings.valid` is one more source.

    Raises:
        HarnessError: as `sft.training.run.train`.
    """
    from transformers.trainer_callback import PrinterCallback

    from sft.training.clock import RunClock, time_of
    from sft.training.step_trainer import threshold_of

    samples = read_samples(settings.train)
    checkpoint = checkpoint_of(settings, Path(settings.out))
    encoder = encoder or load_encoder(settings.model, device_of(settings), longest=settings.max_length)
    train, held = _split(settings, learnable(samples))
    validation = _validation(settings, held)
    clock = RunClock(
        settings.minutes * 60,
        settings.evaluations,
        validates=bool(validation),
        spent=time_of(checkpoint) if checkpoint else 0.0,
    )
    trainer = step_trainer(settings, encoder, train, validation, clock)
    encoder = replace(encoder, model=trainer.model)
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(clock)
    trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    last = _last_validation(trainer) if validation else {}
    trainer.model.eval()
    own = [solution for solution in validation if solution.source == HELD_OUT]
    encoder = replace(encoder, threshold=threshold_of(own, list(encoder.probabilities([s.item for s in own]))))
    state = trainer.state
    read = state.global_step * settings.accumulation * _groups_in_batch(settings)
    metrics = {
        **{name.replace("eval_", "valid_", 1): value for name, value in last.items()},
        "steps": state.global_step,
        "groups_given": len(train),
        "groups_read": read,
        "threshold": encoder.threshold,
        "train_loss": next((entry["loss"] for entry in reversed(state.log_history) if "loss" in entry), None),
        "seconds": clock.elapsed(),
    }
    adapter = write_adapter(settings, trainer, metrics, _card(settings, metrics, state.log_history, train), base=HUB_ID)
    save_form(adapter, encoder)
    return TrainingOutcome(encoder.model, adapter, metrics, list(state.log_history))


def _split(settings: TrainingSettings, samples: Sequence[Sample]) -> tuple[list[SolutionGroup], list[SolutionGroup]]:
    """Return the groups to train on and those of the problems that are kept, both balanced; no problem is in both."""
    kept = [ticket(origin(sample.problem_id), settings.seed) < settings.valid_share for sample in samples]
    train, held = (
        [group for sample in balanced(own, limit, settings.seed) if (group := group_of(sample)) is not None]
        for own, limit in (
            ([sample for sample, out in zip(samples, kept, strict=True) if not out], settings.limit),
            ([sample for sample, out in zip(samples, kept, strict=True) if out], settings.valid_most),
        )
    )
    if not train:
        raise HarnessError("nothing to train on: every problem is kept for validation; lower --valid-share")
    return train, held


def _validation(settings: TrainingSettings, held: Sequence[SolutionGroup]) -> list[MarkedSolution]:
    """Return the validation solutions: those of the kept problems and of each file, as many of each, at most `valid_most` in all."""
    sources: dict[str, list[MarkedSolution]] = defaultdict(list)
    sources[HELD_OUT] = [replace(each, source=HELD_OUT) for group in held for each in group.solutions]
    for path in settings.valid:
        sources[Path(path).stem] = [replace(marked(own), source=Path(path).stem) for own in read_samples([path])]
    most = settings.valid_most // len(sources)
    draw = random.Random(f"{settings.seed}:valid")
    return [each for own in sources.values() for each in draw.sample(own, min(most, len(own)))]


def _last_validation(trainer: Any) -> dict[str, float]:
    """Return the validation of the weights that a run ends with."""
    entries = [entry for entry in trainer.state.log_history if "eval_runtime" in entry]
    if entries and entries[-1]["step"] == trainer.state.global_step:
        return {name: value for name, value in entries[-1].items() if name.startswith("eval_")}
    validated: dict[str, float] = trainer.evaluate()
    return validated


def _groups_in_batch(settings: TrainingSettings) -> int:
    """Return the groups in a batch of `batch_size` solutions."""
    return max(1, settings.batch_size // 2)


def step_trainer(
    settings: TrainingSettings,
    encoder: StepEncoder,
    train: Sequence[SolutionGroup],
    validation: Sequence[MarkedSolution],
    clock: Any,
) -> Any:
    """Return the trainer of a run, with a new adapter on each linear layer of the encoder and with new outputs."""
    from peft import LoraConfig, get_peft_model
    from transformers import TrainingArguments, set_seed

    from sft.training.step_trainer import StepTrainer, learnt

    set_seed(settings.seed)
    rows = []
    for form in range(FORMS):
        for group in train:
            shown = rewritten(group, settings.seed + form) if form else group
            texts = [(encoder.text_of(solution.item), solution) for solution in shown.solutions]
            solutions = [learnt(text, solution) for text, solution in texts if text is not None]
            if len(solutions) == len(texts):
                # The trainer orders by the tokens of `input_ids`.
                rows.append({"solutions": solutions, "input_ids": max((row["ids"] for row in solutions), key=len)})
    if not rows:
        raise HarnessError(f"no solution of at most {encoder.longest} tokens: raise --max-length")
    adapter = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=list(LAYERS),
        task_type="TOKEN_CLS",
    )
    model = get_peft_model(encoder.model, adapter)
    arguments = {
        **run_arguments(settings, encoder.model.device.type),
        "per_device_train_batch_size": _groups_in_batch(settings),
    }
    return StepTrainer(
        model=model,
        args=TrainingArguments(**arguments, label_names=["wrong", "kinds"], eval_strategy="no"),
        encoder=replace(encoder, model=model),
        validation=validation,
        train_dataset=rows,
        share=clock.share,
        warmup=settings.warmup,
    )


def _card(
    settings: TrainingSettings,
    metrics: dict[str, Any],
    history: Sequence[dict[str, Any]],
    train: Sequence[SolutionGroup],
) -> str:
    """Return the card of a step classifier in Markdown: what it does, its data, its figures, and their curve over the run."""
    kinds = Counter(KINDS[group.solutions[0].kind] for group in train if group.solutions[0].kind >= 0)
    places = Counter(group.solutions[0].wrong + 1 for group in train if group.solutions[0].wrong != RIGHT)
    counted = ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common())
    about = (
        "Reads a question and a solution, and gives each line the probability that it is the first wrong one (a token after each line, "
        "binary loss up to the first wrong line), and the kind of the error.\n\n"
        f"Trained on {len(train):,} groups, most a flawed solution and its right twin, in {FORMS} forms: {counted}; errors in lines "
        f"{', '.join(f'{place} {count:,}' for place, count in sorted(places.items()))}."
    )
    return f"{adapter_card(settings, 'math, verification', about, metrics)}\n## Curve\n\n{curve(settings, history)}"


def curve(settings: TrainingSettings, history: Sequence[dict[str, Any]]) -> str:
    """Return the curve of a run as a table in Markdown: after so many solutions the loss of training since the row before, and what was validated."""
    names = sorted({name for entry in history for name in entry if name.startswith("eval_") and name != "eval_runtime"})
    shown = [name.removeprefix("eval_").replace("loss", "validation loss") for name in names]
    rows, losses = [], []
    for entry in history:
        if "loss" in entry:
            losses.append(entry["loss"])
        if any(name in entry for name in names):
            read = entry["step"] * settings.accumulation * _groups_in_batch(settings) * 2
            loss = f"{sum(losses) / len(losses):.3f}" if losses else ""
            rows.append(
                " | ".join([f"{read:,}", loss, *(f"{entry[name]:.3f}" if name in entry else "" for name in names)])
            )
            losses = []
    header = ["solutions", "loss", *shown]
    return "\n".join(f"| {row} |" for row in [" | ".join(header), " | ".join("---" for _ in header), *rows]) + "\n"
