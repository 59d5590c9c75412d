"""TRL's trainer for marks: logits at the targets only, a weight for each kind of target, a limit in time.

This module imports torch, transformers and TRL; import it inside functions.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch.nn.functional import cross_entropy
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import BatchSampler, DataLoader, Dataset, SequentialSampler
from trl import SFTTrainer

from sft.datasets.leakage.shortcuts import area
from sft.models.line_marks import TargetKind
from sft.training.batches import runs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from sft.training.batches import Collator

KINDS = {TargetKind.MARK: "mark", TargetKind.TEXT: "text", TargetKind.TAIL: "tail"}


class TargetHead:
    """Lets a language model compute logits after some tokens only, for any architecture.

    It sits before the head as a hook, so that a model wrapped for several devices is called as it is always called.
    """

    def __init__(self, model: Any) -> None:
        self._positions: torch.Tensor | None = None
        head = model.get_output_embeddings()
        self._hook = head.register_forward_pre_hook(self._select)

    def _select(self, _module: Any, arguments: tuple[torch.Tensor, ...]) -> tuple[torch.Tensor, ...]:
        if self._positions is None:
            return arguments
        (states, *others) = arguments
        return (states.flatten(0, 1)[self._positions].unsqueeze(0), *others)

    def logits(self, model: Any, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the logits after the tokens at `positions`: positions, vocabulary."""
        self._positions = inputs["positions"]
        try:
            logits: torch.Tensor = model(
                input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], use_cache=False
            ).logits
        finally:
            self._positions = None
        return logits[0]


