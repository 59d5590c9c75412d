"""The terminal output of a run: progress, the summary at the end, and the table of estimated costs.

Text that models wrote is shown as plain text, never as markup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from generators.formalizations.llm_formalizers.conversation import Conversation
from generators.formalizations.llm_formalizers.cost_estimate import CostEstimate
from generators.formalizations.llm_formalizers.formalizer_run import RunObserver
from generators.formalizations.llm_formalizers.output_records import MissingFormalization, ModelSummary
from harness.llm.client import Answer
from harness.llm.prices import DOLLAR, format_dollars
from harness.text.characters import one_line

SHOWN_MISSING = 20
WIDE = 160
"""Columns where no terminal says how many it has."""


def console(*, stderr: bool) -> Console:
    """Return a console that is as wide as the terminal, and wide enough where there is none."""
    terminal = Console(stderr=stderr)
    return terminal if terminal.is_terminal else Console(stderr=stderr, width=WIDE)


class _Rate(ProgressColumn):
    """Conversations a minute, over the last while."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{60 * task.speed:.0f}/min")


class ProgressDisplay(RunObserver):
    """A line on stderr with rate, cost so far and the time that is left; nothing where no terminal is."""

    def __init__(self, console: Console) -> None:
        """Make the line; it appears when it begins."""
        self._progress = Progress(
            SpinnerColumn(),
            MofNCompleteColumn(),
            BarColumn(),
            _Rate(),
            TextColumn("{task.fields[cost]}", markup=False),
            TimeRemainingColumn(),
            TextColumn("{task.fields[summary]}", markup=False),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self._progress.add_task("", total=None, cost="", summary="", visible=False)
        self._spent = 0
        self._unpriced = self._failed = self._again = 0

    def __enter__(self) -> Self:
        """Show the line."""
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Remove it."""
        self._progress.stop()

    def began(self, conversations: int) -> None:
        """Count from here."""
        self._progress.reset(self._task, total=conversations, visible=True)

    def answered(self, answer: Answer) -> None:
        """Add the cost of an answer."""
        self._spent += answer.cost or 0
        self._unpriced += answer.cost is None
        self._failed += answer.reply is None
        self._again += len(answer.request.messages) > 1
        counts = {"asked again": self._again, "failed": self._failed, "unpriced": self._unpriced}
        summary = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        self._progress.update(self._task, cost=format_dollars(self._spent), summary=summary)

    def ended(self, talk: Conversation) -> None:  # noqa: ARG002  # how it ended is told at the end, by model
        """Count a conversation."""
        self._progress.advance(self._task)

    def tell(self, text: str) -> None:
        """Print a text above the line."""
        self._progress.console.print(Text(text))


def print_summary(console: Console, tallies: Sequence[ModelSummary], missing: Sequence[MissingFormalization]) -> None:
    """Print a line for each model, the kinds of refusal and fault, and what is missing."""
    table = _table("model", "asked", "kept", "mended", "UT-1", "refused", "missing", "tokens", "cost")
    for tally in tallies:
        table.add_row(
            _cell(tally.model),
            f"{tally.asked:,}",
            f"{tally.kept:,}",
            f"{tally.mended:,}/{tally.again:,}" if tally.again else "",
            f"{tally.confirmed:,}",
            _count(sum(tally.refused.values())),
            _count(sum(tally.missing.values())),
            f"{tally.tokens['input'] + tally.tokens['output']:,}",
            format_dollars(None if tally.cost is None else round(tally.cost * DOLLAR)),
        )
    console.print(table)
    for tally in tallies:
        unjudged = {"without a gold answer": tally.unjudged} if tally.unjudged else {}
        for what, counts in (("refused", tally.refused), ("missing", tally.missing), ("not judged", unjudged)):
            if counts:
                console.print(_cell(f"{what}: {tally.model}: {_counted(counts)}", 300))
    for gap in missing[:SHOWN_MISSING]:
        what = f" after {gap.attempts} of its attempts" if gap.attempts else ""
        console.print(_cell(f"missing: {gap.problem_id}: {gap.model}{what}: {gap.reason}", 300))
    if len(missing) > SHOWN_MISSING:
        counts = Counter(gap.kind for gap in missing[SHOWN_MISSING:])
        console.print(_cell(f"missing: {len(missing) - SHOWN_MISSING:,} more: {_counted(counts)}", 300))


def print_estimates(console: Console, estimates: Sequence[CostEstimate], source: str) -> None:
    """Print the estimated cost of a job, a line for each model."""
    table = _table("model", "problems", "kept", "requests", "tokens in", "out", "expected", "at most")
    for estimate in estimates:
        table.add_row(
            _cell(estimate.model),
            f"{estimate.conversations:,}",
            f"{estimate.kept:,}",
            f"{estimate.requests:,}",
            f"{estimate.tokens.input:,}",
            f"{estimate.tokens.output:,}",
            format_dollars(estimate.expected),
            format_dollars(estimate.most),
        )
    if len(estimates) > 1:
        totals = [_sum([estimate.expected for estimate in estimates]), _sum([estimate.most for estimate in estimates])]
        table.add_section()
        table.add_row(
            "all", "", "", f"{sum(estimate.requests for estimate in estimates):,}", "", "", *map(format_dollars, totals)
        )
    console.print(table)
    console.print(
        Text(
            f"Prices of {source}. Expected: one answer each, as long as the longest example. At most: every answer has the longest allowed length and is refused as often as allowed; requests that fail and are sent again do not count."
        )
    )


def _table(name: str, *columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(name, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _sum(amounts: Sequence[int | None]) -> int | None:
    known = [amount for amount in amounts if amount is not None]
    return sum(known) if len(known) == len(amounts) else None


def _count(number: int) -> str:
    return f"{number:,}" if number else ""


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items())


def _cell(text: str, longest: int = 120) -> Text:
    return Text(one_line(text, limit=longest))
