"""Terminal summary of the template stage: verdicts by claim, causes of refutations and figures by tier."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from harness.stages import TEMPLATE
from harness.text.characters import one_line
from reports.views.artefacts import command_of, open_stage
from reports.views.record_titles import TRACE_CLAIMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from rich.console import Console

    from harness.records.template import TierRecord

SHOWN_TIERS = 5


def print_templates(run: Path, console: Console) -> None:
    """Print the verdicts of the five claims, the causes of refutations, and a comparison of the tiers.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, TEMPLATE)
    counts = stage.manifest["counts"]
    table = Table(title=f"{counts['templates']:,} templates of {counts['problems']:,} problems", title_justify="left")
    for column, justify in (("claim", "left"), ("CONFIRMED", "right"), ("REFUTED", "right"), ("UNKNOWN", "right")):
        table.add_column(column, justify="right" if justify == "right" else "left")
    table.add_column("causes", overflow="fold")
    for claim in TRACE_CLAIMS:
        figures = [f"{counts.get(f'{claim} {status}', 0):,}" for status in ("CONFIRMED", "REFUTED", "UNKNOWN")]
        causes = {
            name.partition(": ")[2]: count for name, count in counts["causes"].items() if name.startswith(f"{claim}: ")
        }
        causes_text = ", ".join(
            f"{count:,} {one_line(cause)}" for cause, count in sorted(causes.items(), key=_most_first)
        )
        table.add_row(claim, *figures, Text(causes_text))
    console.print(table)
    failed = sum(count for name, count in counts["causes"].items() if name.startswith("structure: "))
    if counts["steps"]:
        share = 1 - failed / counts["steps"]
        console.print(f"{counts['steps'] - failed:,} of {counts['steps']:,} steps give back their line ({share:.1%})")
    if counts["tiers"]:
        _print_tiers(stage.tiers(), counts, console)
    command = f"look at one:   {command_of(run)} --trace ID\nin a browser:  {command_of(run)} --traces"
    console.print(f"\n{command}", markup=False, highlight=False)


def _print_tiers(records: Iterable[TierRecord], counts: Mapping[str, int], console: Console) -> None:
    same, all_of_them = counts["tiers as published"], counts["tiers"]
    text = f"tiers: {same:,} of {all_of_them:,} problems as published"
    differing = [record for record in records if record.published is not None and record.published != record.tier]
    if differing:
        shown = ", ".join(
            f"{one_line(record.problem_id)} {record.published} → {record.tier}" for record in differing[:SHOWN_TIERS]
        )
        more = ", …" if len(differing) > SHOWN_TIERS else ""
        text += f"; others (published → found, all in tiers.jsonl): {shown}{more}"
    console.print(text, markup=False, highlight=False)


def _most_first(cause: tuple[str, int]) -> tuple[int, str]:
    return (-cause[1], cause[0])
