"""SVG plots of a run: confidence scores, clique sizes and the agreement of models."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from harness.text.printable_text import one_line
from reports.views.formalization_counts import RunCounts, confidence_ranges

# Styles come from the page by class: its Content-Security-Policy forbids style attributes.
_WIDTH, _HEIGHT = 480, 220
_MARGIN, _BOTTOM, _TOP = 8, 30, 22
_HEAT_TOP = 24
_NAME_LIMIT = 46
_LETTER = 6.4
MOST_POINTS = 400
_SMALLEST_CELL, _LARGEST_CELL, _HEATMAP = 14, 44, 640
# Two digits of 11 px do not fit a smaller cell.
_LABELLED_CELL = 24
# Where black and white on the heat have equal contrast (4.5) in the dark and in the light scheme.
_MIDDLE_HEAT, _HIGH_HEAT = 0.75, 0.90


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """A bar of a histogram: the label under it, what it counts, and its size."""

    label: str
    title: str
    count: int


@dataclass(frozen=True, slots=True)
class _Cell:
    x: int
    y: int
    side: int


def confidence_plot(counts: RunCounts) -> Markup:
    """Return a histogram of confidence scores."""
    ranges = confidence_ranges(counts.confidences)
    bars = [
        HistogramBar(label=title.partition(" ")[0], title=f"confidence {title}: {count:,} problems", count=count)
        for title, count in zip(ranges, counts.confidences, strict=True)
    ]
    return _histogram("plot-confidence", "Problems by confidence score", bars)


def clique_plot(counts: RunCounts) -> Markup:
    """Return a histogram of clique sizes."""
    sizes = counts.clique_sizes
    bars = [
        HistogramBar(label=str(size), title=f"clique of {size}: {sizes[size]:,} problems", count=sizes[size])
        for size in range(max(sizes, default=0) + 1)
    ]
    return _histogram("plot-cliques", "Problems by clique size", bars)


def coverage_plot(counts: RunCounts) -> Markup:
    """Return the expected share of right oracles by the share of problems that are kept, the surest first."""
    title = "Expected share of right oracles by share of problems kept"
    chances = sorted(counts.p_right, reverse=True)
    if not chances:
        return _empty("plot-coverage", title, "no problem has a probability")
    left, right, floor = 40, _WIDTH - 12, _HEIGHT - _BOTTOM
    precisions = [total / number for number, total in enumerate(itertools.accumulate(chances), start=1)]
    least = min(int(10 * precisions[-1]) / 10, 0.9)

    def place(kept: float, precision: float) -> tuple[float, float]:
        return left + (right - left) * kept, floor - (floor - _TOP) * (precision - least) / (1 - least)

    parts = []
    for precision in (least, (1 + least) / 2, 1.0):
        _, y = place(0, precision)
        parts += [
            f'<line class="axis" x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>',
            text_at("tick", f"{100 * precision:.4g}%", x=left - 6, y=y + 4, anchor="end"),
        ]
    for kept in (0.0, 0.5, 1.0):
        x, _ = place(kept, least)
        parts.append(text_at("tick", f"{100 * kept:.0f}%", x=min(x, right - 14), y=floor + 18))
    # Problems without an oracle count as not kept: the curve ends before the right edge.
    steps = max(1, len(precisions) // MOST_POINTS)
    points = [
        place((number + 1) / max(counts.problems, len(chances)), precisions[number])
        for number in [*range(0, len(precisions) - 1, steps), len(precisions) - 1]
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts.append(f'<polyline class="curve" points="{path}"/>')
    parts.append(f'<line id="plot-threshold" class="mark" x1="{left}" x2="{left}" y1="{_TOP}" y2="{floor}"/>')
    return svg("plot-coverage", title, parts, width=_WIDTH, height=_HEIGHT)


def agreement_plot(counts: RunCounts) -> Markup:
    """Return a heatmap of the share of decided pairs that UT-3 confirmed, for each two models."""
    models = counts.models()
    title = "Share of decided UT-3 pairs that were confirmed, in percent"
    if len(models) < 2:
        return _empty("plot-agreement", title, "fewer than two models")
    cell = max(_SMALLEST_CELL, min(_LARGEST_CELL, _HEATMAP // len(models)))
    names = [one_line(model, limit=_NAME_LIMIT) for model in models]
    left = 34 + round(_LETTER * max(map(len, names)))
    parts = []
    for row, model in enumerate(models):
        middle = row * cell + cell / 2
        parts += [
            text_at("label", names[row], x=left - 28, y=_HEAT_TOP + middle + 4, anchor="end"),
            text_at("tick", str(row + 1), x=left - 8, y=_HEAT_TOP + middle + 4, anchor="end"),
            text_at("tick", str(row + 1), x=left + middle, y=16),
        ]
        parts += [
            _heat(counts, (model, other), _Cell(x=left + column * cell, y=_HEAT_TOP + row * cell, side=cell))
            for column, other in enumerate(models)
            if other != model
        ]
    side = cell * len(models)
    return svg("plot-agreement", title, parts, width=left + side, height=_HEAT_TOP + side)


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
    opacity = f"{0.06 + 0.94 * share**2:.2f}"
    rect = f'<rect class="heat" fill-opacity="{opacity}" {inner}><title>{title}</title></rect>'
    if cell.side < _LABELLED_CELL:
        return rect
    ink = "ink-high" if share >= _HIGH_HEAT else "ink-middle" if share >= _MIDDLE_HEAT else "ink-low"
    return rect + text_at(ink, f"{100 * share:.0f}", x=cell.x + cell.side / 2, y=cell.y + cell.side / 2 + 4)


def _histogram(name: str, title: str, bars: Sequence[HistogramBar]) -> Markup:
    most = max((bar.count for bar in bars), default=0)
    if not most:
        return _empty(name, title, "nothing to plot")
    step = (_WIDTH - 2 * _MARGIN) / len(bars)
    scale = (_HEIGHT - _BOTTOM - _TOP) / most
    floor = _HEIGHT - _BOTTOM
    width = min(step * 0.82, 56)
    parts = [f'<line class="axis" x1="{_MARGIN}" x2="{_WIDTH - _MARGIN}" y1="{floor}" y2="{floor}"/>']
    for index, bar in enumerate(bars):
        start = _MARGIN + step * index
        middle = start + step / 2
        height = max(bar.count * scale, 1.5) if bar.count else 0
        parts += [
            f"<g><title>{escape(bar.title)}</title>",
            _rect("hit", x=start, y=_TOP, width=step, height=floor - _TOP),
            _rect("bar", x=middle - width / 2, y=floor - height, width=width, height=height),
            text_at("tick", bar.label, x=middle, y=floor + 18),
            text_at("count", f"{bar.count:,}", x=middle, y=floor - height - 6) if bar.count else "",
            "</g>",
        ]
    return svg(name, title, parts, width=_WIDTH, height=_HEIGHT)


def _rect(kind: str, *, x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2"/>'


def text_at(kind: str, text: str, *, x: float, y: float, anchor: str = "middle") -> str:
    """Return a text element at a place; `kind` is its CSS class."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _empty(name: str, title: str, why: str) -> Markup:
    return svg(name, title, [text_at("tick", why, x=_WIDTH / 2, y=40)], width=_WIDTH, height=80)


def svg(name: str, title: str, parts: Sequence[str], *, width: int, height: int) -> Markup:
    """Return a figure with its title; `name` is its id, unique on a page."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    figure = (
        f'<figure class="plot"><figcaption>{escape(title)}</figcaption>'
        f'<svg {size} role="img" aria-labelledby="{name}"><title id="{name}">{escape(title)}</title>'
        f"{''.join(parts)}</svg></figure>"
    )
    return Markup(figure)  # noqa: S704  # the parts are built here; every text in them is escaped
