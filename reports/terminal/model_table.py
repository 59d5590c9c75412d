"""Terminal table of the models of a formalization run: how often each is right, and how far they agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from harness.text.characters import one_line
from reports.terminal.stage_tables import figures
from reports.views.formalization_counts import fraction

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from reports.views.formalization_counts import RunCounts

# A matrix of more models is wider than 80 columns.
MATRIX_MODELS = 10
# The least width of a name that a reader can recognize.
_SHORT_NAME = 12
MOST_WITNESSES = 5
_INDENT = 2
_GOOD_SHARE, _POOR_SHARE = 0.9, 0.5


def models_title(run_counts: RunCounts) -> str:
    """Return the title of the table."""
    if run_counts.judged_models:
        return "Models (percent right, as estimated without gold answers; of decided UT-3 pairs, percent confirmed)"
    return "Agreement of models (percent of decided UT-3 pairs confirmed)"


def models_table(run_counts: RunCounts, console: Console) -> RenderableType:
    """Return how often each model is right, where the run says it, and how far each two agree; of many models, each with all others."""
    models = run_counts.models()
    if len(models) < 2:
        return Text("fewer than two models", style="dim")
    beside = 4 + 4 * (len(models) + 1) + 3 + _INDENT
    if len(models) > MATRIX_MODELS or console.width - beside < _SHORT_NAME:
        shown = _model_table(run_counts, console.width - 37)
    else:
        shown = _model_matrix(run_counts, models, console.width - beside)
    same = [
        f"{row.model} is one witness with {row.one_witness_with}"
        for row in run_counts.agreements()
        if row.one_witness_with is not None
    ]
    more = [] if len(same) <= MOST_WITNESSES else [f"and {len(same) - MOST_WITNESSES:,} more, in models.jsonl"]
    return Group(shown, *(Text(one_line(line), style="dim") for line in [*same[:MOST_WITNESSES], *more]))


def _model_matrix(run_counts: RunCounts, models: list[str], name_width: int) -> Table:
    table = figures()
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("", overflow="ellipsis", no_wrap=True, max_width=name_width)
    right = _shares_right(run_counts)
    if right:
        table.add_column("right", justify="right", no_wrap=True)
    for number in range(1, len(models) + 1):
        table.add_column(str(number), justify="right", min_width=3, no_wrap=True)
    for number, model in enumerate(models, start=1):
        shares = [
            Text("·", style="dim") if other == model else _share(run_counts.agreement(model, other)) for other in models
        ]
        table.add_row(str(number), Text(one_line(model)), *right.get(model, []), *shares)
    return table


def _shares_right(run_counts: RunCounts) -> dict[str, list[Text]]:
    """Return by model how often it is right, as a cell of its row; nothing for runs that do not say it."""
    judged = run_counts.judged_models
    return {
        model: [_share(judged[model].accuracy if model in judged else None)] for model in run_counts.models() if judged
    }


def _model_table(run_counts: RunCounts, name_width: int) -> Table:
    table = figures()
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("model", overflow="ellipsis", no_wrap=True, max_width=max(_SHORT_NAME, name_width))
    right = _shares_right(run_counts)
    for title in (*(["right"] if right else []), "agree", "pairs", "UT-1"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in run_counts.agreements():
        table.add_row(
            str(row.number),
            Text(one_line(row.model)),
            *right.get(row.model, []),
            _share(fraction(row.confirmed, row.decided)),
            f"{row.decided:,}",
            _share(fraction(row.accepted, row.responses)),
        )
    return table


def _share(share: float | None) -> Text:
    if share is None:
        return Text("-", style="dim")
    style = "green" if share >= _GOOD_SHARE else "yellow" if share >= _POOR_SHARE else "red"
    return Text(f"{100 * share:.0f}", style=style)
