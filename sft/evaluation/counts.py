"""Sums over outcomes by problem, from which every metric and every bootstrap resample is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sft.samples.outcomes import CLASSES, NO_CLASS, SAID, gold_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sft.samples.outcomes import EvaluationOutcome

BINS = 10
_FINE = "fine"


@dataclass(frozen=True, slots=True)
class OutcomeCounts:
    """Sums over outcomes by problem: `sums` has a row for each problem and a column for each name."""

    names: tuple[str, ...]
    sums: np.ndarray[Any, Any]

    def total(self) -> OutcomeTotals:
        """Return the sums over all problems."""
        return OutcomeTotals(self.names, self.sums.sum(axis=0, keepdims=True))

    def resampled(self, rounds: int, seed: int) -> OutcomeTotals:
        """Return `rounds` sums over as many problems drawn with replacement: the cluster bootstrap.

        Source: Field and Welsh, Bootstrapping clustered data, JRSS B 69 (2007).
        """
        problems = len(self.sums)
        draw = np.random.default_rng(seed)
        weights = (
            draw.multinomial(problems, np.full(problems, 1 / problems), size=rounds) if problems else np.zeros((1, 0))
        )
        return OutcomeTotals(self.names, weights @ self.sums)


@dataclass(frozen=True, slots=True)
class OutcomeTotals:
    """Sums of one draw a row; indexed by name they give a column."""

    names: tuple[str, ...]
    rows: np.ndarray[Any, Any]

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        if name not in self.names:
            return np.zeros(len(self.rows))
        column: np.ndarray[Any, Any] = self.rows[:, self.names.index(name)]
        return column

    def cell(self, gold: str, predicted: str) -> np.ndarray[Any, Any]:
        """Return the number of items of class `gold` with the predicted class."""
        return self[f"cell {gold} {predicted}"]


def count(outcomes: Sequence[EvaluationOutcome]) -> OutcomeCounts:
    """Return the sums that the metrics need, by problem."""
    # Without classes of errors, the correct solutions alone would fill the table of classes.
    classed = {
        outcome.dataset
        for outcome in outcomes
        if outcome.sample.truth.flawed and gold_of(outcome.sample.truth) != NO_CLASS
    }
    problems: dict[str, dict[str, float]] = {}
    for outcome in outcomes:
        sums = problems.setdefault(outcome.sample.problem_id, {})
        for name, value in _parts(outcome, classed=outcome.dataset in classed):
            sums[name] = sums.get(name, 0.0) + value
    names = tuple(sorted({name for sums in problems.values() for name in sums}))
    rows = [[sums.get(name, 0.0) for name in names] for sums in problems.values()]
    return OutcomeCounts(names, np.array(rows, dtype=float).reshape(len(rows), len(names)))


def _parts(outcome: EvaluationOutcome, *, classed: bool) -> Iterator[tuple[str, float]]:
    truth, prediction = outcome.sample.truth, outcome.prediction
    gold, right = gold_of(truth), prediction.flawed == truth.flawed
    yield "n", 1
    yield "verdict right", right
    yield "valid", prediction.valid
    yield f"verdict {truth.flawed} {prediction.flawed}", 1
    if classed and gold != NO_CLASS:
        yield f"cell {gold} {prediction.said}", 1
    if prediction.confidence is not None:
        place = min(BINS - 1, int(prediction.confidence * BINS))
        yield "stated", 1
        yield "square", (prediction.confidence - right) ** 2
        yield f"bin {place} n", 1
        yield f"bin {place} stated", prediction.confidence
        yield f"bin {place} right", right
    if truth.flawed:
        yield from _of_error(outcome, gold)


def _of_error(outcome: EvaluationOutcome, gold: str) -> Iterator[tuple[str, float]]:
    truth, prediction = outcome.sample.truth, outcome.prediction
    found = bool(prediction.flawed)
    known = {
        "class": (gold != NO_CLASS, prediction.said == gold),
        _FINE: (bool(truth.error_type), prediction.error_type == truth.error_type),
        "line": (bool(truth.line), prediction.line == truth.line),
    }
    named = truth.error_type or (gold if gold != NO_CLASS else "")
    if named:
        yield f"type {named} n", 1
        yield f"type {named} found", found
    for what, (is_known, is_right) in known.items():
        if is_known:
            yield f"{what} n", 1
            yield f"{what} right", found and is_right
            yield f"{what} found", found
            if named:
                yield f"type {named} {what} n", 1
                yield f"type {named} {what} right", found and is_right


def types_of(names: Sequence[str]) -> list[str]:
    """Return the types of error among the names of the sums."""
    return sorted({name.split()[1] for name in names if name.startswith("type ")})


def confusion(totals: OutcomeTotals) -> dict[str, dict[str, int]]:
    """Return the confusion matrix: counts by class of `CLASSES` and predicted class of `SAID`."""
    return {gold: {predicted: round(float(totals.cell(gold, predicted)[0])) for predicted in SAID} for gold in CLASSES}


def verdicts(totals: OutcomeTotals) -> dict[str, dict[str, int]]:
    """Return the confusion matrix of verdicts: counts by label and predicted verdict."""
    titles = {False: "correct", True: "flawed"}
    return {
        titles[truth]: {
            titles[predicted]: round(float(totals[f"verdict {truth} {predicted}"][0])) for predicted in titles
        }
        for truth in titles
    }
