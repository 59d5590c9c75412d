"""The picture of the page of formalizations: an SVG figure with a table of the same figures for readers who do not see it."""

import itertools
from collections.abc import Sequence
from html import escape

from markupsafe import Markup

# Styles come from the page by class: its Content-Security-Policy forbids style attributes.
_WIDTH, _HEIGHT, _TOP, _LEFT = 380, 200, 22, 40
_RIGHT, _FLOOR = _WIDTH - 12, _HEIGHT - 30
MOST_POINTS, _TABLE_ROWS = 400, 10
_TITLE = "Expected share of right oracles by share of problems kept"


def coverage_plot(p_right: Sequence[float], problems: int) -> Markup:
    """Return the expected share of right oracles by the share of problems that are kept, the surest first."""
    chances, problems = sorted(p_right, reverse=True), max(problems, len(p_right))
    if not chances:
        return _figure([_text_at("no problem has a probability", x=_WIDTH / 2, y=40)], "")
    precisions = [total / number for number, total in enumerate(itertools.accumulate(chances), start=1)]
    least = min(int(10 * precisions[-1]) / 10, 0.9)

    def height(precision: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * (precision - least) / (1 - least)

    parts = []
    for precision in (least, (1 + least) / 2, 1.0):
        y = height(precision)
        parts.append(f'<line class="axis" x1="{_LEFT}" x2="{_RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(_text_at(f"{100 * precision:.4g}%", x=_LEFT - 6, y=y + 4, anchor="end"))
    parts += [
        _text_at(f"{kept:.0%}", x=min(_LEFT + (_RIGHT - _LEFT) * kept, _RIGHT - 14), y=_FLOOR + 18)
        for kept in (0.0, 0.5, 1.0)
    ]
    # Problems without an oracle count as not kept: the curve ends before the right edge.
    drawn = [*range(0, len(precisions) - 1, max(1, len(precisions) // MOST_POINTS)), len(precisions) - 1]
    points = (
        f"{_LEFT + (_RIGHT - _LEFT) * (number + 1) / problems:.1f},{height(precisions[number]):.1f}" for number in drawn
    )
    parts.append(f'<polyline class="curve" points="{" ".join(points)}"/>')
    parts.append(f'<line id="plot-threshold" class="mark" x1="{_LEFT}" x2="{_LEFT}" y1="{_TOP}" y2="{_FLOOR}"/>')
    rows = "".join(
        f'<tr><th scope="row">{kept / problems:.0%}</th><td class="number">{kept:,}</td>'
        f'<td class="number">{precisions[kept - 1]:.1%}</td></tr>'
        for kept in dict.fromkeys(max(1, len(chances) * tenth // _TABLE_ROWS) for tenth in range(1, _TABLE_ROWS + 1))
    )
    return _figure(parts, rows)


def _figure(parts: Sequence[str], rows: str) -> Markup:
    table = (
        '<details class="figures-of-plot"><summary>Figures</summary><div class="scroller">'
        f'<table class="figures" aria-label="{_TITLE}"><thead><tr><th>share kept</th><th>problems kept</th>'
        f"<th>expected share of right oracles</th></tr></thead><tbody>{rows}</tbody></table></div></details>"
    )
    figure = (
        f'<figure class="plot"><figcaption>{_TITLE}</figcaption><svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" role="img" aria-labelledby="plot-coverage"><title id="plot-coverage">{_TITLE}</title>'
        f"{''.join(parts)}</svg>{table if rows else ''}</figure>"
    )
    return Markup(figure)  # noqa: S704  # the parts are built here of numbers


def _text_at(text: str, *, x: float, y: float, anchor: str = "middle") -> str:
    return f'<text class="tick" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'
