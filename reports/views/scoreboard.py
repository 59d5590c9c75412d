"""Figures of the verifier stage by dataset and engine, with tests against a baseline engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.records.verifier import Consistency, EngineComparison, EngineFigures, Estimate
    from reports.views.artefacts import SealedStage

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
FALLBACKS = ("zero-shot", "zero-shot-llm", "majority")
ALL = "all"


@dataclass(slots=True)
class Scoreboard:
    """The figures of a stage by dataset, engines in the order they were judged."""

    engines: list[str]
    rows: dict[str, list[EngineFigures]] = field(default_factory=dict)
    tests: dict[tuple[str, str, str, str], EngineComparison] = field(default_factory=dict)
    consistency: dict[str, dict[str, Consistency]] = field(default_factory=dict)

    @classmethod
    def of(cls, stage: SealedStage) -> Scoreboard:
        """Read the figures of a stage; all datasets together come last."""
        board = cls(list(map(str, stage.manifest.get("engines") or [])))
        for row in stage.figures():
            board.rows.setdefault(row.dataset, []).append(row)
        if ALL in board.rows:
            board.rows[ALL] = board.rows.pop(ALL)
        for test in stage.engine_comparisons():
            board.tests[test.dataset, test.engine, test.baseline, test.of] = test
        for record in stage.consistency():
            board.consistency.setdefault(record.relation, {})[record.engine] = record
        return board

    @property
    def baseline(self) -> str:
        """Return the engine that others are tested against: zero-shot, else the majority, else the first."""
        return next((name for name in FALLBACKS if name in self.engines), self.engines[0] if self.engines else "")

    def against(self, dataset: str, engine: str, of: str) -> EngineComparison | None:
        """Return McNemar's test of an engine against the baseline."""
        return self.tests.get((dataset, engine, self.baseline, of))

    def types(self, dataset: str) -> list[str]:
        """Return the types of error of a dataset."""
        return sorted({name for row in self.rows[dataset] for name in row.types})

    def type_size(self, dataset: str, name: str) -> int:
        """Return the number of items of a dataset with a type of error."""
        return max((row.types[name].recall.n for row in self.rows[dataset] if name in row.types), default=0)


def value_text(estimate: Estimate | None) -> str:
    """Return a figure as text, a dash if it is missing."""
    return "–" if estimate is None or estimate.value is None else f"{estimate.value:.3f}"


def interval_text(estimate: Estimate | None) -> str:
    """Return the interval of a figure as text, empty if it is missing."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return ""
    return f"{estimate.low:.2f}–{estimate.high:.2f}"


def p_value_text(p: float) -> str:
    """Return a p-value as text."""
    return f"{p:.1e}" if p < 0.001 else f"{p:.3f}"


def seconds_text(seconds: float | None) -> str:
    """Return a time as text, in milliseconds below one second."""
    if seconds is None:
        return "–"
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"
