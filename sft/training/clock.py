"""The clock of a run with a budget of time or of steps: when to validate, to save and to stop, and the learning rate by how far the run is.

This module imports torch and transformers; import it inside functions.
"""

import json
import math
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from torch.optim.lr_scheduler import LambdaLR
from transformers import TrainerCallback
from transformers.trainer_callback import EarlyStoppingCallback, PrinterCallback

from harness.store.progress_line import seconds_text
from harness.store.run_folder import dump, write_atomically
from sft.training.config import TrainingSettings

CLOCK = "clock.json"


class RunClock(TrainerCallback):  # type: ignore[misc]  # transformers is not type-checked here
    """Tells the trainer when to validate, save and stop, writes the elapsed time beside every checkpoint, and reports each logged loss.

    `seconds` limit the run, 0 for no limit; `spent` are those before the checkpoint of a resumed run. The time of a last validation is
    reserved, so that the run ends within its budget. On several devices, the clock of the first one decides.
    """

    def __init__(
        self,
        seconds: float,
        evaluations: int,
        *,
        validates: bool,
        spent: float = 0.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds, self._evaluations, self._validates = seconds, evaluations, validates
        self._spent, self._now = spent, now
        self._began: float | None = None
        self._steps, self._done, self._next, self._longest = 1, 0, 1, 0.0

    def elapsed(self) -> float:
        """Return the seconds of the run, those before its checkpoint included."""
        return self._spent + (0.0 if self._began is None else self._now() - self._began)

    def share(self) -> float:
        """Return the elapsed share of the run, from 0 to 1: of its steps or of its time, whichever is greater."""
        by_time = self.elapsed() / self._seconds if self._seconds else 0.0
        return min(1.0, max(self._done / max(self._steps, 1), by_time))

    def on_train_begin(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:
        """Start the clock."""
        self._steps, self._done = max(1, state.max_steps), state.global_step
        self._began = self._now()
        self._next = int(self.share() * self._evaluations) + 1

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Validate and save at even shares of the run, and stop when the remaining time is needed for the last validation."""
        self._done = state.global_step
        over, due = self._agreed(args)
        if due or over:
            self._next = int(self.share() * self._evaluations) + 1
            control.should_save = control.should_log = True
            control.should_evaluate = self._validates
        if over:
            control.should_training_stop = True

    def _agreed(self, args: Any) -> list[bool]:
        """Return whether the run is over and whether a validation is due, the same on every device."""
        out_of_time = bool(self._seconds) and self.elapsed() + self._longest >= self._seconds
        flags = [out_of_time or self._done >= self._steps, self.share() * self._evaluations >= self._next]
        if args.world_size > 1:
            shared = torch.tensor(flags, dtype=torch.uint8, device=args.device)
            torch.distributed.broadcast(shared, src=0)
            flags = [bool(flag) for flag in shared.tolist()]
        return flags

    def on_log(self, _args: Any, state: Any, _control: Any, logs: Mapping[str, float], **_: Any) -> None:
        """Report the losses of a step, and the time left, on standard error."""
        losses = [f"{name.replace('_', ' ')} {logs[name]:.3f}" for name in ("loss", "eval_loss") if name in logs]
        share = self.share()
        if losses and share and state.is_world_process_zero:
            left = seconds_text(self.elapsed() * (1 - share) / share)
            sys.stderr.write(f"{share:.0%} step {state.global_step}, {', '.join(losses)}, {left} left\n")

    def on_evaluate(self, _args: Any, _state: Any, _control: Any, metrics: Mapping[str, float], **_: Any) -> None:
        """Store the longest time of a validation."""
        self._longest = max(self._longest, metrics.get("eval_runtime", 0.0))

    def on_save(self, args: Any, state: Any, _control: Any, **_: Any) -> None:
        """Write the elapsed time beside the checkpoint."""
        folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if state.is_world_process_zero and folder.is_dir():
            write_atomically(folder / CLOCK, dump({"seconds": self.elapsed()}))


def time_of(checkpoint: Path) -> float:
    """Return the seconds of a run at a checkpoint, 0 if they are unknown."""
    try:
        return float(json.loads((checkpoint / CLOCK).read_text("utf-8"))["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0.0


class BudgetTrainer:
    """What a trainer of transformers needs to run within the budget of its settings, from a checkpoint where there is one."""

    lr_scheduler: Any
    optimizer: Any
    args: Any
    add_callback: Callable[[Any], None]
    remove_callback: Callable[[Any], None]

    def __init__(self, *, settings: TrainingSettings, checkpoint: Path | None, validates: bool, **options: Any) -> None:
        super().__init__(**options)
        self.settings, self.checkpoint, self.validates = settings, checkpoint, validates
        spent = time_of(checkpoint) if checkpoint else 0.0
        self.clock = RunClock(settings.minutes * 60, settings.evaluations, validates=validates, spent=spent)
        self.remove_callback(PrinterCallback)
        self.add_callback(self.clock)
        if settings.patience and self.args.load_best_model_at_end:
            self.add_callback(EarlyStoppingCallback(settings.patience))

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> Any:  # noqa: ARG002  # the clock knows the steps
        """Make the schedule: the rate rises during the warm-up, then falls along half a cosine to zero at the end of the run."""
        if self.lr_scheduler is None:
            warmup = self.settings.warmup
            self.lr_scheduler = LambdaLR(optimizer or self.optimizer, lambda _: rate(self.clock.share(), warmup))
            self._created_lr_scheduler = True
        return self.lr_scheduler


def rate(share: float, warmup: float) -> float:
    """Return the learning rate, as a share of the highest, after a share of the run."""
    if share < warmup:
        # Above zero, so that the first step has an effect.
        return max(share, 0.02 * warmup) / warmup
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (share - warmup) / max(1 - warmup, 1e-9))))
