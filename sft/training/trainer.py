"""TRL's trainer with a learning rate by the elapsed share of a run.

This module imports torch and TRL; import it inside functions.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from torch.optim.lr_scheduler import LambdaLR
from trl import SFTTrainer

if TYPE_CHECKING:
    from collections.abc import Callable


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
    """TRL's trainer with the schedule of a budget."""

    def create_model_card(self, *_: Any, **__: Any) -> None:
        """Write no card for checkpoints; the adapter has one."""


def rate(share: float, warmup: float) -> float:
    """Return the learning rate, as a share of the highest, after a share of the run."""
    if share < warmup:
        # Above zero, so that the first step has an effect.
        return max(share, 0.02 * warmup) / warmup
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (share - warmup) / max(1 - warmup, 1e-9))))
