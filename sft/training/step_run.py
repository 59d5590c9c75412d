"""The training of a step classifier: the loss up to the first wrong line, the areas on each validation source, and the run from its settings to the adapter.

This module imports torch and transformers; import it inside functions.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.metrics import log_loss, roc_curve
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, softplus
from transformers import DataCollatorForTokenClassification, Trainer, TrainingArguments, set_seed

from harness.errors import HarnessError
from sft.datasets.leakage import origin
from sft.fitted.model import area
from sft.models.step_encoder import (
    KINDS,
    MarkedText,
    StepEncoder,
    StepProbabilities,
    load_encoder,
    save_form,
)
from sft.samples.items import Sample
from sft.training.adapter import adapter_card
from sft.training.clock import BudgetTrainer
from sft.training.config import TrainingSettings
from sft.training.examples import IGNORED, read_samples, sample_files
from sft.training.run import (
    TrainingOutcome,
    checkpoint_of,
    device_of,
    outcome_of,
    run_arguments,
    run_to_end,
    ticket,
)
from sft.training.step_pairs import (
    NONE,
    MarkedSolution,
    SolutionGroup,
    balanced,
    group_of,
    learnable,
    marked,
    rewritten,
)

LINE_WEIGHT, KIND_WEIGHT = 0.3, 0.1
"""The weights of the losses of lines and of kinds beside that of pairs."""
OUTPUT_RATE = 10
"""The learning rate of the new outputs, as a multiple of that of the encoder."""
RIGHT, WRONG = 0, 1
"""The labels of a right line, and of a wrong one of an unknown kind; kind `k` has the label `WRONG + 1 + k`."""
FORMS = 3
"""Forms of each group in the data: as it is, and others that are drawn."""
HELD_OUT = "held out"
"""The source of the validation solutions whose problems are kept from training."""
ABOUT = (
    "Reads a question and a solution, and gives each line the probability that it is the first wrong one (a token after each line, "
    "binary loss up to the first wrong line), and the kind of the error.\n\n"
    f"Trained on flawed solutions, each with its right twin, in {FORMS} forms: "
)
"""The beginning of the card, before the kinds of errors with their numbers."""


def train_steps(settings: TrainingSettings) -> TrainingOutcome:
    """Train a step classifier and write it with its metrics to `settings.out`.

    Solutions of `settings.valid_share` of the problems are kept to validate on; each file of `settings.valid` is one more source.
    Errors as in `sft.training.run.train`.
    """
    samples = learnable(read_samples(sample_files(settings.train)))
    checkpoint = checkpoint_of(settings)
    encoder = load_encoder(settings.model, device_of(settings), longest=settings.max_length)
    train, held = _split(settings, samples)
    validation = _validation(settings, held)
    trainer = step_trainer(settings, encoder, train, validation, checkpoint)
    figures = run_to_end(trainer)
    trained = replace(encoder, model=trainer.model.eval())
    own = [solution for solution in validation if solution.source == HELD_OUT]
    trained = replace(trained, threshold=threshold_of(own, trained.probabilities(each.item for each in own)))
    read = figures["steps"] * _groups_in_step(settings)
    metrics = {**figures, "groups_given": len(train), "groups_read": read, "threshold": trained.threshold}
    kinds = Counter(str(KINDS[group[0].kind]) for group in train if group[0].kind != NONE)
    about = f"{ABOUT}{', '.join(f'{kind} {count:,}' for kind, count in kinds.most_common())}."
    outcome = outcome_of(trainer, metrics, adapter_card(settings, "math, verification", about, metrics))
    save_form(outcome.adapter, trained)
    return outcome


def _split(settings: TrainingSettings, samples: Sequence[Sample]) -> tuple[list[SolutionGroup], list[SolutionGroup]]:
    """Return the groups to train on and those of the problems that are kept, both balanced; no problem is in both."""
    sides: tuple[list[Sample], list[Sample]] = [], []
    for sample in samples:
        sides[ticket(origin(sample.problem_id), settings.seed) < settings.valid_share].append(sample)
    train, held = (
        [group for sample in balanced(side, limit, settings.seed) if (group := group_of(sample))]
        for side, limit in zip(sides, (settings.limit, settings.valid_most), strict=True)
    )
    if not train:
        raise HarnessError("nothing to train on: every problem is kept for validation; lower --valid-share")
    return train, held


def _validation(settings: TrainingSettings, held: Sequence[SolutionGroup]) -> list[MarkedSolution]:
    """Return the validation solutions: those of the kept problems and of each file, as many of each, at most `valid_most` in all."""
    sources = {HELD_OUT: [each for group in held for each in group]}
    sources |= {Path(path).stem: list(map(marked, read_samples([path]))) for path in settings.valid}
    most = settings.valid_most // len(sources)
    draw = random.Random(f"{settings.seed}:valid")
    return [
        replace(each, source=name) for name, own in sources.items() for each in draw.sample(own, min(most, len(own)))
    ]


def _groups_in_step(settings: TrainingSettings) -> int:
    """Return the groups in a step, of which a batch of `batch_size` solutions has half as many."""
    return settings.accumulation * max(1, settings.batch_size // 2)


def step_trainer(
    settings: TrainingSettings,
    encoder: StepEncoder,
    train: Sequence[SolutionGroup],
    validation: Sequence[MarkedSolution],
    checkpoint: Path | None,
) -> StepTrainer:
    """Return the trainer of a run: of all weights of the encoder, with new outputs."""
    set_seed(settings.seed)
    rows = []
    for form in range(FORMS):
        for group in train:
            shown = rewritten(group, settings.seed + form) if form else group
            own = [learnt(text, each) for each in shown if (text := encoder.text_of(each.item)) is not None]
            if len(own) == len(group):
                # The trainer orders by the tokens of `input_ids`.
                rows.append({"solutions": own, "input_ids": max((row["input_ids"] for row in own), key=len)})
    if not rows:
        raise HarnessError(f"no solution of at most {encoder.longest} tokens: raise --max-length")
    arguments = run_arguments(settings, encoder.model.device.type)
    arguments["per_device_train_batch_size"] = _groups_in_step(settings) // settings.accumulation
    return StepTrainer(
        model=encoder.model,
        args=TrainingArguments(**arguments, label_names=["labels"], eval_strategy="no"),
        encoder=encoder,
        validation=validation,
        train_dataset=rows,
        settings=settings,
        checkpoint=checkpoint,
    )


def learnt(text: MarkedText, solution: MarkedSolution) -> dict[str, NDArray[np.int32]]:
    """Return a solution as the trainer reads it: its tokens, and labels at the marks up to the first wrong line; all else is ignored."""
    labels = np.full(len(text.inputs["input_ids"]), IGNORED)
    labels[text.marks[: solution.wrong + 1 or None]] = RIGHT
    if solution.flawed:
        labels[text.marks[solution.wrong]] = WRONG + 1 + solution.kind
    return {name: np.array(row, np.int32) for name, row in {**text.inputs, "labels": labels}.items()}


def step_loss(logits: torch.Tensor, labels: torch.Tensor, pairs: torch.Tensor) -> torch.Tensor:
    """Return the loss of pairs and lines and kinds, in nats; `logits` is solutions x tokens x outputs, `labels` is solutions x tokens.

    That of lines is the mean binary cross-entropy of those up to the first wrong one. That of pairs asks that a wrong line has greater log-odds than the same
    line of the right twin, where all that the two solutions share cancels: the lines alone teach next to nothing in the first 20,000 solutions. A row of
    `pairs` has the row and the position of a wrong line's mark, and those of its twin's.
    """
    wrong, at, named = logits[..., 0].float(), labels != IGNORED, labels > WRONG
    loss = LINE_WEIGHT * binary_cross_entropy_with_logits(wrong[at], (labels[at] != RIGHT).float())
    if len(pairs):
        row, place, twin, other = pairs.unbind(-1)
        loss = loss + softplus(wrong[twin, other] - wrong[row, place]).mean()
    if named.any():
        loss = loss + KIND_WEIGHT * cross_entropy(logits[..., 1:][named].float(), labels[named] - WRONG - 1)
    return loss


def paired_marks(groups: Sequence[Sequence[dict[str, NDArray[np.int32]]]]) -> torch.Tensor:
    """Return the wrong lines of a batch with the same lines of the right twins, as `step_loss` takes them; rows are counted through the groups."""
    pairs, first = [], 0
    for group in groups:
        marks = [np.flatnonzero(row["labels"] != IGNORED) for row in group]
        if len(group) == 2 and len(marks[0]) <= len(marks[1]):
            pairs.append((first, marks[0][-1], first + 1, marks[1][len(marks[0]) - 1]))
        first += len(group)
    return torch.tensor(np.array(pairs, np.int64).reshape(-1, 4))


class StepTrainer(BudgetTrainer, Trainer):  # type: ignore[misc]  # transformers is not type-checked here
    """The trainer of transformers on groups of solutions; it validates by the verdicts and lines of `validation`."""

    control: Any

    def __init__(self, *, encoder: StepEncoder, validation: Sequence[MarkedSolution], **options: Any) -> None:
        padded = DataCollatorForTokenClassification(encoder.tokenizer)

        def batch(groups: Sequence[dict[str, Any]]) -> Any:
            solutions = [group["solutions"] for group in groups]
            return {**padded([row for group in solutions for row in group]), "pairs": paired_marks(solutions)}

        super().__init__(data_collator=batch, validates=bool(validation), **options)
        self._encoder, self._validation = encoder, validation

    def create_optimizer(self, model: Any = None) -> Any:  # noqa: ARG002  # the signature of the trainer
        """Return the optimizer, in which the new outputs learn `OUTPUT_RATE` times as fast as the encoder."""
        if self.optimizer is None:
            learnt = [(name, own) for name, own in self.model.named_parameters() if own.requires_grad]
            sides = [[own for name, own in learnt if ("classifier" in name) is new] for new in (False, True)]
            rate = self.args.learning_rate
            groups = [{"params": own, "lr": rate * times} for own, times in zip(sides, (1, OUTPUT_RATE), strict=True)]
            self.optimizer = torch.optim.AdamW(groups, weight_decay=self.args.weight_decay)
        return self.optimizer

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, Any],
        return_outputs: bool = False,  # noqa: FBT001, FBT002  # the signature of the trainer
        num_items_in_batch: Any = None,  # noqa: ARG002  # the signature of the trainer
    ) -> Any:
        """Return the loss of a batch."""
        labels, pairs = inputs.pop("labels"), inputs.pop("pairs")
        outputs = model(**inputs)
        loss = step_loss(outputs.logits, labels, pairs)
        return (loss, outputs) if return_outputs else loss

    def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
        """Return and log the loss of the placed validation solutions, and the areas and lines of each source."""
        began = time.monotonic()
        self.model.eval()
        judged = list(self._encoder.probabilities(solution.item for solution in self._validation))
        self.model.train()
        metrics = {f"eval_{name}": value for name, value in source_figures(self._validation, judged).items()}
        metrics["eval_runtime"] = time.monotonic() - began
        self.log(dict(metrics))
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics


def source_figures(solutions: Sequence[MarkedSolution], judged: Iterable[StepProbabilities | None]) -> dict[str, float]:
    """Return the mean loss of lines (`loss`), and of each source the area of the verdict (`area SOURCE`) and the share of flawed solutions whose first wrong line is found (`line SOURCE`)."""
    told = [(each, own) for each, own in zip(solutions, judged, strict=True) if own is not None and own.wrong]
    placed = [(each.wrong, own.wrong[: each.wrong + 1 or None]) for each, own in told if each.placed]
    lines = [(place == wrong, chance) for wrong, chances in placed for place, chance in enumerate(chances)]
    figures = {"loss": float(log_loss(*zip(*lines, strict=True), labels=[False, True]))} if lines else {}
    for name in sorted({each.source for each, _ in told}):
        of_source = [(each, own) for each, own in told if each.source == name]
        flawed = [each.flawed for each, _ in of_source]
        found = [own.first == each.wrong for each, own in of_source if each.flawed and each.placed]
        if len(set(flawed)) > 1:
            figures[f"area {name}"] = area(flawed, [own.flawed for _, own in of_source])
        if found:
            figures[f"line {name}"] = float(np.mean(found))
    return figures


def threshold_of(solutions: Sequence[MarkedSolution], judged: Iterable[StepProbabilities | None]) -> float:
    """Return the probability from which a line is called wrong, by which most solutions, flawed and right of equal weight, get the right verdict; 0.5 where either class is missing."""
    pairs = zip(solutions, judged, strict=True)
    told = [(each.flawed, own.flawed) for each, own in pairs if own is not None and own.wrong]
    if len({flawed for flawed, _ in told}) < 2:
        return 0.5
    accused, found, thresholds = roc_curve(*zip(*told, strict=True), drop_intermediate=False)
    # The first threshold is above every probability; the best one is taken half-way to the probability below it.
    best = 1 + int(np.argmax((found - accused)[1:]))
    return float(thresholds[best] + np.append(thresholds, 0.0)[best + 1]) / 2
