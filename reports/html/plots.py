"""Pictures of the pages: SVG figures, each with a title, tooltips and a table of the same figures for readers who do not see it."""

from __future__ import annotations

import itertools
import textwrap
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from markupsafe import Markup

from harness.text.characters import one_line, printable, spaced
from reports.views.flow import MOST_BRANCHES, Flow, FlowStep, first_counts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.records.verifier import ReliabilityBin

# Styles come from the page by class: its Content-Security-Policy forbids style attributes. A flow is as wide as a phone
# shows without scaling: the text keeps its size.
_WIDTH, _HEIGHT, _BOTTOM, _TOP = 380, 200, 30, 22
_STREAM, _BRANCH_END = 150, 178
_BAR, _HEAD, _TITLE_LINE, _LINE, _BEND, _GAP = 5, 24, 17, 14, 7, 5
_WORDS, _MOST_LINES = 30, 3
_SIDE, _LEFT = 200, 40
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
MOST_POINTS, _TABLE_ROWS = 400, 10


def svg_figure(
    name: str,
    title: str,
    parts: Sequence[str],
    *,
    width: int,
    height: int,
    heads: Sequence[str] = (),
    rows: Sequence[Sequence[str]] = (),
) -> Markup:
    """Return a figure with its title and its table; `name` is its id, unique on a page; every text in `parts` is escaped."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    cells = (
        f'<tr><th scope="row">{_text(row[0])}</th>'
        + "".join(f'<td class="number">{_text(cell)}</td>' for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    table = (
        f'<details class="figures-of-plot"><summary>Figures</summary><div class="scroller"><table class="figures" '
        f'aria-label="{_text(title)}"><thead><tr>{"".join(f"<th scope=col>{_text(head)}</th>" for head in heads)}</tr></thead>'
        f"<tbody>{''.join(cells)}</tbody></table></div></details>"
    )
    figure = (
        f'<figure class="plot"><figcaption>{_text(title)}</figcaption>'
        f'<svg {size} role="img" aria-labelledby="{name}"><title id="{name}">{_text(title)}</title>'
        f"{''.join(parts)}</svg>{table if rows else ''}</figure>"
    )
    return Markup(figure)  # noqa: S704  # the parts are built here; every text in them is escaped


def coverage_plot(p_right: Sequence[float], problems: int) -> Markup:
    """Return the expected share of right oracles by the share of problems that are kept, the surest first."""
    title = "Expected share of right oracles by share of problems kept"
    chances, problems = sorted(p_right, reverse=True), max(problems, len(p_right))
    if not chances:
        empty = [_text_at("tick", "no problem has a probability", x=200, y=40)]
        return svg_figure("plot-coverage", title, empty, width=400, height=80)
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
            _text_at("tick", f"{100 * precision:.4g}%", x=left - 6, y=y + 4, anchor="end"),
        ]
    for kept in (0.0, 0.5, 1.0):
        parts.append(_text_at("tick", f"{kept:.0%}", x=min(place(kept, least)[0], right - 14), y=floor + 18))
    # Problems without an oracle count as not kept: the curve ends before the right edge.
    steps = max(1, len(precisions) // MOST_POINTS)
    drawn = [*range(0, len(precisions) - 1, steps), len(precisions) - 1]
    points = [place((number + 1) / problems, precisions[number]) for number in drawn]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    parts.append(f'<polyline class="curve" points="{path}"/>')
    parts.append(f'<line id="plot-threshold" class="mark" x1="{left}" x2="{left}" y1="{_TOP}" y2="{floor}"/>')
    listed = dict.fromkeys(max(1, len(chances) * tenth // _TABLE_ROWS) for tenth in range(1, _TABLE_ROWS + 1))
    rows = [[f"{kept / problems:.0%}", f"{kept:,}", f"{precisions[kept - 1]:.1%}"] for kept in listed]
    heads = ["share kept", "problems kept", "expected share of right oracles"]
    return svg_figure("plot-coverage", title, parts, width=_WIDTH, height=_HEIGHT, heads=heads, rows=rows)


def reliability_plot(name: str, title: str, bins: Sequence[ReliabilityBin]) -> Markup:
    """Return a plot of the share of right verdicts against the stated confidence."""
    floor, edge = _TOP + _SIDE, _LEFT + _SIDE
    parts = [f'<line class="axis" x1="{_LEFT}" x2="{edge}" y1="{floor}" y2="{_TOP}"/>']
    parts += [_text_at("tick", f"{tick:g}", x=_LEFT + tick * _SIDE, y=floor + 16) for tick in _TICKS]
    parts += [_text_at("tick", f"{tick:g}", x=_LEFT - 6, y=floor - tick * _SIDE + 4, anchor="end") for tick in _TICKS]
    parts.append(_text_at("tick", "stated confidence", x=_LEFT + _SIDE / 2, y=floor + 32))
    rows = []
    most = max((tenth.n for tenth in bins), default=0)
    for tenth in bins:
        if tenth.stated is None or tenth.right is None:
            continue
        told = f"stated {tenth.stated:.2f}, right {tenth.right:.2f}, {tenth.n:,} verdicts"
        parts.append(
            f'<circle class="bar" fill-opacity="0.75" cx="{_LEFT + tenth.stated * _SIDE:.1f}" '
            f'cy="{floor - tenth.right * _SIDE:.1f}" r="{2.5 + 7 * (tenth.n / most) ** 0.5:.1f}"><title>{told}</title></circle>'
        )
        rows.append([f"{tenth.stated:.2f}", f"{tenth.right:.2f}", f"{tenth.n:,}"])
    if not most:
        parts.append(_text_at("tick", "no confidence is stated", x=_LEFT + _SIDE / 2, y=_TOP + 20))
    heads = ["stated confidence", "right", "verdicts"]
    return svg_figure(name, title, parts, width=edge + 16, height=floor + 40, heads=heads, rows=rows)


@dataclass(slots=True)
class _Drawing:
    """The parts of a picture, down to the height `y`; `scale` is the width of one thing."""

    scale: float
    y: float = 4.0
    parts: list[str] = field(default_factory=list)


def flow_plot(name: str, flow: Flow) -> Markup:
    """Return the picture of a flow: a stream from step to step, as wide as its count, from which branches bend away to the right."""
    drawing = _Drawing(_STREAM / flow.steps[0].count)
    for step in flow.steps:
        _draw_step(drawing, step)
    title, height = f"What became of the {flow.unit}", round(drawing.y)
    heads = ["step", "count", "share of the first step"]
    return svg_figure(name, title, drawing.parts, width=_WIDTH, height=height, heads=heads, rows=list(_rows(flow)))


def _draw_step(drawing: _Drawing, step: FlowStep) -> None:
    """Draw the bar of a step, its title on the stream, and the branches that leave after it."""
    width, top, count = step.count * drawing.scale, drawing.y, f"{step.count:,}"
    drawing.parts += [
        f"<g><title>{_text(f'{count} {one_line(step.title)}')}</title>",
        _rect_at("bar", x=0, y=top, width=width, height=_BAR),
        _rect_at("stream", x=0, y=top + _BAR, width=width, height=_HEAD - _BAR),
        _text_at("count", count, x=6, y=top + _TITLE_LINE + 3, anchor="start"),
        _text_at("label", one_line(step.title, limit=44), x=14 + 6.6 * len(count), y=top + 20, anchor="start"),
        "</g>",
    ]
    drawing.y = top + _HEAD
    edge = width
    branches = [
        *((reason, count, "left") for reason, count in first_counts(step.left, MOST_BRANCHES).items()),
        *((reason, count, "ended") for reason, count in step.ended.items()),
    ]
    for reason, leaving, kind in branches:
        thickness = leaving * drawing.scale
        words = f"{leaving:,} {spaced(one_line(reason, limit=200))}"
        lines = textwrap.wrap(words, _WORDS, max_lines=_MOST_LINES, placeholder=" …") or [""]
        height = max(thickness, _LINE * len(lines)) + _GAP
        middle = drawing.y + _BEND + height / 2 - _GAP / 2
        if edge - thickness > 0.01:
            drawing.parts.append(_rect_at("stream", x=0, y=drawing.y, width=edge - thickness, height=height + _BEND))
        first = middle + 4 - _LINE * (len(lines) - 1) / 2
        drawing.parts += [
            f'<g class="{kind}"><title>{_text(words)}</title>',
            _branch(edge, drawing.y, thickness, middle),
            *(
                _text_at("label", line, x=_BRANCH_END + 8, y=first + _LINE * place, anchor="start")
                for place, line in enumerate(lines)
            ),
            "</g>",
        ]
        edge -= thickness
        drawing.y += height + _BEND
    if not branches and step.passed:
        drawing.parts.append(_rect_at("stream", x=0, y=drawing.y, width=edge, height=_GAP))
        drawing.y += _GAP


def _branch(edge: float, top: float, thickness: float, middle: float) -> str:
    """Return the path of the rightmost part of a stream that bends to the right, and the bar where it ends."""
    upper, lower, bend = middle - thickness / 2, middle + thickness / 2, _BEND - 1
    inner = max(upper - bend, top)
    path = f"M{edge - thickness:.1f} {top:.1f}"
    if lower - thickness - bend > top:
        path += f"V{lower - thickness - bend:.1f}"
    radius = thickness + (upper - inner)
    path += (
        f"A{radius:.1f} {radius:.1f} 0 0 0 {edge - thickness + radius:.1f} {lower:.1f}"
        f"H{_BRANCH_END}V{upper:.1f}H{edge + upper - inner:.1f}"
        f"A{upper - inner:.1f} {upper - inner:.1f} 0 0 1 {edge:.1f} {inner:.1f}V{top:.1f}Z"
    )
    end = _rect_at("end", x=_BRANCH_END, y=upper, width=4, height=max(thickness, 1))
    return f'<path class="branch" d="{path}"/>{end}'


def _rows(flow: Flow) -> Iterator[list[str]]:
    whole = flow.steps[0].count
    for step in flow.steps:
        yield [one_line(step.title), f"{step.count:,}", f"{step.count / whole:.1%}"]
        for sign, branches in (("−", step.left), ("", step.ended)):
            for reason, count in branches.items():
                yield [f"· {spaced(one_line(reason, limit=200))}", f"{sign}{count:,}", f"{count / whole:.1%}"]


def _text(text: str) -> str:
    return escape(printable(text))


def _text_at(kind: str, text: str, *, x: float, y: float, anchor: str = "middle") -> str:
    """Return a text element at a place; `kind` is its CSS class."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{_text(text)}</text>'


def _rect_at(kind: str, *, x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle at a place; `kind` is its CSS class."""
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
