"""The heat map of the agreement of models; models that agree most are neighbours."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from harness.text.characters import one_line
from reports.html.plots.svg_figure import LETTER, FigureTable, empty_figure, heat_ink, svg_figure, text_at
from reports.views.formalization_counts import RunCounts
from reports.views.model_similarity import similarity_order

_TOP = 24
_NAME_LIMIT = 30
_SMALLEST_CELL, _LARGEST_CELL, _HEATMAP = 14, 36, 640
MOST_MODELS = 60
"""Models that are compared in the picture: a hundred would make ten thousand cells, too many to read."""
# Two digits of 11 px do not fit a smaller cell.
_LABELLED_CELL = 24


@dataclass(frozen=True, slots=True)
class _Cell:
    x: int
    y: int
    side: int


def agreement_plot(counts: RunCounts) -> Markup:
    """Return a heat map of the share of decided pairs that UT-3 confirmed, for each two models.

    The models are ordered by their similarity; their numbers are those of the table of models. Of more than `MOST_MODELS` those
    with the most decided pairs are shown.
    """
    numbers = {model: number for number, model in enumerate(counts.models(), start=1)}
    title = "Share of decided UT-3 pairs that were confirmed, in percent; models that agree stand together"
    if len(numbers) < 2:
        return empty_figure("plot-agreement", title, "fewer than two models")
    if len(numbers) > MOST_MODELS:
        decided: Counter[str] = Counter()
        for (left_model, right_model), pairs in counts.decided_pairs.items():
            decided[left_model] += pairs
            decided[right_model] += pairs
        shown = sorted(numbers, key=lambda model: (-decided[model], model))[:MOST_MODELS]
        title = f"{title}; the {MOST_MODELS} of {len(numbers):,} models with the most decided pairs"
    else:
        shown = list(numbers)
    models = similarity_order(shown, counts.agreement)
    cell = max(_SMALLEST_CELL, min(_LARGEST_CELL, _HEATMAP // len(models)))
    names = [one_line(model, limit=_NAME_LIMIT) for model in models]
    left = 34 + round(LETTER * max(map(len, names)))
    parts = []
    for row, model in enumerate(models):
        middle = row * cell + cell / 2
        number = str(numbers[model])
        parts += [
            text_at("label", names[row], x=left - 28, y=_TOP + middle + 4, anchor="end"),
            text_at("tick", number, x=left - 8, y=_TOP + middle + 4, anchor="end"),
            text_at("tick", number, x=left + middle, y=16),
        ]
        parts += [
            _heat(counts, (model, other), _Cell(x=left + column * cell, y=_TOP + row * cell, side=cell))
            for column, other in enumerate(models)
            if other != model
        ]
    side = cell * len(models)
    table = FigureTable(["models", "confirmed", "decided", "share"], _rows(counts, models))
    return svg_figure("plot-agreement", title, parts, width=left + side, height=_TOP + side, table=table)


def _rows(counts: RunCounts, models: Sequence[str]) -> list[list[str]]:
    rows = []
    for place, left in enumerate(models):
        for right in models[place + 1 :]:
            pair, share = (min(left, right), max(left, right)), counts.agreement(left, right)
            confirmed, decided = counts.confirmed_pairs[pair], counts.decided_pairs[pair]
            names = f"{one_line(left)} and {one_line(right)}"
            rows.append([names, f"{confirmed:,}", f"{decided:,}", "–" if share is None else f"{share:.1%}"])
    return rows


def _heat(counts: RunCounts, pair: tuple[str, str], cell: _Cell) -> str:
    share = counts.agreement(*pair)
    names = " and ".join(one_line(model) for model in pair)
    side = cell.side - 2
    inner = f'x="{cell.x + 1}" y="{cell.y + 1}" width="{side}" height="{side}" rx="2"'
    if share is None:
        return f'<rect class="void" {inner}><title>{escape(names)}: no decided pair</title></rect>'
    pairs = counts.decided_pairs[min(pair), max(pair)]
    title = escape(f"{names}: {share:.1%} of {pairs:,} decided pairs confirmed")
    # Agreement is mostly above one half: squared, the upper half spans three quarters of the scale.
    opacity = 0.06 + 0.94 * share**2
    rect = f'<rect class="heat" fill-opacity="{opacity:.2f}" {inner}><title>{title}</title></rect>'
    if cell.side < _LABELLED_CELL:
        return rect
    return rect + text_at(
        heat_ink(opacity), f"{100 * share:.0f}", x=cell.x + cell.side / 2, y=cell.y + cell.side / 2 + 4
    )
