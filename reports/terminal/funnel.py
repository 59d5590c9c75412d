"""Terminal summary of a run of the whole factory: the funnel from problems to datasets, with the reasons at each step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from harness.text.characters import one_line, spaced
from reports.views.funnel import funnel_steps

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from reports.views.funnel import ShownStep

_BAR, _INDENT = 20, 4


def print_funnel(run: Path, console: Console) -> None:
    """Print the steps of a run: how many reached each, why the others did not, the most frequent reason first, and the products by kind.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    steps = funnel_steps(run)
    console.print(Text(f"\n{one_line(run.resolve().name)}: from problems to datasets", style="bold"))
    wide = max(len(f"{step.record.count:,}") for step in steps)
    for step in steps:
        _print_step(step, console, wide)


def _print_step(step: ShownStep, console: Console, wide: int) -> None:
    filled = round(step.share * _BAR)
    bar = Text("█" * filled, style="green") + Text("░" * (_BAR - filled), style="dim")
    head = Text(f"\n{step.record.count:>{wide},}  ", style="bold") + bar
    console.print(head + Text(f"  {step.title}", style="bold") + Text(f", {step.share_text}"), soft_wrap=True)
    for why, count in step.lost.items():
        _print_count(console, f"-{count:,}".rjust(wide), why, "yellow")
    if step.record.made:
        total = sum(step.record.parts.values())
        console.print(Text(f"{' ' * wide}    {total:,} {step.record.made}:", style="green"), soft_wrap=True)
    for kind, count in step.record.parts.items():
        _print_count(console, f"{count:,}".rjust(wide + _INDENT), kind, "green")


def _print_count(console: Console, number: str, name: str, style: str) -> None:
    console.print(Text(f"    {number}", style=style) + Text(f"  {one_line(spaced(name))}", style="dim"), soft_wrap=True)
