"""Terminal summary of the mutation stage: flawed solutions and discarded changes by operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from harness.stages import MUTATION
from reports.terminal.run_summary import command_of
from reports.terminal.stage_tables import counts, discards, figure, figures, print_sections, reasons
from reports.views.artefacts import open_stage
from reports.views.flaw_figures import FlawFigures
from reports.views.flaw_phrases import reason_for, spaced
from reports.views.printable_text import one_line
from reports.views.records import POSITIONS

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console, RenderableType
    from rich.table import Table

    from reports.views.flaw_figures import FlawOperatorFigures


def print_mutations(run: Path, console: Console) -> None:
    """Print how many flawed solutions each operator made, and why others were not made; no line is wider than the console.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, MUTATION)
    made = FlawFigures()
    for flaw in stage.flaws():
        made.add(flaw)
    made.complete(stage)
    console.print(_heading(run, made))
    sections: list[tuple[str, RenderableType]] = [
        ("Operators by type of error", _operators(made)),
        ("Tier and position of the wrong line", _matrix(made)),
        ("Why changes were discarded", reasons(made.discarded(), reason_for)),
        ("Formalizations that solutions were made from", counts(made.sources)),
        ("Problems left out", counts(made.unfit)),
    ]
    print_sections(console, sections)
    _commands(run, console)


def _heading(run: Path, made: FlawFigures) -> Text:
    text = Text.assemble((one_line(run.name), "bold"), "  mutation, sealed\n")
    text.append(f"{made.flaws:,} flawed solutions", style="bold green")
    text.append(f" of {made.fruitful:,} of {made.problems:,} problems, each with a certificate; ")
    text.append(f"{made.edits:,} need an edit", style="yellow" if made.edits else "")
    refused = made.refused
    return text.append(f"; {refused:,} were refused a certificate", style="bold red") if refused else text


def _operators(made: FlawFigures) -> Table:
    table = figures()
    table.add_column("operator", overflow="ellipsis", no_wrap=True)
    for title in ("flaws", "edit"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("discarded", overflow="fold", style="dim")
    for error_type, operators in made.by_type():
        name = error_type or "made nothing"
        if [operator.name for operator in operators] == [name]:
            table.add_row(Text(one_line(spaced(name)), style="bold"), *_figures_of(operators[0]))
            continue
        flaws, edits = (sum(getattr(operator, key) for operator in operators) for key in ("flaws", "edits"))
        table.add_row(Text(one_line(spaced(name)), style="bold"), Text(figure(flaws), style="bold"), figure(edits))
        for operator in operators:
            table.add_row(Text(f"  {one_line(spaced(operator.name))}"), *_figures_of(operator))
    return table


def _figures_of(operator: FlawOperatorFigures) -> list[Text]:
    told = discards(operator.refused, operator.discarded, reason_for)
    return [Text(figure(operator.flaws), style="green"), Text(figure(operator.edits), style="yellow"), told]


def _matrix(made: FlawFigures) -> RenderableType:
    if not made.strata:
        return Text("none", style="dim")
    table = figures()
    table.add_column("class", overflow="ellipsis", no_wrap=True)
    for title in ("tier", *POSITIONS, "all"):
        table.add_column(title, justify="right", no_wrap=True)
    last = None
    for name, tier, row in made.matrix():
        title = "" if name == last else one_line(spaced(name))
        last = name
        shown = [Text(figure(count)) for count in row]
        table.add_row(Text(title), "–" if tier is None else str(tier), *shown, Text(f"{sum(row):,}", style="bold"))
    return table


def _commands(run: Path, console: Console) -> None:
    command = command_of(run)
    console.print(Text(f"\nlook at one:   {command} --flaw ID", style="bold"), soft_wrap=True)
    console.print(Text("               ID of a problem: its flaws, a line each", style="dim"), soft_wrap=True)
    console.print(Text(f"in a browser:  {command} --flaws", style="bold"), soft_wrap=True)
