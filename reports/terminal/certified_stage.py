"""Terminal summary of the stages of certified flaws and variants: records by operator, and the reasons for discarded changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from harness.text.characters import one_line, spaced
from reports.terminal.stage_tables import counts, discards, figure, figures, print_sections, reasons
from reports.views.artefacts import command_of
from reports.views.flaws import FLAWS, PositionMatrix
from reports.views.record_titles import POSITIONS
from reports.views.variants import VARIANTS

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console, RenderableType
    from rich.table import Table

    from reports.views.certified_stage import CertifiedFigures, OperatorFigures


def print_mutations(run: Path, console: Console) -> None:
    """Print the flawed solutions of each operator and the reasons for discarded changes, within the console's width.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    matrix = PositionMatrix()
    stage_figures = FLAWS.figures(run, matrix.add)
    _print_figures(stage_figures, console, extra=[("Tier and position of the wrong line", _matrix(matrix))])


def print_variants(run: Path, console: Console) -> None:
    """Print the variants of each operator and the reasons for discarded edits, within the console's width.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    _print_figures(VARIANTS.figures(run), console)


def _print_figures(
    stage_figures: CertifiedFigures[Any], console: Console, *, extra: list[tuple[str, RenderableType]] | None = None
) -> None:
    kind = stage_figures.kind
    console.print(_heading(stage_figures))
    if stage_figures.selection_phrase:
        console.print(Text(stage_figures.selection_phrase, style="dim"))
    sections: list[tuple[str, RenderableType]] = [
        (f"Operators by {kind.group}", _operators(stage_figures)),
        *(extra or []),
        (f"Why {kind.change}s were discarded", reasons(stage_figures.discarded(), kind.reason)),
        (kind.origin, counts(stage_figures.sources)),
        *([("What these are", counts(stage_figures.standings))] if stage_figures.standings else []),
        ("Problems left out", counts(stage_figures.unfit)),
    ]
    print_sections(console, sections)
    command = command_of(stage_figures.stage.run)
    console.print(Text(f"\nlook at one:   {command} --{kind.noun} ID", style="bold"), soft_wrap=True)
    console.print(Text(f"               ID of a problem: its {kind.noun}s, a line each", style="dim"), soft_wrap=True)
    console.print(Text(f"in a browser:  {command} --{kind.noun}s", style="bold"), soft_wrap=True)


def _heading(stage_figures: CertifiedFigures[Any]) -> Text:
    text = Text.assemble((one_line(stage_figures.stage.run.name), "bold"), f"  {stage_figures.kind.stage}, sealed\n")
    text.append(stage_figures.total_phrase, style="bold green")
    text.append(stage_figures.share_phrase)
    text.append(
        stage_figures.marked_phrase,
        style="yellow" if stage_figures.marked and not stage_figures.kind.marked_apart else "",
    )
    return (
        text.append(f"; {stage_figures.refused:,} were refused a certificate", style="bold red")
        if stage_figures.refused
        else text
    )


def _operators(stage_figures: CertifiedFigures[Any]) -> Table:
    table = figures()
    table.add_column("operator", overflow="ellipsis", no_wrap=True)
    for title in (f"{stage_figures.kind.noun}s", stage_figures.kind.marked):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("discarded", overflow="fold", style="dim")
    for group, operators in stage_figures.by_group():
        name = group or "made nothing"
        heading = Text(one_line(spaced(name)), style="bold")
        if [operator.name for operator in operators] == [name]:
            table.add_row(heading, *_cells(operators[0], stage_figures))
            continue
        total, marked = sum(operator.records for operator in operators), sum(operator.marked for operator in operators)
        table.add_row(heading, Text(figure(total), style="bold"), figure(marked))
        for operator in operators:
            table.add_row(Text(f"  {one_line(spaced(operator.name))}"), *_cells(operator, stage_figures))
    return table


def _cells(operator: OperatorFigures, stage_figures: CertifiedFigures[Any]) -> list[Text]:
    marked_style = "" if stage_figures.kind.marked_apart else "yellow"
    return [
        Text(figure(operator.records), style="green"),
        Text(figure(operator.marked), style=marked_style),
        discards(operator.refused, operator.discarded, stage_figures.kind.reason),
    ]


def _matrix(matrix: PositionMatrix) -> RenderableType:
    rows = matrix.rows()
    if not rows:
        return Text("none", style="dim")
    table = figures()
    table.add_column("class", overflow="ellipsis", no_wrap=True)
    for title in ("tier", *POSITIONS, "all"):
        table.add_column(title, justify="right", no_wrap=True)
    last = None
    for row in rows:
        title = "" if row.error_class == last else one_line(spaced(row.error_class))
        last = row.error_class
        tier = "–" if row.tier is None else str(row.tier)
        total = Text(f"{sum(row.counts):,}", style="bold")
        table.add_row(Text(title), tier, *(Text(figure(count)) for count in row.counts), total)
    return table
