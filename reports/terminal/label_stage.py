"""Terminal summary of the label stage: verdicts by file, and findings by cause with an example each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from harness.domain import Status
from harness.stages import LABEL
from harness.text.characters import one_line, printable
from reports.views.artefacts import open_stage

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rich.console import Console

    from harness.records.label import FlaggedRecord

STATUSES = ("CONFIRMED", "REFUTED", "UNKNOWN")


def print_labels(run: Path, console: Console) -> None:
    """Print the verdicts by file, then the findings by file and cause, with an example of each.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, LABEL)
    counts = stage.manifest["counts"]
    _print_verdicts(counts, console)
    examples = _examples(stage.flagged())
    if examples:
        _print_causes(counts, examples, console)


def _print_verdicts(counts: dict[str, Any], console: Console) -> None:
    rejected = f", {counts['rejected']:,} rejected" if counts["rejected"] else ""
    table = Table(title=f"{counts['records']:,} labels{rejected}", title_justify="left")
    table.add_column("file", overflow="fold")
    for column in ("records", *STATUSES):
        table.add_column(column, justify="right")
    for file, statuses in counts["files"].items():
        figures = [sum(statuses.values()), *(statuses.get(status, 0) for status in STATUSES)]
        table.add_row(_plain(file), *(f"{figure:,}" for figure in figures))
    console.print(table)


def _print_causes(counts: dict[str, Any], examples: dict[tuple[str, str], str], console: Console) -> None:
    """Print a line for each cause of each file: the number of records, and the first one."""
    for file, causes in counts["causes"].items():
        if not causes:
            continue
        console.print(_plain(f"\n{file}"))
        widest = max(map(len, causes))
        for cause, count in sorted(causes.items(), key=lambda cause_count: (-cause_count[1], cause_count[0])):
            line = f"{count:>7,}  {cause:<{widest}}  {examples.get((file, cause), '')}"
            console.print(_plain(line), no_wrap=True, overflow="ellipsis")


def _plain(text: str) -> Text:
    """Return text that rich shows unchanged, without reading markup in it."""
    return Text(printable(text))


def _examples(flagged: Iterable[FlaggedRecord]) -> dict[tuple[str, str], str]:
    """Return one line on the first record of each file and cause."""
    examples: dict[tuple[str, str], str] = {}
    for record in flagged:
        for finding in record.findings:
            remark = "(a remark, the label stands) " if record.status is Status.CONFIRMED else ""
            example = f"{remark}{record.problem_id} {finding.line}: {finding.found}; expected {finding.expected}"
            examples.setdefault((record.file, finding.cause), one_line(example))
        if not record.findings:
            kind, _, detail = (record.reason or "").partition(": ")
            examples.setdefault((record.file, kind), one_line(f"{record.problem_id} {detail}"))
    return examples
