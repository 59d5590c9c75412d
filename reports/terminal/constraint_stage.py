"""Terminal summary of constraint problems: the claims of the suite or the steps of the pipeline, the findings, and the next commands."""

from __future__ import annotations

from itertools import islice
from shlex import quote
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from harness.command_line.runnable_commands import runnable
from harness.stages import SMT
from harness.text.characters import one_line, printable
from reports.views.artefacts import command_of
from reports.views.constraint_runs import CLAIM_COLUMNS, constraint_run

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from reports.views.constraint_runs import ConstraintRun

MOST_FINDINGS = 10


def print_claims(run: Path, console: Console) -> None:
    """Print the verdicts of the suite by domain and claim, the first findings, and the next commands.

    Raises:
        HarnessError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    shown = constraint_run(run)
    table = Table(title=f"{shown.total:,} constraint problems", title_justify="left")
    table.add_column("domain", overflow="fold")
    table.add_column("claim")
    for column in CLAIM_COLUMNS:
        table.add_column(column, justify="right")
    for row in shown.claims:
        table.add_row(Text(printable(row.domain)), row.claim, *(f"{count:,}" for count in row.counts))
    console.print(table)
    _print_findings(shown, console)
    problems = quote(str(run / SMT / "problems.jsonl"))
    _print_commands(
        {
            "page of all problems:": f"{command_of(run)} --constraints",
            "clauses that no assertion states:": runnable(f"oracle-factory smt align {problems} -o aligned"),
            "train a model on them:": runnable(f"oracle-factory smt run --count 0 --problems {problems}"),
        },
        console,
    )


def print_steps(run: Path, console: Console) -> None:
    """Print the steps of a run of the pipeline, the results of models, and the first findings.

    Raises:
        HarnessError: as in `print_claims`.
    """
    shown = constraint_run(run)
    console.print(Text(f"{one_line(shown.name)}: constraint problems", style="bold"))
    for step, counts in shown.steps:
        console.print(Text(f"  {one_line(step)}: {one_line(counts)}"), soft_wrap=True)
    if shown.rows:
        table = Table(title="programs that models wrote", title_justify="left")
        table.add_column("model", overflow="fold")
        for column in ("valid", "correct", "correct where a number or name is asked for"):
            table.add_column(column, justify="right")
        for row in shown.rows:
            shares = (row["valid"], row["correct"], row["open"]["correct"])
            cells = (f"{share['count']:,} of {share['of']:,}" for share in shares)
            table.add_row(Text(one_line(row["row"].replace("_", ", "))), *cells)
        console.print(table)
    _print_findings(shown, console)
    _print_commands({"page of all problems:": f"{command_of(run)} --constraints"}, console)


def _print_findings(shown: ConstraintRun, console: Console) -> None:
    if not shown.with_findings:
        return
    first = list(islice((card for card in shown.cards if card.findings), MOST_FINDINGS))
    some = f", the first {len(first)}" if shown.with_findings > len(first) else ""
    console.print(f"Programs with a finding: {shown.with_findings:,} of {shown.total:,}{some}:")
    for card in first:
        line = f"  {one_line(card.problem.id)}: {one_line('; '.join(card.findings))}"
        console.print(Text(line), no_wrap=True, overflow="ellipsis")


def _print_commands(commands: dict[str, str], console: Console) -> None:
    wide = max(map(len, commands))
    for label, command in commands.items():
        console.print(Text(f"{label:<{wide}} {command}", style="bold"), soft_wrap=True)
