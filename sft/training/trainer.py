"""TRL's trainer within a budget, and with weights of sequences where the data have some.

This module imports torch, transformers and TRL; import it inside functions.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch.nn.functional import cross_entropy
from trl import SFTTrainer
from trl.trainer.sft_trainer import DataCollatorForLanguageModeling

from sft.training.clock import BudgetTrainer
from sft.training.examples import IGNORED


def weighted_collator(padding: int, *, weighted: bool) -> Callable[[list[dict[str, Any]]], dict[str, Any]]:
    """Return TRL's collator, which keeps the weight of each sequence where the data are `weighted`."""
    collate = DataCollatorForLanguageModeling(pad_token_id=padding, pad_to_multiple_of=8)

    def batch(examples: list[dict[str, Any]]) -> dict[str, Any]:
        rows = [{"input_ids": example["input_ids"], "labels": example["labels"]} for example in examples]
        weights = {"weights": torch.tensor([example["weight"] for example in examples])} if weighted else {}
        return {**collate(rows), **weights}

    return batch


def weighted_loss(logits: torch.Tensor, labels: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """Return the mean cross-entropy of the learnt tokens, in nats, each with the weight of its sequence.

    `logits` is sequences x tokens x vocabulary, `labels` sequences x tokens, `weights` has one number a sequence.
    """
    targets = labels[:, 1:]
    losses = cross_entropy(logits[:, :-1].float().transpose(1, 2), targets, ignore_index=IGNORED, reduction="none")
    shares = weights[:, None] * (targets != IGNORED)
    return (losses * shares).sum() / shares.sum().clamp(min=1e-6)


class WeightedTrainer(BudgetTrainer, SFTTrainer):  # type: ignore[misc]  # TRL is not type-checked here
    """TRL's trainer within a budget, and with weights of sequences."""

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
