"""Figures of the verifier stage by dataset and engine, with tests against a baseline engine."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

from harness.records.verifier import EngineComparison, EngineFigures, Estimate
from harness.text.characters import one_line, spaced
from reports.views.artefacts import SealedStage, command_of
from reports.views.tables import Cell, Column, Kind, Prose, Row, Section, Table, Tone, command_section, numbers

SHOWN = {
    "verdict_accuracy": "verdict",
    "weighted_f1": "weighted F1",
    "macro_f1": "macro F1",
    "coarse_type_accuracy": "class",
    "fine_type_accuracy": "type",
    "line_accuracy": "line",
    "process_f1": "line and sound F1",
    "calibration_error": "ECE",
    "brier": "Brier",
    "json_validity": "valid JSON",
}
"""The metrics of the comparison, with the heads of their columns."""
BRIEF = ("verdict_accuracy", "weighted_f1", "line_accuracy", "calibration_error")
"""The metrics that the terminal has room for."""
FALLBACKS = ("zero-shot", "zero-shot-llm", "majority")
ALL = "all"


@dataclass(slots=True)
class Scoreboard:
    """The figures of a stage by dataset, engines in the order they were judged."""

    stage: SealedStage
    engines: list[str]
    rows: dict[str, list[EngineFigures]] = field(default_factory=dict)
    tests: dict[tuple[str, str, str, str], EngineComparison] = field(default_factory=dict)

    @classmethod
    def of(cls, stage: SealedStage) -> Self:
        """Read the figures of a stage; all datasets together come last."""
        board = cls(stage, list(map(str, stage.manifest.get("engines") or [])))
        for row in stage.records(EngineFigures, "figures.jsonl"):
            board.rows.setdefault(row.dataset, []).append(row)
        if ALL in board.rows:
            board.rows[ALL] = board.rows.pop(ALL)
        for test in stage.records(EngineComparison, "comparisons.jsonl"):
            board.tests[test.dataset, test.engine, test.baseline, test.of] = test
        return board

    @property
    def baseline(self) -> str:
        """Return the engine that others are tested against: zero-shot, else the majority, else the first."""
        return next((name for name in FALLBACKS if name in self.engines), self.engines[0] if self.engines else "")

    def title(self, dataset: str) -> str:
        """Return a dataset with its size."""
        name, rows = "All datasets together" if dataset == ALL else one_line(dataset, limit=80), self.rows[dataset]
        return f"{name} ({rows[0].items:,} solutions of {rows[0].problems:,} problems)"

    def sections(self) -> list[Section]:
        """Return the sections of the terminal."""
        head = (
            f"{len(self.engines)} engines; intervals of 95 % by {self.stage.manifest.get('rounds', 0):,} resamples of problems; "
            f"p: McNemar's exact test of verdicts against {one_line(self.baseline, limit=30)}"
        )
        return [
            Section("", [Prose(f"{self.stage.run.name}  verifier, sealed", Tone.STRONG), Prose(head)]),
            *(Section(self.title(dataset), [self._engines(dataset, BRIEF)]) for dataset in self.rows),
            command_section({"in a browser:": f"{command_of(self.stage.run)} --verifier"}),
        ]

    def dataset_sections(self, dataset: str) -> list[Section]:
        """Return the sections of a dataset on a page: all metrics, confusion and types of error."""
        rows = self.rows[dataset]
        types = sorted({name for row in rows for name in row.types})
        type_rows: list[Row] = []
        for name in types:
            items = max(row.types[name].recall.n for row in rows if name in row.types)
            type_rows.append([one_line(spaced(name), limit=80), items, *(_type_cell(row, name) for row in rows)])
        note = "Share of the items of a type that was found as flawed; of all items of the type, the share with the right class and with the right line."
        columns = [Column("type", Kind.NAME), *numbers("items", *(one_line(row.engine, limit=80) for row in rows))]
        return [
            Section("Metrics", [self._engines(dataset, tuple(SHOWN))]),
            *(_confusion(row) for row in rows),
            *(_calibration(row) for row in rows),
            Section("By type of error", [Prose(note, Tone.WEAK), Table(columns, type_rows, "no type is known")]),
        ]

    def _engines(self, dataset: str, metrics: Sequence[str]) -> Table:
        rows: list[Row] = []
        for row in self.rows[dataset]:
            tests = (self.tests.get((dataset, row.engine, self.baseline, aspect)) for aspect in ("verdict", "class"))
            seconds = (row.latency.p50, row.latency.p95)
            figures = (estimate_cell(row.metrics.get(name)) for name in metrics)
            rows.append([one_line(row.engine, limit=80), *figures, *map(_seconds, seconds), *map(_test_cell, tests)])
        against = one_line(self.baseline, limit=30)
        compared = (f"{aspect} against {against}" for aspect in ("verdict", "class"))
        heads = [*(SHOWN[name] for name in metrics), "p50", "p95", *compared]
        if metrics == BRIEF:
            heads, rows = [*heads[:-2], "p"], [row[:-1] for row in rows]
        return Table([Column("engine", Kind.NAME), *numbers(*heads)], rows)


def estimate_cell(estimate: Estimate | None, note: str = "") -> Cell:
    """Return a figure with its interval, a dash if it is missing."""
    value = "–" if estimate is None or estimate.value is None else f"{estimate.value:.3f}"
    if estimate is None or estimate.low is None or estimate.high is None:
        return Cell(value, note=note)
    interval = f"{estimate.low:.2f}–{estimate.high:.2f}"
    ends = (min(max(estimate.low, 0.0), 1.0), min(max(estimate.high, 0.0), 1.0))
    return Cell(value, note="; ".join(filter(None, [interval, note])), tip=f"n {estimate.n:,}", interval=ends)


def _test_cell(test: EngineComparison | None) -> Cell:
    if test is None or not test.items:
        return Cell(None)
    p = f"{test.p:.1e}" if test.p < 0.001 else f"{test.p:.3f}"
    return Cell(p, note=f"+{test.only_ours:,} −{test.only_theirs:,}")


def _seconds(seconds: float | None) -> str | None:
    """Return a time as text, in milliseconds below one second."""
    return None if seconds is None else f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _type_cell(row: EngineFigures, name: str) -> Cell:
    figures = row.types.get(name)
    if figures is None:
        return Cell(None)
    rest = (("class", figures.coarse), ("line", figures.line))
    return estimate_cell(
        figures.recall, ", ".join(f"{title} {one.value:.2f}" for title, one in rest if one.value is not None)
    )


def _confusion(row: EngineFigures) -> Section:
    """Return how often the items of each class were judged as each class, or verdicts if no class is known; shaded by the share of the row."""
    known = sum(sum(counts.values()) for counts in row.confusion.values())
    confusion = row.confusion if known else row.verdicts
    golds = [gold for gold in confusion if sum(confusion[gold].values())]
    judged = [name for name in next(iter(confusion.values()), {}) if any(confusion[gold][name] for gold in golds)]
    rows: list[Row] = []
    for gold in golds:
        total = sum(confusion[gold].values())
        counts = (confusion[gold][name] for name in judged)
        cells = (Cell(count, tip=f"{count:,} of {total:,}", share=count / total) for count in counts)
        rows.append([one_line(spaced(gold)), *cells])
    columns = [Column("true class", Kind.NAME), *numbers(*(f"judged as {one_line(spaced(name))}" for name in judged))]
    title = f"{one_line(row.engine, limit=80)}: true class by row"
    return Section(title, [Table(columns, rows, "no class is known")])


def _calibration(row: EngineFigures) -> Section:
    """Return the share of right verdicts by the confidence that the engine states."""
    rows: list[Row] = [
        [f"{tenth.stated:.2f}", f"{tenth.right:.2f}", tenth.right, tenth.n]
        for tenth in row.bins
        if tenth.stated is not None and tenth.right is not None
    ]
    columns = [Column("stated confidence", Kind.NAME), *numbers("right"), Column("", Kind.BAR), *numbers("verdicts")]
    title = f"{one_line(row.engine, limit=80)}: share of right verdicts"
    return Section(title, [Table(columns, rows, "no confidence is stated")])
