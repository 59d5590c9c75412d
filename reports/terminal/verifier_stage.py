"""Terminal summary of the verifier stage: metrics of each engine with intervals and significance tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from harness.stages import VERIFIER
from harness.text.characters import one_line, spaced
from reports.terminal.stage_tables import figures, print_sections
from reports.views.artefacts import command_of, open_stage
from reports.views.scoreboard import SHOWN, Scoreboard, interval_text, p_value_text, seconds_text, value_text

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console, RenderableType
    from rich.table import Table

    from harness.records.verifier import Estimate

_BRIEF = ("verdict_accuracy", "weighted_f1", "line_accuracy", "calibration_error")


def print_verifier(run: Path, console: Console) -> None:
    """Print the metrics of each engine on each dataset, with intervals and significance tests.

    Raises:
        ReportError: the stage is missing, not sealed, or was changed after it was sealed.
    """
    stage = open_stage(run, VERIFIER)
    board = Scoreboard.of(stage)
    head = Text.assemble((one_line(run.name), "bold"), "  verifier, sealed\n")
    head.append(
        f"{len(board.engines)} engines; intervals of 95 % by {stage.manifest.get('rounds', 0):,} resamples of problems;\n"
    )
    head.append(f"p: McNemar's exact test of verdicts against {one_line(board.baseline, limit=30)}")
    console.print(head)
    sections: list[tuple[str, RenderableType]] = []
    for dataset in board.rows:
        items = board.rows[dataset][0]
        title = f"{one_line(dataset)} ({items.items:,} solutions of {items.problems:,} problems)"
        sections.append((title, _engines(board, dataset)))
    if board.consistency:
        sections.append(("Verdicts that follow the truth when a solution is changed", _consistency(board)))
    print_sections(console, sections)
    console.print(Text(f"\nin a browser:  {command_of(run)} --verifier", style="bold"), soft_wrap=True)


def _engines(board: Scoreboard, dataset: str) -> Table:
    table = figures()
    table.add_column("engine", overflow="ellipsis", no_wrap=True)
    for name in _BRIEF:
        table.add_column(SHOWN[name], justify="right", no_wrap=True)
    for title in ("p50", "p95"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("p", justify="right", no_wrap=True)
    for row in board.rows[dataset]:
        test = board.against(dataset, row.engine, "verdict")
        table.add_row(
            Text(one_line(row.engine)),
            *(_told(row.metrics.get(name)) for name in _BRIEF),
            *(seconds_text(seconds) for seconds in (row.latency.p50, row.latency.p95)),
            "" if test is None else p_value_text(test.p),
        )
    return table


def _told(estimate: Estimate | None) -> Text:
    """Return a figure with its interval below it."""
    return Text.assemble(value_text(estimate), (f"\n{interval_text(estimate)}", "dim"))


def _consistency(board: Scoreboard) -> Table:
    table = figures()
    table.add_column("relation")
    table.add_column("pairs", justify="right")
    for engine in board.engines:
        table.add_column(Text(one_line(engine)), justify="right", no_wrap=True)
    for relation, by_engine in board.consistency.items():
        some = next(iter(by_engine.values())).consistency.n
        cells = [_told(by_engine[name].consistency if name in by_engine else None) for name in board.engines]
        table.add_row(Text(one_line(spaced(relation))), f"{some:,}", *cells)
    return table
