"""Pictures of certified records: errors by type and tier, and the yield of each operator."""

from collections import Counter
from html import escape
from typing import Any

from markupsafe import Markup

from harness.text.characters import one_line, spaced
from reports.html.plots.svg_figure import (
    LETTER,
    FigureTable,
    empty_figure,
    heat_ink,
    rect_at,
    svg_figure,
    text_at,
)
from reports.views.certified_stage import CertifiedFigures
from reports.views.flaws import PositionMatrix, Tier

_NAME_LIMIT = 24
_LEFT = round(_NAME_LIMIT * LETTER)
_TOP, _ROW, _COLUMN = 22, 24, 36
_LINE, _BAR_WIDTH, _BAR_HEIGHT, _FIGURES = 19, 110, 9, 108


def tier_plot(matrix: PositionMatrix) -> Markup:
    """Return a heat map of the number of flawed solutions by type of error and tier, with the sums of both."""
    name, title = "plot-tiers", "Flawed solutions by type of error and tier"
    counts = matrix.types
    if not counts:
        return empty_figure(name, title, "no flawed solution")
    types = [kind for kind, _ in _sums(counts, 0).most_common()]
    tiers = sorted(_sums(counts, 1), key=_tier_order)
    most = max(counts.values())
    by_type, by_tier = _sums(counts, 0), _sums(counts, 1)
    all_column = _LEFT + 8 + _COLUMN * len(tiers)
    parts = [
        text_at("tick", _tier_title(tier, short=True), x=_LEFT + 8 + _COLUMN * (place + 0.5), y=14)
        for place, tier in enumerate(tiers)
    ]
    parts.append(text_at("tick", "all", x=all_column + _COLUMN / 2, y=14))
    for row, kind in enumerate(types):
        middle = _TOP + _ROW * (row + 0.5) + 4
        parts.append(text_at("label", one_line(spaced(kind), limit=_NAME_LIMIT), x=_LEFT, y=middle, anchor="end"))
        for column, tier in enumerate(tiers):
            count = counts[kind, tier]
            tooltip = escape(f"{spaced(one_line(kind))}, {_tier_title(tier)}: {count:,} of {by_type[kind]:,}")
            x, opacity = _LEFT + 8 + _COLUMN * column, 0.06 + 0.94 * count / most
            cell = f'class="heat" fill-opacity="{opacity:.2f}"' if count else 'class="void"'
            parts.append(
                f'<rect {cell} x="{x + 1}" y="{_TOP + _ROW * row + 1}" '
                f'width="{_COLUMN - 2}" height="{_ROW - 2}" rx="2"><title>{tooltip}</title></rect>'
            )
            if count:
                parts.append(text_at(heat_ink(opacity), _brief(count), x=x + _COLUMN / 2, y=middle))
        parts.append(text_at("count", _brief(by_type[kind]), x=all_column + _COLUMN / 2, y=middle))
    floor = _TOP + _ROW * len(types)
    parts += [
        text_at("count", _brief(by_tier[tier]), x=_LEFT + 8 + _COLUMN * (place + 0.5), y=floor + 16)
        for place, tier in enumerate(tiers)
    ]
    parts.append(text_at("count", _brief(counts.total()), x=all_column + _COLUMN / 2, y=floor + 16))
    heads = ["type of error", *map(_tier_title, tiers), "all"]
    rows = [
        [spaced(one_line(kind)), *(f"{counts[kind, tier]:,}" for tier in tiers), f"{by_type[kind]:,}"] for kind in types
    ]
    rows.append(["all", *(f"{by_tier[tier]:,}" for tier in tiers), f"{counts.total():,}"])
    return svg_figure(name, title, parts, width=all_column + _COLUMN, height=floor + 24, table=FigureTable(heads, rows))


def yield_plot(figures: CertifiedFigures[Any]) -> Markup:
    """Return, for each operator, the share of its attempts that gave a record with a certificate, as a bar with its counts."""
    noun, change = figures.kind.title, figures.kind.change
    name, title = "plot-yield", f"Yield of each operator: {noun}s by {change}s tried"
    tried_ones = [operator for operator in figures.operators.values() if operator.tried]
    operators = sorted(tried_ones, key=lambda operator: (-operator.made, operator.name))
    if not operators:
        return empty_figure(name, title, f"no {change} was tried")
    parts, rows = [], []
    for place, operator in enumerate(operators):
        tried, share = operator.tried, operator.made / operator.tried
        top = _LINE * place
        shown = spaced(one_line(operator.name))
        parts += [
            f"<g><title>{escape(f'{shown}: {operator.made:,} of {tried:,} {change}s, {share:.1%}')}</title>",
            text_at("label", one_line(shown, limit=_NAME_LIMIT), x=_LEFT, y=top + 13, anchor="end"),
            rect_at("void", x=_LEFT + 8, y=top + 5, width=_BAR_WIDTH, height=_BAR_HEIGHT),
            rect_at("bar", x=_LEFT + 8, y=top + 5, width=_BAR_WIDTH * share, height=_BAR_HEIGHT),
            text_at(
                "tick",
                f"{operator.made:,} of {tried:,}",
                x=_LEFT + 8 + _BAR_WIDTH + _FIGURES - 4,
                y=top + 13,
                anchor="end",
            ),
            "</g>",
        ]
        rows.append([shown, f"{operator.made:,}", f"{tried:,}", f"{share:.1%}"])
    table = FigureTable(["operator", f"{noun}s", f"{change}s tried", "yield"], rows)
    return svg_figure(
        name, title, parts, width=_LEFT + 8 + _BAR_WIDTH + _FIGURES, height=_LINE * len(operators) + 4, table=table
    )


def _sums(counts: Counter[tuple[str, Tier]], place: int) -> Counter[Any]:
    sums: Counter[Any] = Counter()
    for key, count in sorted(counts.items(), key=lambda entry: (entry[0][0], _tier_order(entry[0][1]))):
        sums[key[place]] += count
    return sums


def _tier_order(tier: Tier) -> tuple[bool, bool, str]:
    return tier is None, isinstance(tier, str), str(tier)


def _tier_title(tier: Tier, *, short: bool = False) -> str:
    if tier is None:
        return "none" if short else "no tier"
    return one_line(f"tier {tier}", limit=6 if short else 40)


def _brief(count: int) -> str:
    """Return a count in at most five letters: 12,345 as 12.3k."""
    return f"{count:,}" if count < 10_000 else f"{count / 1000:.1f}k" if count < 100_000 else f"{count // 1000:,}k"
