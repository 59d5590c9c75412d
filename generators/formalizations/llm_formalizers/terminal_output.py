"""The terminal output of a run: the summary at the end, and the table of estimated costs.

Text that models wrote is shown as plain text, never as markup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from generators.formalizations.llm_formalizers.conversation import Conversation
from generators.formalizations.llm_formalizers.cost_estimate import CostEstimate
from generators.formalizations.llm_formalizers.output_records import MissingFormalization
from harness.domain import Status
from harness.llm.prices import DOLLAR, format_dollars
from harness.text.characters import one_line

SHOWN_MISSING = 20
WIDE = 160
"""Columns where no terminal says how many it has."""


def console(*, stderr: bool) -> Console:
    """Return a console that is as wide as the terminal, and wide enough where there is none."""
    terminal = Console(stderr=stderr)
    return terminal if terminal.is_terminal else Console(stderr=stderr, width=WIDE)


def print_summary(
    console: Console,
    talks: Sequence[Conversation],
    records: Sequence[dict[str, Any]],
    missing: Sequence[MissingFormalization],
) -> None:
    """Print a line for each model, the kinds of refusal and fault, and what is missing."""
    table = _table("model", "asked", "kept", "mended", "UT-1", "refused", "missing", "tokens", "cost")
    remarks: list[str] = []
    for name in dict.fromkeys(talk.member.name for talk in talks):
        own = [talk for talk in talks if talk.member.name == name]
        answered = [talk for talk in own if talk.attempts]
        last = [talk.attempts[-1].screening for talk in answered]
        status = Counter(screening.status for screening in last)
        repaired = [talk.attempts[-1].screening.status for talk in answered if len(talk.attempts) > 1]
        used = [record for record in records if record["model"] == name]
        costs = [record["cost"] for record in used]
        gaps = Counter(gap.kind for gap in missing if gap.model == name)
        table.add_row(
            _cell(name),
            f"{sum(talk.asked for talk in own):,}",
            f"{sum(not talk.asked for talk in answered):,}",
            f"{repaired.count(Status.CONFIRMED):,}/{len(repaired):,}" if repaired else "",
            f"{status[Status.CONFIRMED]:,}",
            _count(status[Status.REFUTED]),
            _count(gaps.total()),
            f"{sum(record['tokens'][part] for record in used for part in ('input', 'output')):,}",
            format_dollars(None if None in costs else round(sum(costs) * DOLLAR)),
        )
        refused = Counter(screening.kind for screening in last if screening.status is Status.REFUTED)
        unjudged = Counter({"without a gold answer": status[Status.UNKNOWN]})
        for what, counts in (("refused", refused), ("missing", gaps), ("not judged", unjudged)):
            if counts.total():
                remarks.append(f"{what}: {name}: {_counted(counts)}")
    console.print(table)
    for remark in remarks:
        console.print(_cell(remark, 300))
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


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.most_common())


def _cell(text: str, longest: int = 120) -> Text:
    return Text(one_line(text, limit=longest))
