"""SVG plots of engines: metrics with intervals, confusion matrices and calibration."""

from collections.abc import Mapping, Sequence
from html import escape

from markupsafe import Markup

from harness.records.verifier import EngineFigures, Estimate, ReliabilityBin
from harness.text.characters import one_line, spaced
from reports.html.plots.svg_figure import LETTER, FigureTable, heat_ink, svg_figure, text_at

_NAME_LIMIT = 28
_ROW, _TOP, _BOTTOM = 26, 12, 30
_FOREST = 360
_SIDE, _LEFT = 200, 40
_CELL_WIDTH, _CELL_HEIGHT = 78, 40
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def forest_plot(name: str, title: str, rows: Sequence[EngineFigures], metric: str) -> Markup:
    """Return a plot of a metric of each engine with its interval, from 0 to 1."""
    names = [one_line(row.engine, limit=_NAME_LIMIT) for row in rows]
    left = 16 + round(LETTER * max(map(len, names), default=0))
    floor = _TOP + _ROW * len(rows)
    parts = [_grid(x=left + tick * _FOREST, top=_TOP, floor=floor) for tick in _TICKS]
    parts += [text_at("tick", f"{tick:g}", x=left + tick * _FOREST, y=floor + 18) for tick in _TICKS]
    for place, (row, shown) in enumerate(zip(rows, names, strict=True)):
        middle = _TOP + _ROW * place + _ROW / 2
        parts.append(text_at("label", shown, x=left - 8, y=middle + 4, anchor="end"))
        estimate = row.metrics.get(metric)
        if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
            parts.append(text_at("tick", "–", x=left + 8, y=middle + 4))
            continue
        value, low, high = (left + _FOREST * edge for edge in (estimate.value, estimate.low, estimate.high))
        title_text = escape(
            f"{shown}: {estimate.value:.3f}, 95 % interval {estimate.low:.3f} to {estimate.high:.3f}, n {estimate.n:,}"
        )
        parts.append(
            f'<g><title>{title_text}</title><line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}"/>'
            f'<circle class="bar" cx="{value:.1f}" cy="{middle}" r="4.5"/></g>'
        )
    cells = [[one_line(row.engine), *_interval(row.metrics.get(metric))] for row in rows]
    table = FigureTable(["engine", "value", "95 % interval", "items"], cells)
    return svg_figure(name, title, parts, width=left + _FOREST + 20, height=floor + _BOTTOM, table=table)


def confusion_plot(name: str, title: str, confusion: Mapping[str, Mapping[str, int]]) -> Markup:
    """Return a confusion matrix: true classes are rows, judged classes are columns, shaded by the share of the row."""
    golds = [gold for gold in confusion if sum(confusion[gold].values())]
    predictions = [
        prediction
        for prediction in next(iter(confusion.values()), {})
        if any(confusion[gold][prediction] for gold in golds)
    ]
    if not golds:
        return svg_figure(name, title, [text_at("tick", "no class is known", x=110, y=30)], width=220, height=50)
    left, top = 122, 34
    parts = [
        text_at("tick", _brief(prediction), x=left + _CELL_WIDTH * (place + 0.5), y=top - 10)
        for place, prediction in enumerate(predictions)
    ]
    for row, gold in enumerate(golds):
        total = sum(confusion[gold].values())
        middle = top + _CELL_HEIGHT * (row + 0.5)
        parts.append(text_at("label", _brief(gold), x=left - 8, y=middle + 4, anchor="end"))
        for column, prediction in enumerate(predictions):
            count = confusion[gold][prediction]
            share = count / total
            opacity = 0.04 + 0.94 * share
            x, y = left + _CELL_WIDTH * column, top + _CELL_HEIGHT * row
            cell_title = escape(f"{spaced(gold)} judged as {spaced(prediction)}: {count:,} of {total:,}, {share:.1%}")
            parts.append(
                f'<rect class="heat" fill-opacity="{opacity:.2f}" x="{x + 1}" y="{y + 1}" '
                f'width="{_CELL_WIDTH - 2}" height="{_CELL_HEIGHT - 2}" rx="2"><title>{cell_title}</title></rect>'
            )
            parts.append(text_at(heat_ink(opacity), f"{count:,}", x=x + _CELL_WIDTH / 2, y=middle + 4))
    heads = ["true class", *(f"judged as {spaced(one_line(prediction))}" for prediction in predictions)]
    rows = [
        [spaced(one_line(gold)), *(f"{confusion[gold][prediction]:,}" for prediction in predictions)] for gold in golds
    ]
    width, height = left + _CELL_WIDTH * len(predictions) + 8, top + _CELL_HEIGHT * len(golds) + 8
    return svg_figure(name, title, parts, width=width, height=height, table=FigureTable(heads, rows))


def reliability_plot(name: str, title: str, bins: Sequence[ReliabilityBin]) -> Markup:
    """Return a plot of the share of right verdicts against the stated confidence."""
    floor, edge = _TOP + _SIDE, _LEFT + _SIDE
    parts = [f'<line class="axis" x1="{_LEFT}" x2="{edge}" y1="{floor}" y2="{_TOP}"/>']
    parts += [text_at("tick", f"{tick:g}", x=_LEFT + tick * _SIDE, y=floor + 16) for tick in _TICKS]
    parts += [text_at("tick", f"{tick:g}", x=_LEFT - 6, y=floor - tick * _SIDE + 4, anchor="end") for tick in _TICKS]
    parts.append(text_at("tick", "stated confidence", x=_LEFT + _SIDE / 2, y=floor + 32))
    most = max((tenth.n for tenth in bins), default=0)
    for tenth in bins:
        if tenth.stated is None or tenth.right is None:
            continue
        radius = 2.5 + 7 * (tenth.n / most) ** 0.5
        bin_title = escape(f"stated {tenth.stated:.2f}, right {tenth.right:.2f}, {tenth.n:,} verdicts")
        parts.append(
            f'<circle class="bar" fill-opacity="0.75" cx="{_LEFT + tenth.stated * _SIDE:.1f}" '
            f'cy="{floor - tenth.right * _SIDE:.1f}" r="{radius:.1f}"><title>{bin_title}</title></circle>'
        )
    if not most:
        parts.append(text_at("tick", "no confidence is stated", x=_LEFT + _SIDE / 2, y=_TOP + 20))
    rows = [
        [f"{tenth.stated:.2f}", f"{tenth.right:.2f}", f"{tenth.n:,}"]
        for tenth in bins
        if tenth.stated is not None and tenth.right is not None
    ]
    table = FigureTable(["stated confidence", "right", "verdicts"], rows)
    return svg_figure(name, title, parts, width=edge + 16, height=floor + 40, table=table)


def _interval(estimate: Estimate | None) -> list[str]:
    if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
        return ["–", "–", "–"]
    return [f"{estimate.value:.3f}", f"{estimate.low:.3f} to {estimate.high:.3f}", f"{estimate.n:,}"]


def _grid(*, x: float, top: float, floor: float) -> str:
    return f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{floor}"/>'


def _brief(name: str) -> str:
    return one_line(spaced(name.removesuffix("_error")), limit=_NAME_LIMIT)
