"""HTML tables that compare the engines of the verifier stage; all text of the run is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from reports.html.engine_plots import confusion_plot, forest_plot, reliability_plot
from reports.views.flaw_phrases import spaced
from reports.views.printable_text import one_line
from reports.views.scoreboard import ALL, SHOWN, interval_text, p_value_text, seconds_text, value_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reports.views.engine_records import EngineFigures, Estimate, TypeFigures
    from reports.views.scoreboard import Scoreboard


def overview(board: Scoreboard) -> str:
    """Return the markup of all figures: each dataset with its tables and plots, the first one open."""
    parts = [_dataset(board, dataset, number) for number, dataset in enumerate(board.rows)]
    return "".join([*parts, _consistency(board)])


def _dataset(board: Scoreboard, dataset: str, number: int) -> str:
    rows = board.rows[dataset]
    title = "All datasets together" if dataset == ALL else _told(dataset)
    count = f"{rows[0]['items']:,} solutions of {rows[0]['problems']:,} problems"
    plots = [
        forest_plot(
            f"forest-{number}-{metric}",
            SHOWN[metric][0].upper() + SHOWN[metric][1:] + " with 95 % interval",
            rows,
            metric,
        )
        for metric in ("verdict_accuracy", "weighted_f1", "line_accuracy")
        if any(row["metrics"][metric]["value"] is not None for row in rows)
    ]
    confusions = [
        confusion_plot(f"confusion-{number}-{place}", f"{one_line(row['engine'])}: true class by row", _matrix(row))
        for place, row in enumerate(rows)
    ]
    calibrations = [
        reliability_plot(
            f"reliability-{number}-{place}", f"{one_line(row['engine'])}: share of right verdicts", row["bins"]
        )
        for place, row in enumerate(rows)
    ]
    body = (
        f'<div class="scroller">{_comparison(board, dataset)}</div>'
        f'<div class="plots">{"".join(plots)}</div>'
        f"<h3>What was taken for what</h3>{_row(confusions)}"
        f"<h3>Calibration</h3>{_row(calibrations)}"
        f"<h3>By type of error</h3>{_types(board, dataset)}"
    )
    opened = " open" if number == 0 else ""
    return f'<details class="dataset"{opened}><summary><h2>{title}</h2> <span class="muted">{count}</span></summary>{body}</details>'


def _matrix(row: EngineFigures) -> dict[str, dict[str, int]]:
    """Return the classes where any is known, else the verdicts."""
    known = sum(sum(counts.values()) for counts in row["confusion"].values())
    return row["confusion"] if known else row["verdicts"]


def _comparison(board: Scoreboard, dataset: str) -> str:
    baseline = _told(board.baseline)
    heads = ["engine", *SHOWN.values(), "p50", "p95", f"verdict against {baseline}", f"class against {baseline}"]
    lines = []
    for row in board.rows[dataset]:
        tests = [_test(board, dataset, row["engine"], of) for of in ("verdict", "class")]
        figures = [_estimate(row["metrics"].get(name)) for name in SHOWN]
        took = [seconds_text(row["latency"]["p50"]), seconds_text(row["latency"]["p95"])]
        lines.append((_told(row["engine"]), [*figures, *took, *tests]))
    return _table(heads, lines)


def _test(board: Scoreboard, dataset: str, engine: str, of: str) -> str:
    """Return how often one of the two alone was right, and McNemar's p."""
    test = board.against(dataset, engine, of)
    if test is None or not test["items"]:
        return "–"
    return f"+{test['only_ours']:,} −{test['only_theirs']:,}, p {p_value_text(test['p'])}"


def _estimate(one: Estimate | None) -> str:
    """Return a figure with its interval in small under it."""
    interval = interval_text(one)
    return value_text(one) + (f"<small>{interval}</small>" if interval else "")


def _types(board: Scoreboard, dataset: str) -> str:
    names = board.types(dataset)
    if not names:
        return '<p class="muted">No type is known.</p>'
    rows = board.rows[dataset]
    lines = []
    for name in names:
        found = [row["types"].get(name) for row in rows]
        size = max((one["recall"]["n"] for one in found if one), default=0)
        lines.append((_told(spaced(name)), [f"{size:,}", *map(_type, found)]))
    heads = ["type", "items", *(_told(row["engine"]) for row in rows)]
    note = '<p class="muted">Found as flawed; of all of that type, of the right class and on the right line.</p>'
    return f'{note}<div class="scroller">{_table(heads, lines)}</div>'


def _type(one: TypeFigures | None) -> str:
    if one is None:
        return "–"
    more = ", ".join(
        f"{title} {estimate['value']:.2f}"
        for title, estimate in (("class", one["coarse"]), ("line", one["line"]))
        if estimate["value"] is not None
    )
    return f"{_estimate(one['recall'])}<small>{more}</small>"


def _consistency(board: Scoreboard) -> str:
    if not board.consistency:
        return ""
    lines = []
    for relation, by_engine in board.consistency.items():
        pairs = next(iter(by_engine.values()))["consistency"]["n"]
        cells = []
        for engine in board.engines:
            one = by_engine.get(engine)
            cells.append(
                "–"
                if one is None
                else f"{_estimate(one['consistency'])}<small>and right {value_text(one['both_right'])}</small>"
            )
        lines.append((_told(spaced(relation)), [f"{pairs:,}", *cells]))
    heads = ["what was changed", "pairs", *map(_told, board.engines)]
    return (
        "<section><h2>Does the verdict follow the truth?</h2>"
        '<p class="muted">The share of pairs on which the verdict stays where the truth stays and turns where it turns.</p>'
        f'<div class="scroller">{_table(heads, lines)}</div></section>'
    )


def _table(heads: Sequence[str], lines: Iterable[tuple[str, Sequence[str]]]) -> str:
    """Return a table of markup that is escaped already."""
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    body = "".join(
        f'<tr><th scope="row">{title}</th>{"".join(f"""<td class="number">{one}</td>""" for one in cells)}</tr>'
        for title, cells in lines
    )
    return f'<table class="figures engines"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _row(plots: Sequence[str]) -> str:
    return f'<div class="plots small">{"".join(plots)}</div>'


def _told(text: str) -> str:
    return escape(one_line(text, limit=80))
