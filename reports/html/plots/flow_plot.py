"""The picture of a flow: a stream from step to step, as wide as its count, from which branches bend away to the right."""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from markupsafe import Markup

from harness.text.characters import one_line, spaced
from reports.html.plots.svg_figure import FigureTable, rect_at, svg_figure, text_at
from reports.views.flow import MOST_BRANCHES, Flow, FlowStep, first_counts

# As wide as a phone shows without scaling: the text keeps its size.
_WIDTH, _STREAM, _BRANCH_END = 380, 150, 178
_BAR, _HEAD, _TITLE_LINE, _LINE, _BEND, _GAP = 5, 24, 17, 14, 7, 5
_WORDS, _MOST_LINES = 30, 3


@dataclass(slots=True)
class _Drawing:
    """The parts of a picture, down to the height `y`; `scale` is the width of one thing."""

    scale: float
    y: float = 4.0
    parts: list[str] = field(default_factory=list)


def flow_plot(name: str, flow: Flow) -> Markup:
    """Return the picture of a flow with its table; the width of each stream is proportional to its count."""
    drawing = _Drawing(_STREAM / flow.steps[0].count)
    for step in flow.steps:
        _draw_step(drawing, step)
    title = f"What became of the {flow.unit}"
    table = FigureTable(["step", "count", "share of the first step"], list(_rows(flow)))
    return svg_figure(name, title, drawing.parts, width=_WIDTH, height=round(drawing.y), table=table)


def _draw_step(drawing: _Drawing, step: FlowStep) -> None:
    """Draw the bar of a step, its title on the stream, and the branches that leave after it."""
    width, top = step.count * drawing.scale, drawing.y
    title = escape(f"{step.count:,} {one_line(step.title)}")
    drawing.parts += [
        f"<g><title>{title}</title>",
        rect_at("bar", x=0, y=top, width=width, height=_BAR),
        rect_at("stream", x=0, y=top + _BAR, width=width, height=_HEAD - _BAR),
        text_at("count", f"{step.count:,}", x=6, y=top + _TITLE_LINE + 3, anchor="start"),
        text_at(
            "label", one_line(step.title, limit=44), x=14 + 6.6 * len(f"{step.count:,}"), y=top + 20, anchor="start"
        ),
        "</g>",
    ]
    drawing.y = top + _HEAD
    edge = width
    branches = [
        *((reason, count, "left") for reason, count in first_counts(step.left, MOST_BRANCHES).items()),
        *((reason, count, "ended") for reason, count in step.ended.items()),
    ]
    for reason, count, kind in branches:
        thickness = count * drawing.scale
        words = f"{count:,} {spaced(one_line(reason, limit=200))}"
        lines = _lines(words)
        height = max(thickness, _LINE * len(lines)) + _GAP
        middle = drawing.y + _BEND + height / 2 - _GAP / 2
        if edge - thickness > 0.01:
            drawing.parts.append(
                rect_at("stream", x=0, y=drawing.y, width=edge - thickness, height=height + _BEND).replace(
                    ' rx="2"', ""
                )
            )
        drawing.parts += [
            f'<g class="{kind}"><title>{escape(words)}</title>',
            _branch(edge, drawing.y, thickness, middle),
            *(
                text_at(
                    "label",
                    line,
                    x=_BRANCH_END + 8,
                    y=middle + 4 + _LINE * (place - (len(lines) - 1) / 2),
                    anchor="start",
                )
                for place, line in enumerate(lines)
            ),
            "</g>",
        ]
        edge -= thickness
        drawing.y += height + _BEND
    if not branches and step.passed:
        drawing.parts.append(rect_at("stream", x=0, y=drawing.y, width=edge, height=_GAP).replace(' rx="2"', ""))
        drawing.y += _GAP


def _branch(edge: float, top: float, thickness: float, middle: float) -> str:
    """Return the path of the rightmost part of a stream that bends to the right, and the bar where it ends."""
    upper, lower, bend = middle - thickness / 2, middle + thickness / 2, _BEND - 1
    inner = max(upper - bend, top)
    path = (
        f"M{edge - thickness:.1f} {top:.1f}V{lower - thickness - bend:.1f}"
        if lower - thickness - bend > top
        else f"M{edge - thickness:.1f} {top:.1f}"
    )
    radius = thickness + (upper - inner)
    path += (
        f"A{radius:.1f} {radius:.1f} 0 0 0 {edge - thickness + radius:.1f} {lower:.1f}"
        f"H{_BRANCH_END}V{upper:.1f}H{edge + upper - inner:.1f}"
        f"A{upper - inner:.1f} {upper - inner:.1f} 0 0 1 {edge:.1f} {inner:.1f}V{top:.1f}Z"
    )
    return f'<path class="branch" d="{path}"/>' + rect_at(
        "end", x=_BRANCH_END, y=upper, width=4, height=max(thickness, 1)
    )


def _lines(text: str) -> list[str]:
    return textwrap.wrap(text, _WORDS, max_lines=_MOST_LINES, placeholder=" …") or [""]


def _rows(flow: Flow) -> Iterator[list[str]]:
    whole = flow.steps[0].count
    for step in flow.steps:
        yield [one_line(step.title), f"{step.count:,}", f"{step.count / whole:.1%}"]
        for sign, branches in (("−", step.left), ("", step.ended)):
            for reason, count in branches.items():
                yield [f"· {spaced(one_line(reason, limit=200))}", f"{sign}{count:,}", f"{count / whole:.1%}"]
