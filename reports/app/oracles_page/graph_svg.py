"""SVG drawing of a dependency graph, without scripts or external resources, and its description in words."""

from __future__ import annotations

import html
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from harness.text.printable_text import one_line
from reports.views.graph_layout import NODE_HEIGHT, lay_out
from reports.views.records import ROLE_TITLES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from harness.records.template import TracedVariable
    from reports.views.graph_layout import Edge, GraphLayout, LineBand, NodeBox

_SANS = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', 'DejaVu Sans', sans-serif"
_MONO = "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
# Advance of the fonts in pixels, as in reports/views/graph_layout.py, and the width of the outline of a node.
_NAME_CELL, _VALUE_CELL, _OUTLINE = 7.25, 8.6, 18
_BEND = 7


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of a scheme: a picture in an `img` element cannot read the colours of its page."""

    ink: str
    muted: str
    ground: str
    band: str
    question: tuple[str, str]
    knowledge: tuple[str, str]
    answer: tuple[str, str]
    other: tuple[str, str]


LIGHT = Palette(
    *("#1c2126", "#5d6872", "#ffffff", "#f4f2ec"),
    question=("#e2ecf7", "#1d5a9e"),
    knowledge=("#faeccf", "#8f5a00"),
    answer=("#e0f1e9", "#16734f"),
    other=("#ffffff", "#5d6872"),
)
DARK = Palette(
    *("#e4e7ea", "#98a3ad", "#14171a", "#1f2429"),
    question=("#1d2e42", "#82b6f2"),
    knowledge=("#382c14", "#e5b455"),
    answer=("#16332a", "#5fcb9d"),
    other=("#1b1f23", "#98a3ad"),
)


def draw(entries: Sequence[TracedVariable], *, dead: Collection[str] = (), palette: Palette = LIGHT) -> str | None:
    """Return the dependency graph of a trace as SVG; `None` if it is empty or too large for a picture.

    `dead` variables, on which the answer does not depend, are drawn with a broken outline.
    """
    picture = lay_out(entries)
    if picture is None:
        return None
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{picture.width}" height="{picture.height}" '
            f'viewBox="0 0 {picture.width} {picture.height}" role="img">'
        ),
        f"<title>{_text(graph_description(entries))}</title>",
        *(_band(band, picture, palette, odd=place % 2 == 1) for place, band in enumerate(picture.bands)),
        *(_edge(edge, palette) for edge in picture.edges),
        *(
            _node(entry, box, palette, dead=entry.variable in dead)
            for entry, box in zip(entries, picture.boxes, strict=True)
        ),
        "</svg>",
    ]
    return "".join(parts)


def graph_description(entries: Sequence[TracedVariable]) -> str:
    """Return the graph in words: each variable with its value, its role and what it is computed from."""
    return "; ".join(
        f"{one_line(entry.variable, limit=64)} = {one_line(entry.value, limit=64)}, {ROLE_TITLES[entry.role]}"
        + (f" from {one_line(', '.join(entry.reads), limit=200)}" if entry.reads else "")
        for entry in entries
    )


def _text(text: str) -> str:
    """Escape text and replace characters that XML does not allow: one of them would make the picture unreadable."""
    line = one_line(text)
    return html.escape("".join("�" if unicodedata.category(character) == "Cn" else character for character in line))


def _fitting(text: str, cell: float, width: int) -> str:
    line = one_line(text[:256])
    room = int((width - _OUTLINE) / cell)
    return _text(line if cell_len(line) <= room else f"{set_cell_size(line, max(0, room - 1)).rstrip()}…")


def _band(band: LineBand, picture: GraphLayout, palette: Palette, *, odd: bool) -> str:
    stripe = f'<rect x="0" y="{band.y}" width="{picture.width}" height="{band.height}" fill="{palette.band}"/>'
    label = (
        f'<text x="16" y="{band.y + band.height // 2 + 4}" fill="{palette.muted}" '
        f'style="font: 600 12px {_SANS}">{_text((band.line or "")[:8])}</text>'
    )
    return (stripe if odd else "") + label


def _edge(edge: Edge, palette: Palette) -> str:
    """Draw a polyline with its corners rounded, and an arrow at its end."""
    points = edge.points
    path = f"M{points[0][0]} {points[0][1]}"
    for place in range(1, len(points) - 1):
        corner = points[place]
        before, after = _towards(corner, points[place - 1]), _towards(corner, points[place + 1])
        path += f"L{before}Q{corner[0]} {corner[1]} {after}"
    (x, y), (from_x, from_y) = points[-1], points[-2]
    dx, dy = _sign(x - from_x), _sign(y - from_y)
    arrow = f"M{x - 7 * dx - 4 * dy} {y - 7 * dy - 4 * dx}L{x} {y}L{x - 7 * dx + 4 * dy} {y - 7 * dy + 4 * dx}Z"
    return (
        f'<g stroke="{palette.muted}" stroke-linejoin="round" opacity="0.8">'
        f'<path fill="none" stroke-width="1.4" d="{path}L{x} {y}"/>'
        f'<path fill="{palette.muted}" stroke-width="0.8" d="{arrow}"/></g>'
    )


def _towards(corner: tuple[int, int], other: tuple[int, int]) -> str:
    """Return the point a bend away from a corner; pieces are vertical or horizontal."""
    (x, y), (to_x, to_y) = corner, other
    length = min(float(_BEND), (abs(to_x - x) + abs(to_y - y)) / 2)
    return f"{x + length * _sign(to_x - x):.1f} {y + length * _sign(to_y - y):.1f}"


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _node(entry: TracedVariable, box: NodeBox, palette: Palette, *, dead: bool) -> str:
    role = entry.role
    known = {
        "question_input": palette.question,
        "world_knowledge_input": palette.knowledge,
        "answer": palette.answer,
    }
    fill, stroke = known.get(role, palette.other)
    middle = box.x + box.width // 2
    dashes = ' stroke-dasharray="4 3"' if dead else ""
    outline = f'fill="{fill}" stroke="{stroke}" stroke-width="{2.5 if role == "answer" else 1.25}"{dashes}'
    return (
        f"<g><title>{_text(entry.variable[:200])} = {_text(entry.value[:200])}</title>"
        f"{_shape(role, box, outline)}"
        f'<text x="{middle}" y="{box.y + 17}" text-anchor="middle" fill="{palette.muted}" style="font: 12px {_MONO}">'
        f"{_fitting(entry.variable, _NAME_CELL, box.width)}</text>"
        f'<text x="{middle}" y="{box.y + 34}" text-anchor="middle" fill="{palette.ink}" style="font: 600 14px {_SANS}">'
        f"{_fitting(entry.value, _VALUE_CELL, box.width)}</text></g>"
    )


def _shape(role: str, box: NodeBox, outline: str) -> str:
    """Draw the shape of a node: round for a question input, a hexagon for world knowledge, else a box."""
    if role == "world_knowledge_input":
        cut, bottom, middle = NODE_HEIGHT // 3, box.y + NODE_HEIGHT, box.middle
        points = (
            *((box.x + cut, box.y), (box.right - cut, box.y), (box.right, middle)),
            *((box.right - cut, bottom), (box.x + cut, bottom), (box.x, middle)),
        )
        return f'<path {outline} d="M{"L".join(f"{x} {y}" for x, y in points)}Z"/>'
    radius = NODE_HEIGHT // 2 if role == "question_input" else 5
    return f'<rect {outline} x="{box.x}" y="{box.y}" width="{box.width}" height="{NODE_HEIGHT}" rx="{radius}"/>'
