"""TRL's trainer with a learning rate by the elapsed share of a run, and with weights of sequences where the data have some.

This module imports torch, transformers and TRL; import it inside functions.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch.nn.functional import cross_entropy
from torch.optim.lr_scheduler import LambdaLR
from trl import SFTTrainer
from trl.trainer.sft_trainer import DataCollatorForLanguageModeling

from sft.training.examples import IGNORED


class WeightedCollator:
    """TRL's collator, which keeps the weight of each sequence, if any has one but 1."""

    def __init__(self, padding: int, *, weighted: bool) -> None:
        self._collate = DataCollatorForLanguageModeling(pad_token_id=padding, pad_to_multiple_of=8)
        self._weighted = weighted

    def __call__(self, examples: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the tensors of a batch."""
        batch: dict[str, Any] = self._collate(
            [{"input_ids": example["input_ids"], "labels": example["labels"]} for example in examples]
        )
        if self._weighted:
            batch["weights"] = torch.tensor([example["weight"] for example in examples])
        return batch


def weighted_loss(logits: torch.Tensor, labels: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Return the mean cross-entropy of the learnt tokens, in nats, each with the weight of its sequence.

    `logits` is sequences x tokens x vocabulary, `labels` sequences x tokens, `weights` has one number a sequence.
    """
    targets = labels[:, 1:]
    losses = cross_entropy(logits[:, :-1].float().transpose(1, 2), targets, ignore_index=IGNORED, reduction="none")
    shares = weights[:, None] * (targets != IGNORED)
    return (losses * shares).sum() / shares.sum().clamp(min=1e-6)


class BudgetSchedule:
    """What a trainer of transformers needs to set the learning rate by the elapsed share of a run.

    `share` gives that share, from 0 to 1, and `warmup` that in which the rate rises.
    """

    lr_scheduler: Any
    optimizer: Any

    def __init__(self, *, share: Callable[[], float], warmup: float, **options: Any) -> None:
        super().__init__(**options)
        self._share, self._warmup = share, warmup

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> Any:  # noqa: ARG002  # the share knows the steps
        """Make the schedule: the rate rises during the warm-up, then falls along half a cosine to zero at the end of the run."""
        if self.lr_scheduler is None:
            self.lr_scheduler = LambdaLR(optimizer or self.optimizer, lambda _: rate(self._share(), self._warmup))
            self._created_lr_scheduler = True
        return self.lr_scheduler


class BudgetTrainer(BudgetSchedule, SFTTrainer):  # type: ignore[misc]  # TRL is not type-checked here
    """TRL's trainer with the schedule of a budget, and with weights of sequences."""

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, Any],
        return_outputs: bool = False,  # noqa: FBT001, FBT002  # the signature of the trainer
        num_items_in_batch: Any = None,
    ) -> Any:
        """Return the loss of a batch: TRL's own, or the weighted one."""
        weights = inputs.pop("weights", None)
        if weights is None:
            return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)
        labels = inputs.pop("labels")
        outputs = model(**inputs, use_cache=False)
        loss = weighted_loss(outputs.logits, labels, weights)
        return (loss, outputs) if return_outputs else loss

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """Write no card for checkpoints; the adapter has one."""


def rate(share: float, warmup: float) -> float:
    """Return the learning rate, as a share of the highest, after a share of the run."""
    if share < warmup:
        # Above zero, so that the first step has an effect.
        return max(share, 0.02 * warmup) / warmup
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (share - warmup) / max(1 - warmup, 1e-9))))
