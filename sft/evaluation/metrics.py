"""The metrics of an engine, each with its interval: accuracies, F1, calibration error, latency, McNemar's test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from harness.records.verifier import EngineFigures, Estimate, Latency, ReliabilityBin, TypeFigures
from sft.evaluation.counts import BINS, OutcomeTotals, confusion, count, types_of, verdicts
from sft.samples.outcomes import CLASSES, SAID

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sft.samples.outcomes import EvaluationOutcome

LEVEL = 0.95
Column = np.ndarray[Any, Any]


def ratio(top: Column, bottom: Column) -> Column:
    """Return the quotients, NaN where the divisor is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1), np.nan)


def _f1(totals: OutcomeTotals, gold: str) -> tuple[Column, Column]:
    """Return the F1 of a class and its number of items; as in the examination, F1 is zero without a hit."""
    hits = totals.cell(gold, gold)
    support = np.sum([totals.cell(gold, predicted) for predicted in SAID], axis=0)
    answered = np.sum([totals.cell(other, gold) for other in CLASSES], axis=0)
    precision, recall = hits / np.maximum(1, answered), hits / np.maximum(1, support)
    return 2 * precision * recall / np.maximum(1e-9, precision + recall), support


def weighted_f1(totals: OutcomeTotals) -> Column:
    """Return the F1 of the three classes, weighted by their numbers of items."""
    each = [_f1(totals, gold) for gold in CLASSES]
    support = np.sum([pair[1] for pair in each], axis=0)
    return ratio(np.sum([f1 * size for f1, size in each], axis=0), support)


def macro_f1(totals: OutcomeTotals) -> Column:
    """Return the mean F1 of those of the three classes that occur."""
    each = [_f1(totals, gold) for gold in CLASSES]
    return ratio(np.sum([f1 * (size > 0) for f1, size in each], axis=0), np.sum([size > 0 for _, size in each], axis=0))


def class_accuracy(totals: OutcomeTotals) -> Column:
    """Return the share of items whose predicted class, of three, is right."""
    every = np.sum([totals.cell(gold, predicted) for gold in CLASSES for predicted in SAID], axis=0)
    return ratio(np.sum([totals.cell(gold, gold) for gold in CLASSES], axis=0), every)


def calibration_error(totals: OutcomeTotals) -> Column:
    """Return the expected calibration error over ten bins of equal width.

    Source: Guo et al., On Calibration of Modern Neural Networks, ICML 2017.
    """
    apart = [np.abs(totals[f"bin {place} stated"] - totals[f"bin {place} right"]) for place in range(BINS)]
    return ratio(np.sum(apart, axis=0), totals["stated"])


def process_f1(totals: OutcomeTotals) -> Column:
    """Return the harmonic mean of first-error-line accuracy on flawed and accuracy on sound solutions.

    Source: Zheng et al., ProcessBench, arXiv 2412.06559.
    """
    line = ratio(totals["line right"], totals["line n"])
    said = [totals[f"verdict False {verdict}"] for verdict in (False, True, None)]
    sound = ratio(said[0], np.sum(said, axis=0))
    return np.where(np.isnan(line) | np.isnan(sound), np.nan, 2 * line * sound / np.maximum(1e-9, line + sound))


def _share(top: str, bottom: str) -> Callable[[OutcomeTotals], Column]:
    return lambda totals: ratio(totals[top], totals[bottom])


METRICS: Mapping[str, tuple[str, Callable[[OutcomeTotals], Column]]] = {
    "verdict_accuracy": ("n", _share("verdict right", "n")),
    "weighted_f1": ("", weighted_f1),
    "macro_f1": ("", macro_f1),
    "class_accuracy": ("", class_accuracy),
    "coarse_type_accuracy": ("class n", _share("class right", "class n")),
    "fine_type_accuracy": ("fine n", _share("fine right", "fine n")),
    "line_accuracy": ("line n", _share("line right", "line n")),
    "coarse_type_accuracy_if_found": ("class found", _share("class right", "class found")),
    "fine_type_accuracy_if_found": ("fine found", _share("fine right", "fine found")),
    "line_accuracy_if_found": ("line found", _share("line right", "line found")),
    "process_f1": ("line n", process_f1),
    "json_validity": ("n", _share("valid", "n")),
    "calibration_error": ("stated", calibration_error),
    "brier": ("stated", _share("square", "stated")),
}
"""Each metric with the name of the sum that counts its items. Accuracies of type and line count all flawed items, with the
verdict `Correct` as wrong; those with `_if_found` count the items that were judged flawed."""


