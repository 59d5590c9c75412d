"""SVG plots of a formalization run: confidence scores, clique sizes, and how sure the oracles are."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from reports.html.plots.svg_figure import FigureTable, empty_figure, rect_at, svg_figure, text_at
from reports.views.formalization_counts import RunCounts, confidence_ranges

_WIDTH, _HEIGHT = 380, 200
_MARGIN, _BOTTOM, _TOP = 8, 30, 22
MOST_POINTS = 400
_TABLE_ROWS = 10


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """A bar of a histogram: the label under it, the tooltip, and its size."""

    label: str
    title: str
    count: int


def confidence_plot(counts: RunCounts) -> Markup:
    """Return a histogram of confidence scores."""
    ranges = confidence_ranges(counts.confidences)
    bars = [
        HistogramBar(label=title.partition(" ")[0], title=f"confidence {title}: {count:,} problems", count=count)
        for title, count in zip(ranges, counts.confidences, strict=True)
    ]
    return _histogram("plot-confidence", "Problems by confidence score", bars, "confidence")


def clique_plot(counts: RunCounts) -> Markup:
    """Return a histogram of clique sizes."""
    sizes = counts.clique_sizes
    bars = [
        HistogramBar(label=str(size), title=f"clique of {size}: {sizes[size]:,} problems", count=sizes[size])
        for size in range(max(sizes, default=0) + 1)
    ]
    return _histogram("plot-cliques", "Problems by clique size", bars, "clique size")


def coverage_plot(counts: RunCounts) -> Markup:
    """Return the expected share of right oracles by the share of problems that are kept, the surest first."""
    title = "Expected share of right oracles by share of problems kept"
    chances = sorted(counts.p_right, reverse=True)
    if not chances:
        return empty_figure("plot-coverage", title, "no problem has a probability")
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
    problems = max(counts.problems, len(chances))
    rows = [
        [f"{kept / problems:.0%}", f"{kept:,}", f"{precisions[kept - 1]:.1%}"]
        for kept in dict.fromkeys(max(1, len(chances) * tenth // _TABLE_ROWS) for tenth in range(1, _TABLE_ROWS + 1))
    ]
    table = FigureTable(["share kept", "problems kept", "expected share of right oracles"], rows)
    return svg_figure("plot-coverage", title, parts, width=_WIDTH, height=_HEIGHT, table=table)


def _histogram(name: str, title: str, bars: Sequence[HistogramBar], head: str) -> Markup:
    most = max((bar.count for bar in bars), default=0)
    if not most:
        return empty_figure(name, title, "nothing to plot")
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
            rect_at("hit", x=start, y=_TOP, width=step, height=floor - _TOP),
            rect_at("bar", x=middle - width / 2, y=floor - height, width=width, height=height),
            text_at("tick", bar.label, x=middle, y=floor + 18),
            text_at("count", f"{bar.count:,}", x=middle, y=floor - height - 6) if bar.count else "",
            "</g>",
        ]
    table = FigureTable([head, "problems"], [[bar.label, f"{bar.count:,}"] for bar in bars])
    return svg_figure(name, title, parts, width=_WIDTH, height=_HEIGHT, table=table)
