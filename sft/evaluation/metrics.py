"""The metrics of engines, each with its interval, from sums by problem: accuracies, F1, calibration error, latency, McNemar's test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.records.verifier import EngineFigures, Estimate, Latency, ReliabilityBin, TypeFigures

BINS = 10
LEVEL = 0.95
Column = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """What an engine made of one item, as metrics count it.

    `group` is the problem by which items are drawn together. `gold` and `said` are classes; an item without a known class has no `gold`.
    `confidence` is the stated probability of being `right`, `None` if not stated; `seconds` is `None` if not measured. `sums` are further
    numbers that a task adds up; those of a type of error are named `type NAME n`, `found`, and `class` or `line` with `n` and `right`.
    """

    group: str
    gold: str
    said: str
    right: bool
    confidence: float | None = None
    seconds: float | None = None
    sums: Mapping[str, float] = field(default_factory=dict)

    def counts(self) -> Counter[str]:
        """Return all numbers of the item by name."""
        counts: Counter[str] = Counter({"n": 1, "right": self.right, **self.sums})
        if self.gold:
            counts += Counter({"classed": 1, f"cell {self.gold} {self.said}": 1})
        if self.confidence is not None:
            place = f"bin {min(BINS - 1, int(self.confidence * BINS))}"
            counts.update({"stated": 1, "square": (self.confidence - self.right) ** 2})
            counts.update({f"{place} n": 1, f"{place} stated": self.confidence, f"{place} right": self.right})
        return counts


@dataclass(frozen=True, slots=True)
class OutcomeCounts:
    """Sums over items, from which every metric is computed: a column for each name, a row for each problem or, of totals, for each draw."""

    names: tuple[str, ...]
    rows: Column

    @classmethod
    def of(cls, items: Sequence[JudgedItem]) -> OutcomeCounts:
        """Return the sums over items by problem."""
        problems: dict[str, Counter[str]] = {}
        for item in items:
            problems.setdefault(item.group, Counter()).update(item.counts())
        names = tuple(sorted({name for sums in problems.values() for name in sums}))
        rows = [[float(sums[name]) for name in names] for sums in problems.values()]
        return cls(names, np.array(rows, dtype=float).reshape(len(rows), len(names)))

    def __getitem__(self, name: str) -> Column:
        """Return the column of a name, zeros if there is none."""
        column: Column = self.rows[:, self.names.index(name)] if name in self.names else np.zeros(len(self.rows))
        return column

    def cell(self, gold: str, said: str) -> Column:
        """Return the number of items of class `gold` that were given the class `said`; `*` stands for every class."""
        cells = [(name, *name.split()[1:]) for name in self.names if name.startswith("cell ")]
        kept = [name for name, of, given in cells if gold in {"*", of} and said in {"*", given}]
        return np.sum([self[name] for name in kept], axis=0) if kept else np.zeros(len(self.rows))

    @property
    def golds(self) -> list[str]:
        """Return the classes of the items."""
        return sorted({name.split()[1] for name in self.names if name.startswith("cell ")})

    def total(self) -> OutcomeCounts:
        """Return the sums over all problems."""
        return OutcomeCounts(self.names, self.rows.sum(axis=0, keepdims=True))

    def resampled(self, rounds: int, seed: int) -> OutcomeCounts:
        """Return `rounds` sums over as many problems drawn with replacement: the cluster bootstrap.

        Source: Field and Welsh, Bootstrapping clustered data, JRSS B 69 (2007).
        """
        problems = len(self.rows)
        if not problems:
            return self.total()
        weights = np.random.default_rng(seed).multinomial(problems, np.full(problems, 1 / problems), size=rounds)
        return OutcomeCounts(self.names, weights @ self.rows)


Metric = Callable[[OutcomeCounts], Column]


def ratio(top: Column, bottom: Column) -> Column:
    """Return the quotients, NaN where the divisor is 0."""
    return np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1), np.nan)


def share_of(top: str, bottom: str) -> Metric:
    """Return the metric that is the share of one sum in another."""
    return lambda totals: ratio(totals[top], totals[bottom])


def f1(totals: OutcomeCounts, *names: str) -> Column:
    """Return the F1 of some classes taken as one; it is 0 without a hit."""
    hits = sum((totals.cell(gold, said) for gold in names for said in names), 0 * totals["n"])
    sizes = sum((totals.cell(name, "*") + totals.cell("*", name) for name in names), 0 * hits)
    return np.nan_to_num(ratio(2 * hits, sizes))


def weighted_f1(totals: OutcomeCounts) -> Column:
    """Return the F1 of the classes, weighted by their numbers of items."""
    return _mean_f1(totals, [totals.cell(gold, "*") for gold in totals.golds])


def macro_f1(totals: OutcomeCounts) -> Column:
    """Return the mean F1 of those of the classes that occur."""
    return _mean_f1(totals, [totals.cell(gold, "*") > 0 for gold in totals.golds])


def _mean_f1(totals: OutcomeCounts, weights: Sequence[Column]) -> Column:
    each = [f1(totals, gold) * weight for gold, weight in zip(totals.golds, weights, strict=True)]
    return ratio(np.sum(each, axis=0), np.sum(weights, axis=0)) if each else np.full(len(totals.rows), np.nan)


def class_accuracy(totals: OutcomeCounts) -> Column:
    """Return the share of items whose class is right."""
    return ratio(sum((totals.cell(gold, gold) for gold in totals.golds), 0 * totals["n"]), totals["classed"])


def calibration_error(totals: OutcomeCounts) -> Column:
    """Return the expected calibration error over ten bins of equal width.

    Source: Guo et al., On Calibration of Modern Neural Networks, ICML 2017.
    """
    apart = [np.abs(totals[f"bin {place} stated"] - totals[f"bin {place} right"]) for place in range(BINS)]
    return ratio(np.sum(apart, axis=0), totals["stated"])


@dataclass(frozen=True, slots=True)
class Measures:
    """The metrics of a task: each with the name of the sum that counts its items; the true classes, and those that may be said."""

    metrics: Mapping[str, tuple[str, Metric]]
    classes: tuple[str, ...]
    said: tuple[str, ...]

    def figures(
        self, items: Sequence[JudgedItem], *, engine: str = "", dataset: str = "", rounds: int, seed: int = 0
    ) -> EngineFigures:
        """Return every metric of one engine on some items.

        Intervals are percentiles of a bootstrap over problems; same items and seed, same figures.
        """
        counts = OutcomeCounts.of(items)
        totals, drawn = counts.total(), counts.resampled(rounds, seed)
        types = sorted({name.split()[1] for name in counts.names if name.startswith("type ")})
        shares = (("found", "n"), ("class right", "class n"), ("line right", "line n"))
        of_types = {name: [(f"type {name} {top}", f"type {name} {bottom}") for top, bottom in shares] for name in types}
        verdicts = ("correct", "flawed") if any(name.startswith("verdict ") for name in counts.names) else ()
        return EngineFigures(
            engine=engine,
            dataset=dataset,
            items=len(items),
            problems=len(counts.rows),
            metrics={name: estimate(metric, rests, totals, drawn) for name, (rests, metric) in self.metrics.items()},
            types={
                name: TypeFigures(*(estimate(share_of(*sums), sums[1], totals, drawn) for sums in of_type))
                for name, of_type in of_types.items()
            },
            confusion={gold: {said: _count(totals.cell(gold, said)) for said in self.said} for gold in self.classes},
            verdicts={of: {said: _count(totals[f"verdict {of} {said}"]) for said in verdicts} for of in verdicts},
            bins=tuple(_reliability_bin(totals, place) for place in range(BINS)),
            latency=latency([item.seconds for item in items]),
        )


def _count(column: Column) -> int:
    return round(float(column[0]))


def estimate(metric: Metric, rests: str, totals: OutcomeCounts, drawn: OutcomeCounts) -> Estimate:
    """Return a metric with its interval, over the items that the sum `rests` counts; `totals` are the sums, `drawn` those of resamples."""
    value = float(metric(totals)[0])
    if np.isnan(value):
        return Estimate(None, None, None, 0)
    draws = metric(drawn)
    draws = draws[~np.isnan(draws)]
    low, high = np.quantile(draws, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]) if len(draws) else (value, value)
    return Estimate(value, float(low), float(high), _count(totals[rests]))


def _reliability_bin(totals: OutcomeCounts, place: int) -> ReliabilityBin:
    n, stated, right = (float(totals[f"bin {place} {name}"][0]) for name in ("n", "stated", "right"))
    return ReliabilityBin(place / BINS, round(n), stated / n if n else None, right / n if n else None)


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

    better, worse = (
        sum(one and not other for one, other in zip(*sides, strict=True)) for sides in ((ours, theirs), (theirs, ours))
    )
    p = float(binomtest(better, better + worse, 0.5).pvalue) if better + worse else 1.0
    return {"only_ours": better, "only_theirs": worse, "p": p}


def printed_figures(figures: Sequence[EngineFigures], shown: Mapping[str, str]) -> str:
    """Return a table of some metrics, `shown` by name with their titles: a line for each engine and dataset."""
    rows = [["dataset", "engine", "items", *shown.values(), "p50 ms"]]
    for row in sorted(figures, key=lambda row: row.dataset):
        middle = "-" if row.latency.p50 is None else f"{1000 * row.latency.p50:.1f}"
        rows.append([row.dataset, row.engine, str(row.items), *(_cell(row.metrics[name]) for name in shown), middle])
    names = 2
    if {row.dataset for row in figures} == {"all"}:
        rows, names = [row[1:] for row in rows], 1
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        [cell.ljust(width) if place < names else cell.rjust(width) for place, (cell, width) in enumerate(cells)]
        for cells in (zip(row, widths, strict=True) for row in rows)
    )
    return "".join(f"{'  '.join(line)}\n" for line in lines)


def _cell(shown: Estimate) -> str:
    return "-" if shown.value is None else f"{shown.value:.3f} {shown.low:.2f}..{shown.high:.2f}"
