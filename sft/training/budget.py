"""The budget of a run in time or in steps, which decides when to validate, to save and to stop, and says how far the run is.

This module imports transformers; import it inside functions.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transformers import TrainerCallback

from harness.store.run_folder import dump, write_atomically
from harness.store.stage_progress import seconds_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CLOCK = "clock.json"


@dataclass(slots=True)
class RunBudget:
    """The limits of a run in seconds, 0 for none, and in steps, which the trainer knows when it begins.

    `spent` are the seconds before the checkpoint of a resumed run, `done` the steps taken.
    """

    seconds: float
    spent: float = 0.0
    steps: int = 1
    done: int = 0
    now: Callable[[], float] = time.monotonic
    _began: float = field(default=-1.0)

    def start(self) -> None:
        """Start the clock."""
        self._began = self.now()

    def elapsed(self) -> float:
        """Return the seconds of the run, those before its checkpoint included."""
        return self.spent + (self.now() - self._began if self._began >= 0 else 0.0)

    def share(self) -> float:
        """Return the elapsed share of the run, from 0 to 1: of its steps or of its time, whichever is greater."""
        by_time = self.elapsed() / self.seconds if self.seconds else 0.0
        return min(1.0, max(self.done / max(self.steps, 1), by_time))


class Timekeeper(TrainerCallback):  # type: ignore[misc]  # transformers is not type-checked here
    """Tells the trainer when to validate, save and stop, writes the elapsed time beside every checkpoint, and reports each logged loss.

    The time of a last validation is reserved, so that the run ends within its budget. On several devices, the clock of the
    first one decides.
    """

    def __init__(self, budget: RunBudget, evaluations: int, *, validates: bool) -> None:
        self._budget, self._evaluations, self._validates = budget, evaluations, validates
        self._next, self._longest = 1, 0.0

    def on_train_begin(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:
        """Start the clock."""
        self._budget.steps, self._budget.done = max(1, state.max_steps), state.global_step
        self._budget.start()
        self._next = int(self._budget.share() * self._evaluations) + 1

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Validate and save at even shares of the run, and stop when the remaining time is needed for the last validation."""
        budget = self._budget
        budget.done = state.global_step
        over, due = self._agreed(args)
        if due or over:
            self._next = int(budget.share() * self._evaluations) + 1
            control.should_save = True
            control.should_evaluate = self._validates
            control.should_log = True
        if over:
            control.should_training_stop = True

    def _agreed(self, args: Any) -> tuple[bool, bool]:
        """Return whether the run is over and whether a validation is due, the same on every device."""
        budget = self._budget
        out_of_time = bool(budget.seconds) and budget.elapsed() + self._longest >= budget.seconds
        flags = [out_of_time or budget.done >= budget.steps, budget.share() * self._evaluations >= self._next]
        if args.world_size > 1:
            import torch

            shared = torch.tensor(flags, dtype=torch.uint8, device=args.device)
            torch.distributed.broadcast(shared, src=0)
            flags = [bool(flag) for flag in shared.tolist()]
        return flags[0], flags[1]

    def on_log(self, _args: Any, state: Any, _control: Any, logs: Mapping[str, float], **_: Any) -> None:
        """Report the losses of a step, and the time left, on standard error."""
        losses = [f"{name.replace('_', ' ')} {logs[name]:.3f}" for name in ("loss", "eval_loss") if name in logs]
        share = self._budget.share()
        if losses and share and state.is_world_process_zero:
            left = seconds_text(self._budget.elapsed() * (1 - share) / share)
            sys.stderr.write(f"{share:.0%} step {state.global_step}, {', '.join(losses)}, {left} left\n")

    def on_evaluate(self, _args: Any, _state: Any, _control: Any, metrics: Mapping[str, float], **_: Any) -> None:
        """Store the longest time of a validation."""
        self._longest = max(self._longest, metrics.get("eval_runtime", 0.0))

    def on_save(self, args: Any, state: Any, _control: Any, **_: Any) -> None:
        """Write the elapsed time beside the checkpoint."""
        folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if state.is_world_process_zero and folder.is_dir():
            write_atomically(folder / CLOCK, dump({"seconds": self._budget.elapsed()}))


def time_of(checkpoint: Path) -> float:
    """Return the seconds of a run at a checkpoint, 0 if they are unknown."""
    try:
        return float(json.loads((checkpoint / CLOCK).read_text("utf-8"))["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0.0
