"""What did the mutation stage make, operator by operator, as the terminal shows it?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from reports.artefacts import MUTATION, open_stage
from reports.made import Made
from reports.records import POSITIONS
from reports.terminal import command_of
from reports.text import one_line
from reports.wording import reason_for, spaced

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from rich.console import Console, RenderableType

    from reports.made import Operator

_INDENT = 2


def print_mutations(run: Path, console: Console) -> None:
    """Print how many flawed solutions each operator made, and why others were not made; no line is wider than the console.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, MUTATION)
    made = Made()
    for flaw in stage.flaws():
        made.add(flaw)
    made.complete(stage)
    console.print(_heading(run, made))
    sections: list[tuple[str, RenderableType]] = [
        ("Operators by type of error", _operators(made)),
        ("Tier and position of the wrong line", _matrix(made)),
        ("Why changes were discarded", _reasons(made)),
        ("Formalizations that solutions were made from", _counts(made.sources)),
        ("Problems left out", _counts(made.unfit)),
    ]
    for title, body in sections:
        console.print(Text(f"\n{title}", style="bold"))
        console.print(Padding(body, (0, 0, 0, _INDENT), expand=False))
    _commands(run, console)


def _heading(run: Path, made: Made) -> Text:
    text = Text.assemble((one_line(run.name), "bold"), "  mutation, sealed\n")
    text.append(f"{made.flaws:,} flawed solutions", style="bold green")
    text.append(f" of {made.fruitful:,} of {made.problems:,} problems, each with a certificate; ")
    text.append(f"{made.edits:,} need an edit", style="yellow" if made.edits else "")
    refused = sum(operator.refused for operator in made.operators.values())
    return text.append(f"; {refused:,} were refused a certificate", style="bold red") if refused else text


def _figures() -> Table:
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))


def _operators(made: Made) -> Table:
    table = _figures()
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
        table.add_row(Text(one_line(spaced(name)), style="bold"), Text(_figure(flaws), style="bold"), _figure(edits))
        for operator in operators:
            table.add_row(Text(f"  {one_line(spaced(operator.name))}"), *_figures_of(operator))
    return table


def _figures_of(operator: Operator) -> list[Text]:
    discarded = Text()
    if operator.refused:
        discarded.append(f"{operator.refused:,} refused a certificate", style="bold red")
    for why, count in operator.discarded.most_common():
        discarded.append(f"{', ' if discarded else ''}{count:,} {one_line(reason_for(why).brief)}")
    return [Text(_figure(operator.flaws), style="green"), Text(_figure(operator.edits), style="yellow"), discarded]


def _matrix(made: Made) -> RenderableType:
    if not made.strata:
        return Text("none", style="dim")
    table = _figures()
    table.add_column("class", overflow="ellipsis", no_wrap=True)
    for title in ("tier", *POSITIONS, "all"):
        table.add_column(title, justify="right", no_wrap=True)
    last = None
    for name, tier, counts in made.matrix():
        title = "" if name == last else one_line(spaced(name))
        last = name
        shown = [Text(_figure(count)) for count in counts]
        table.add_row(Text(title), "–" if tier is None else str(tier), *shown, Text(f"{sum(counts):,}", style="bold"))
    return table


def _reasons(made: Made) -> RenderableType:
    discarded = made.discarded()
    if not discarded:
        return Text("none", style="dim")
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True, overflow="ellipsis")
    table.add_column(overflow="fold", style="dim")
    for why, count in discarded.most_common():
        reason = reason_for(why)
        table.add_row(f"{count:,}", Text(one_line(reason.brief)), Text(one_line(reason.sentence)))
    return table


def _counts(counts: Mapping[str, int]) -> RenderableType:
    if not counts:
        return Text("none", style="dim")
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        table.add_row(f"{count:,}", Text(one_line(name)))
    return table


def _figure(count: int) -> str:
    return f"{count:,}" if count else "·"


def _commands(run: Path, console: Console) -> None:
    command = command_of(run)
    console.print(Text(f"\nlook at one:   {command} --flaw ID", style="bold"), soft_wrap=True)
    console.print(Text("               ID of a problem: its flaws, a line each", style="dim"), soft_wrap=True)
    console.print(Text(f"in a browser:  {command} --flaws", style="bold"), soft_wrap=True)
