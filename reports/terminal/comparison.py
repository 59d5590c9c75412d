"""Terminal output of the comparison of two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from harness.text.characters import one_line
from reports.views.record_titles import CLAIM_TITLES

if TYPE_CHECKING:
    from rich.console import Console

    from reports.views.run_comparison import OracleSide, RunComparison

LONGEST_REASON = 160


def print_comparison(comparison: RunComparison, console: Console, *, most: int) -> None:
    """Print the changed oracles and verdicts, a number of each at most, and the result in a sentence."""
    console.print(Text(f"A: {one_line(comparison.before)}   B: {one_line(comparison.after)}", style="bold"))
    if comparison.oracles:
        console.print(Text("\nOracles that changed", style="bold"))
        table = _table("problem", "", "A", "B")
        for change in comparison.oracles[:most]:
            table.add_row(one_line(change.problem_id), str(change.kind), _side(change.before), _side(change.after))
        console.print(table)
        _print_rest(len(comparison.oracles), most, console)
    if comparison.verdicts:
        console.print(Text("\nVerdicts that changed", style="bold"))
        table = _table("claim", "A", "B", "claims")
        for claim, before, after, count in comparison.transitions:
            table.add_row(CLAIM_TITLES.get(claim, claim), before.name, after.name, f"{count:,}")
        console.print(table)
        console.print()
        table = _table("claim", "problem", "models", "", "why in B")
        for verdict in comparison.verdicts[:most]:
            why = one_line(verdict.reason, limit=LONGEST_REASON) + (
                " (program differs)" if verdict.program_changed else ""
            )
            statuses = f"{verdict.before.name} → {verdict.after.name}"
            claim = CLAIM_TITLES.get(verdict.claim, verdict.claim)
            table.add_row(claim, one_line(verdict.problem_id), one_line(verdict.models), statuses, why)
        console.print(table)
        _print_rest(len(comparison.verdicts), most, console)
    console.print()
    console.print(Text(comparison.sentence, style="bold"), soft_wrap=True)


def _side(side: OracleSide) -> str:
    if not side.model:
        return "none"
    p_right = "" if side.p_right is None else f", p_right {side.p_right:.2f}"
    return one_line(f"{side.model}: {side.value} (clique of {len(side.clique)}{p_right})", limit=LONGEST_REASON)


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in titles:
        table.add_column(Text(title, style="dim"), overflow="fold")
    return table


def _print_rest(count: int, most: int, console: Console) -> None:
    if count > most:
        console.print(Text(f"… and {count - most:,} more; all by --html", style="dim"))