def target_losses(logits: torch.Tensor, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return the cross-entropy of each target, in nats."""
    return cross_entropy(logits.float(), inputs["targets"], reduction="none")


def weighted_loss(logits: torch.Tensor, inputs: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return the mean cross-entropy of the targets by their weights."""
    weights = inputs["weights"]
    return (target_losses(logits, inputs) * weights).sum() / weights.sum().clamp(min=1e-6)


class PlannedBatches(BatchSampler):  # type: ignore[misc]  # torch is not type-checked here
    """Yields planned batches, so that a resumed run continues with the next batch."""

    def __init__(self, batches: list[npt.NDArray[np.int64]]) -> None:
        longest = max(len(batch) for batch in batches)
        super().__init__(SequentialSampler(range(len(batches))), longest, drop_last=True)
        self.batches = batches

    def __iter__(self) -> Iterator[list[int]]:
        for batch in self.batches:
            yield batch.tolist()

    def __len__(self) -> int:
        return len(self.batches)


class IndexDataset(Dataset[int]):  # type: ignore[misc]  # as above
    """Returns each number unchanged; the collator looks up the sequences."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, number: int) -> int:
        return number


class MarkTrainer(SFTTrainer):  # type: ignore[misc]  # TRL is not type-checked here
    """TRL's trainer on planned batches of `Collator`, its learning rate by the elapsed share of the run.

    `share` gives that share, from 0 to 1. `ask` is the token after which a mark stands, `marks` are the tokens that marks
    begin with, the one of `right` first.
    """

    control: Any
    lr_scheduler: Any

    def __init__(
        self,
        *,
        batches: list[npt.NDArray[np.int64]],
        collator: Collator,
        valid_collator: Collator | None,
        share: Callable[[], float],
        warmup: float,
        ask: int,
        marks: tuple[int, ...],
        **options: Any,
    ) -> None:
        super().__init__(data_collator=collator, **options)
        self._batches, self._collator, self._valid = batches, collator, valid_collator
        self._share, self._warmup = share, warmup
        self._ask, self._marks = ask, list(marks)
        model = self.model
        self._head = TargetHead(model.get_base_model() if hasattr(model, "get_base_model") else model)

    def get_train_dataloader(self) -> Any:
        """Return the planned batches, divided among the devices."""
        loader: Any = DataLoader(
            IndexDataset(len(self._collator.sequences)),
            batch_sampler=PlannedBatches(self._batches),
            collate_fn=self._collator,
            num_workers=self.args.dataloader_num_workers,
            pin_memory=self.args.dataloader_pin_memory,
        )
        return self.accelerator.prepare(loader)

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> Any:  # noqa: ARG002  # the share knows the steps
        """Make the schedule: the rate rises during the warm-up, then falls along half a cosine to zero at the end of the run."""
        if self.lr_scheduler is None:
            self.lr_scheduler = LambdaLR(optimizer or self.optimizer, lambda _: rate(self._share(), self._warmup))
            self._created_lr_scheduler = True
        return self.lr_scheduler

    def compute_loss(
        self,
        model: Any,
        inputs: dict[str, Any],
        return_outputs: bool = False,  # noqa: FBT001, FBT002  # the signature of the trainer
        num_items_in_batch: Any = None,  # noqa: ARG002  # the weights count, not the items
    ) -> Any:
        """Return the loss of a batch."""
        logits = self._head.logits(model, inputs)
        loss = weighted_loss(logits, inputs)
        return (loss, {"logits": logits}) if return_outputs else loss

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """Write no card for checkpoints; the adapter has one."""

    def evaluate(self, *_: Any, metric_key_prefix: str = "eval", **__: Any) -> dict[str, float]:
        """Return losses by kind, and how well marks part sound lines from others, on the sequences for validation.

        `mark_auc` is the area under the curve of a line's probability not to be right, against whether it is not;
        it is missing where no line is judged.
        """
        if self._valid is None:
            return {}
        with torch.no_grad():
            metrics = self._measured(self._valid)
        named = {f"{metric_key_prefix}_{name}": value for name, value in metrics.items()}
        self.log(dict(named))
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, named)
        self.model.train()
        return named

    def _measured(self, collator: Collator) -> dict[str, float]:
        began = time.monotonic()
        self.model.eval()
        sums: dict[str, float] = defaultdict(float)
        chances: list[npt.NDArray[np.float32]] = []
        wrong: list[npt.NDArray[np.bool_]] = []
        sequences = collator.sequences
        for numbers in runs_of(sequences.lengths, self.args.per_device_eval_batch_size):
            inputs = self._prepare_inputs(collator(numbers.tolist()))
            with self.compute_loss_context_manager(), self.accelerator.autocast():
                logits = self._head.logits(self.model, inputs)
            losses = target_losses(logits, inputs)
            sums["loss"] += float((losses * inputs["weights"]).sum())
            sums["weight"] += float(inputs["weights"].sum())
            for kind, name in KINDS.items():
                here = inputs["kinds"] == int(kind)
                sums[f"{name}_loss"] += float(losses[here].sum())
                sums[f"{name}_count"] += int(here.sum())
            asked = inputs["input_ids"].flatten()[inputs["positions"]] == self._ask
            asked &= inputs["kinds"] == int(TargetKind.MARK)
            probabilities = logits[asked][:, self._marks].float().softmax(-1)
            chances.append((1 - probabilities[:, 0]).cpu().numpy())
            wrong.append((inputs["targets"][asked] != self._marks[0]).cpu().numpy())
        metrics = {"loss": sums["loss"] / max(sums["weight"], 1e-6)}
        for name in KINDS.values():
            if sums[f"{name}_count"]:
                metrics[f"{name}_loss"] = sums[f"{name}_loss"] / sums[f"{name}_count"]
        if any(map(len, chances)):
            # Texts without lines to judge, such as programs, have no mark.
            scores = zip(np.concatenate(chances).tolist(), np.concatenate(wrong).tolist(), strict=True)
            metrics["mark_auc"] = area(list(scores))
        metrics["seconds"] = time.monotonic() - began
        return metrics


def rate(share: float, warmup: float) -> float:
    """Return the learning rate, as a share of the highest, after a share of the run."""
    if share < warmup:
        # Above zero, so that the first step has an effect.
        return max(share, 0.02 * warmup) / warmup
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (share - warmup) / max(1 - warmup, 1e-9))))