def measure(
    outcomes: Sequence[EvaluationOutcome], *, engine: str = "", dataset: str = "", rounds: int, seed: int = 0
) -> EngineFigures:
    """Return every metric of one engine on some items.

    Intervals are percentiles of a bootstrap over problems; same outcomes and seed, same figures.
    """
    counts = count(outcomes)
    totals, drawn = counts.total(), counts.resampled(rounds, seed)
    classed = sum(totals.cell(gold, predicted)[0] for gold in CLASSES for predicted in SAID)
    return EngineFigures(
        engine=engine,
        dataset=dataset,
        items=len(outcomes),
        problems=len(counts.sums),
        metrics={
            name: estimate(metric, totals, drawn, totals[rests][0] if rests else classed)
            for name, (rests, metric) in METRICS.items()
        },
        types={name: _of_type(name, totals, drawn) for name in types_of(counts.names)},
        confusion=confusion(totals),
        verdicts=verdicts(totals),
        bins=tuple(reliability_bin(totals, place) for place in range(BINS)),
        latency=latency([outcome.prediction.seconds for outcome in outcomes]),
    )


def estimate(
    metric: Callable[[OutcomeTotals], Column], totals: OutcomeTotals, drawn: OutcomeTotals, rests: float
) -> Estimate:
    """Return a metric with its interval, over `rests` items; `totals` are the sums, `drawn` those of resamples."""
    value = float(metric(totals)[0])
    if np.isnan(value):
        return Estimate(None, None, None, 0)
    draws = metric(drawn)
    draws = draws[~np.isnan(draws)]
    edges = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    low, high = (float(edge) for edge in np.quantile(draws, edges)) if len(draws) else (value, value)
    return Estimate(value, low, high, round(float(rests)))


def _of_type(name: str, totals: OutcomeTotals, drawn: OutcomeTotals) -> TypeFigures:
    """Return for one type of error the shares found, classed and placed."""

    def share(top: str, bottom: str) -> Estimate:
        return interval(f"type {name} {top}", f"type {name} {bottom}", totals, drawn)

    return TypeFigures(share("found", "n"), share("class right", "class n"), share("line right", "line n"))


def interval(top: str, bottom: str, totals: OutcomeTotals, drawn: OutcomeTotals) -> Estimate:
    """Return the share of one sum in another with its interval; `totals` are the sums, `drawn` those of resamples."""
    return estimate(_share(top, bottom), totals, drawn, totals[bottom][0])


def reliability_bin(totals: OutcomeTotals, place: int) -> ReliabilityBin:
    """Return one of the ten bins of stated confidence, numbered from 0."""
    n = totals[f"bin {place} n"][0]
    stated, right = (float(totals[f"bin {place} {name}"][0] / n) if n else None for name in ("stated", "right"))
    return ReliabilityBin(place / BINS, round(float(n)), stated, right)


def latency(seconds: Sequence[float | None]) -> Latency:
    """Return the median and the 95th percentile of the time of an item, in seconds, over those that were timed."""
    timed = [duration for duration in seconds if duration is not None]
    middle, most = (float(value) for value in np.percentile(timed, [50, 95])) if timed else (None, None)
    return Latency(middle, most, len(timed))


def mcnemar(ours: Sequence[bool], theirs: Sequence[bool]) -> dict[str, Any]:
    """Return McNemar's exact test of two engines on the same items: where one only was right, and the two-sided p.

    Source: McNemar, Psychometrika 12 (1947); exact by the binomial distribution.
    """
    from scipy.stats import binomtest

    better = sum(own and not other for own, other in zip(ours, theirs, strict=True))
    worse = sum(other and not own for own, other in zip(ours, theirs, strict=True))
    p = float(binomtest(better, better + worse, 0.5).pvalue) if better + worse else 1.0
    return {"only_ours": better, "only_theirs": worse, "p": p}
