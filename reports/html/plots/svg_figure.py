"""SVG figures: a title, parts with tooltips, and a table of the same figures for readers who do not see the picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from harness.text.characters import printable

# Styles come from the page by class: its Content-Security-Policy forbids style attributes.
LETTER = 6.4
"""The width of a letter of 11 px in a wide font, in pixels."""
# The opacity at which black and white on the heat have equal contrast (4.5), in the dark and in the light scheme.
_MIDDLE_HEAT, _HIGH_HEAT = 0.59, 0.82


@dataclass(frozen=True, slots=True)
class FigureTable:
    """The figures of a picture: the heads of the columns, and the rows, the first cell of which names the row."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


def svg_figure(
    name: str, title: str, parts: Sequence[str], *, width: int, height: int, table: FigureTable | None = None
) -> Markup:
    """Return a figure with its title and its table; `name` is its id, unique on a page; every text in `parts` is escaped."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    figure = (
        f'<figure class="plot"><figcaption>{escape(title)}</figcaption>'
        f'<svg {size} role="img" aria-labelledby="{name}"><title id="{name}">{escape(title)}</title>'
        f"{''.join(parts)}</svg>{'' if table is None else _details(title, table)}</figure>"
    )
    return Markup(figure)  # noqa: S704  # the parts are built here; every text in them is escaped


def empty_figure(name: str, title: str, why: str) -> Markup:
    """Return a figure that says why it shows nothing."""
    return svg_figure(name, title, [text_at("tick", why, x=200, y=40)], width=400, height=80)


def text_at(kind: str, text: str, *, x: float, y: float, anchor: str = "middle") -> str:
    """Return a text element at a place; `kind` is its CSS class."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def rect_at(kind: str, *, x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle at a place; `kind` is its CSS class."""
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="2"/>'


def heat_ink(opacity: float) -> str:
    """Return the CSS class of text on a cell whose heat has this opacity."""
    return "ink-high" if opacity >= _HIGH_HEAT else "ink-middle" if opacity >= _MIDDLE_HEAT else "ink-low"


def _details(title: str, table: FigureTable) -> str:
    heads = "".join(f'<th scope="col">{escape(printable(head))}</th>' for head in table.heads)
    rows = "".join(
        f'<tr><th scope="row">{escape(printable(row[0]))}</th>'
        + "".join(f'<td class="number">{escape(printable(cell))}</td>' for cell in row[1:])
        + "</tr>"
        for row in table.rows
    )
    return (
        f'<details class="figures-of-plot"><summary>Figures</summary><div class="scroller"><table class="figures" '
        f'aria-label="{escape(title)}"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div></details>'
    )
