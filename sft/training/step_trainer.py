"""The trainer of a step classifier: the loss up to the first wrong line, and the areas under the curve on each validation source.

This module imports torch and transformers; import it inside functions.
"""

from __future__ import annotations

import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
from transformers import Trainer

from sft.models.step_encoder import MarkedText, padded
from sft.training.examples import IGNORED
from sft.training.step_pairs import RIGHT
from sft.training.trainer import BudgetSchedule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from sft.models.step_encoder import StepEncoder, StepProbabilities
    from sft.training.step_pairs import MarkedSolution

    Array = NDArray[np.int32]

KIND_WEIGHT = 0.3
"""The weight of the loss of the kinds beside that of the lines."""


def learnt(text: MarkedText, solution: MarkedSolution) -> dict[str, Array]:
    """Return a solution as the trainer reads it: its tokens, at each mark up to the first wrong line 0 or 1, at that line its kind; all else is ignored."""
    wrong, kinds = np.full((2, len(text.ids)), IGNORED, dtype=np.int32)
    known = text.marks if solution.wrong == RIGHT else text.marks[: solution.wrong + 1]
    wrong[known] = 0
    if solution.wrong != RIGHT:
        wrong[known[-1]] = 1
        kinds[known[-1]] = solution.kind if solution.kind >= 0 else IGNORED
    return {
        "ids": np.array(text.ids, np.int32),
        "types": np.array(text.types, np.int32),
        "wrong": wrong,
        "kinds": kinds,
    }


def step_batch(groups: Sequence[Mapping[str, Any]]) -> dict[str, torch.Tensor]:
    """Return the tensors of a batch, each of the shape (solutions, tokens): all solutions of the groups."""
    rows = [row for group in groups for row in group["solutions"]]
    batch = padded([MarkedText(row["ids"].tolist(), row["types"].tolist(), []) for row in rows])
    shape = batch["input_ids"].shape
    for name in ("wrong", "kinds"):
        batch[name] = torch.full(shape, IGNORED)
        for place, row in enumerate(rows):
            batch[name][place, : len(row[name])] = torch.from_numpy(row[name])
    return batch


def step_loss(logits: torch.Tensor, wrong: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
    """Return the mean binary cross-entropy of the lines up to the first wrong one, in nats, and `KIND_WEIGHT` times that of the known kinds.

    `logits` is solutions x tokens x outputs, `wrong` and `kinds` are solutions x tokens.
    """
    at = wrong != IGNORED
    loss = binary_cross_entropy_with_logits(logits[..., 0][at].float(), wrong[at].float())
    named = kinds != IGNORED
    if named.any():
        loss = loss + KIND_WEIGHT * cross_entropy(logits[..., 1:][named].float(), kinds[named])
    return loss


class StepTrainer(BudgetSchedule, Trainer):  # type: ignore[misc]  # transformers is not type-checked here
    """The trainer of transformers on groups of solutions; it validates by the verdicts and lines of `validation`."""

    control: Any

    def __init__(self, *, encoder: StepEncoder, validation: Sequence[MarkedSolution], **options: Any) -> None:
        super().__init__(data_collator=step_batch, **options)
        self._encoder, self._validation = encoder, validation

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, Any],
        return_outputs: bool = False,  # noqa: FBT001, FBT002  # the signature of the trainer
        num_items_in_batch: Any = None,  # noqa: ARG002  # the signature of the trainer
    ) -> Any:
        """Return the loss of a batch."""
        wrong, kinds = inputs.pop("wrong"), inputs.pop("kinds")
        outputs = model(**inputs)
        loss = step_loss(outputs.logits, wrong, kinds)
        return (loss, outputs) if return_outputs else loss

    def evaluate(self, *_: Any, **__: Any) -> dict[str, float]:
        """Return and log the loss of the placed validation solutions, and the areas and lines of each source."""
        began = time.monotonic()
        self.model.eval()
        judged = list(self._encoder.probabilities([solution.item for solution in self._validation]))
        self.model.train()
        figures = source_figures(self._validation, judged)
        metrics = {f"eval_{name}": value for name, value in figures.items()}
        metrics["eval_runtime"] = time.monotonic() - began
        self.log(dict(metrics))
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics


def source_figures(solutions: Sequence[MarkedSolution], judged: Sequence[StepProbabilities | None]) -> dict[str, float]:
    """Return the mean loss of lines (`loss`), and of each source the area of the verdict (`area SOURCE`) and the share of flawed solutions whose first wrong line is found (`line SOURCE`)."""
    losses: list[float] = []
    verdicts: dict[str, list[tuple[bool, float]]] = defaultdict(list)
    lines: dict[str, list[bool]] = defaultdict(list)
    for solution, own in zip(solutions, judged, strict=True):
        if own is None or not own.wrong:
            continue
        flawed = solution.wrong != RIGHT or not solution.placed
        verdicts[solution.source].append((flawed, own.flawed))
        if solution.placed:
            until = len(own.wrong) if solution.wrong == RIGHT else solution.wrong + 1
            truths = [place == solution.wrong for place in range(until)]
            losses += [
                -float(np.log(max(1e-6, p if truth else 1 - p))) for p, truth in zip(own.wrong, truths, strict=False)
            ]
            if flawed:
                lines[solution.source].append(own.first == solution.wrong)
    areas = {
        f"area {name}": area(*zip(*rows, strict=True))
        for name, rows in sorted(verdicts.items())
        if len({flawed for flawed, _ in rows}) > 1
    }
    return {
        **({"loss": float(np.mean(losses))} if losses else {}),
        **areas,
        **{f"line {name}": float(np.mean(rows)) for name, rows in sorted(lines.items())},
    }


def area(flawed: Sequence[bool], scores: Sequence[float]) -> float:
    """Return the area under the ROC curve; both classes are there."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(flawed, scores))


def threshold_of(solutions: Sequence[MarkedSolution], judged: Sequence[StepProbabilities | None]) -> float:
    """Return the probability from which a line is called wrong, by which most solutions, flawed and right of equal weight, get the right verdict; 0.5 where either class is missing."""
    rows = sorted(
        (own.flawed, solution.wrong != RIGHT or not solution.placed)
        for solution, own in zip(solutions, judged, strict=True)
        if own is not None and own.wrong
    )
    flawed = sum(truth for _, truth in rows)
    if not 0 < flawed < len(rows):
        return 0.5
    gain, best, threshold = 0.0, -1.0, 0.5
    for (score, truth), (below, _) in zip(reversed(rows), [*reversed(rows[:-1]), (0.0, False)], strict=True):
        gain += 1 / flawed if truth else -1 / (len(rows) - flawed)
        if gain > best and below < score:
            best, threshold = gain, (score + below) / 2
    return threshold
