"""The progress report of a run: steps, tokens a second, loss, and the time left.

This module imports transformers; import it inside functions.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from transformers import TrainerCallback

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sft.training.budget import RunBudget

EVERY_SECONDS = {True: 0.5, False: 30.0}
"""Seconds between two updates on a terminal, and between two lines elsewhere."""
SETTLED_STEPS = 3
"""The first steps do not count for the rate: memory is allocated and kernels are chosen."""


class ProgressReporter(TrainerCallback):  # type: ignore[misc]  # transformers is not type-checked here
    """Shows steps, tokens a second, loss and the time left."""

    def __init__(self, budget: RunBudget, console: Console | None = None) -> None:
        self._budget = budget
        self._console = console or Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), console=self._console, transient=True
        )
        self._task = self._bar.add_task("training", total=1.0)
        self._shown, self._first, self._tokens, self._began, self._loss = 0.0, 0, 0, 0.0, ""
        self._settled = False
        self.rate = 0.0

    def on_train_begin(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:
        """Show an empty bar."""
        self._begin(state)
        self._settled = False
        if state.is_world_process_zero and self._console.is_terminal:
            self._bar.start()

    def on_step_end(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:
        """Count a step, and show it if an update is due."""
        now = time.monotonic()
        if not self._settled and state.global_step - self._first == SETTLED_STEPS:
            self._begin(state)
            self._settled = True
        taken = state.global_step - self._first
        if taken and now > self._began:
            self.rate = (int(state.num_input_tokens_seen) - self._tokens) / (now - self._began)
        if now - self._shown < EVERY_SECONDS[self._console.is_terminal] or not state.is_world_process_zero:
            return
        self._shown = now
        line = f"step {state.global_step}, {self.rate:,.0f} tokens/s{self._loss}, {self._left(taken, now)}"
        if self._console.is_terminal:
            self._bar.update(self._task, completed=self._budget.share(), description=line)
        else:
            self._console.print(f"{self._budget.share():.0%} {line}", highlight=False, soft_wrap=True)

    def _begin(self, state: Any) -> None:
        """Count steps and tokens from here on."""
        self._first, self._tokens, self._began = state.global_step, int(state.num_input_tokens_seen), time.monotonic()

    def _left(self, taken: int, now: float) -> str:
        """Return the time left: until the end of the budget, or of the steps at the current rate."""
        if not taken:
            return "time left unknown"
        ends = [(self._budget.steps - self._budget.done) * (now - self._began) / taken]
        if self._budget.seconds:
            ends.append(self._budget.seconds - self._budget.elapsed())
        left = max(0.0, min(ends))
        return f"{left / 60:.0f} min left" if left >= 90 else f"{left:.0f} s left"

    def on_log(self, _args: Any, _state: Any, _control: Any, logs: Mapping[str, float], **_: Any) -> None:
        """Store the loss."""
        if "loss" in logs:
            self._loss = f", loss {logs['loss']:.3f}"

    def on_evaluate(self, _args: Any, state: Any, _control: Any, metrics: Mapping[str, float], **_: Any) -> None:
        """Print a line for every validation."""
        if state.is_world_process_zero:
            named = ", ".join(
                f"{name.removeprefix('eval_').replace('_', ' ')} {value:.3f}"
                for name, value in metrics.items()
                if name in {"eval_loss", "eval_mean_token_accuracy"}
            )
            self._console.print(f"step {state.global_step}: {named}", highlight=False, soft_wrap=True)

    def on_train_end(self, _args: Any, _state: Any, _control: Any, **_: Any) -> None:
        """Remove the bar."""
        self._bar.stop()
