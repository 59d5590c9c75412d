"""The metrics of engines, each with its interval, from sums by problem: accuracies, F1, calibration error, latency, McNemar's test."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from harness.records.verifier import EngineFigures, Estimate, Latency, ReliabilityBin, TypeFigures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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
class OutcomeTotals:
    """Sums of one draw a row; indexed by name they give a column."""

    names: tuple[str, ...]
    rows: Column

    def __getitem__(self, name: str) -> Column:
        if name not in self.names:
            return np.zeros(len(self.rows))
        column: Column = self.rows[:, self.names.index(name)]
        return column

    def cell(self, gold: str, said: str) -> Column:
        """Return the number of items of class `gold` that were given the class `said`; `*` stands for every class."""
        wanted = [name for name in self.names if name.startswith("cell ")]
        kept = [name for name in wanted if _fits(name.split()[1], gold) and _fits(name.split()[2], said)]
        return np.sum([self[name] for name in kept], axis=0) if kept else np.zeros(len(self.rows))

    @property
    def golds(self) -> list[str]:
        """Return the classes of the items."""
        return sorted({name.split()[1] for name in self.names if name.startswith("cell ")})


def _fits(name: str, wanted: str) -> bool:
    return wanted in {"*", name}


@dataclass(frozen=True, slots=True)
class OutcomeCounts:
    """Sums over items by problem, from which every metric and every resample is computed: a row for each problem, a column for each name."""

    names: tuple[str, ...]
    sums: Column

    @classmethod
    def of(cls, items: Sequence[JudgedItem]) -> OutcomeCounts:
        """Return the sums over items."""
        problems: dict[str, Counter[str]] = {}
        for item in items:
            problems.setdefault(item.group, Counter()).update(item.counts())
        names = tuple(sorted({name for sums in problems.values() for name in sums}))
        rows = [[float(sums[name]) for name in names] for sums in problems.values()]
        return cls(names, np.array(rows, dtype=float).reshape(len(rows), len(names)))

    def total(self) -> OutcomeTotals:
        """Return the sums over all problems."""
        return OutcomeTotals(self.names, self.sums.sum(axis=0, keepdims=True))

    def resampled(self, rounds: int, seed: int) -> OutcomeTotals:
        """Return `rounds` sums over as many problems drawn with replacement: the cluster bootstrap.

        Source: Field and Welsh, Bootstrapping clustered data, JRSS B 69 (2007).
        """
        problems = len(self.sums)
        draw = np.random.default_rng(seed)
        weights = draw.multinomial(problems, np.full(problems, 1 / max(1, problems)), size=rounds) if problems else None
        return OutcomeTotals(self.names, np.zeros((1, len(self.names))) if weights is None else weights @ self.sums)


def ratio(top: Column, bottom: Column) -> Column:
    """Return the quotients, NaN where the divisor is 0."""
    return np.where(bottom > 0, top / np.where(bottom > 0, bottom, 1), np.nan)


def share_of(top: str, bottom: str) -> Callable[[OutcomeTotals], Column]:
    """Return the metric that is the share of one sum in another."""
    return lambda totals: ratio(totals[top], totals[bottom])


def f1(totals: OutcomeTotals, *names: str) -> Column:
    """Return the F1 of some classes taken as one; it is 0 without a hit."""
    hits = np.sum([totals.cell(gold, said) for gold in names for said in names], axis=0)
    gold, said = (
        np.sum([totals.cell(*pair) for pair in pairs], axis=0)
        for pairs in zip(*(((name, "*"), ("*", name)) for name in names), strict=True)
    )
    return np.nan_to_num(ratio(2 * hits, gold + said))


def weighted_f1(totals: OutcomeTotals) -> Column:
    """Return the F1 of the classes, weighted by their numbers of items."""
    sizes = [totals.cell(gold, "*") for gold in totals.golds]
    each = [f1(totals, gold) * size for gold, size in zip(totals.golds, sizes, strict=True)]
    return ratio(np.sum(each, axis=0), np.sum(sizes, axis=0)) if each else np.full(len(totals.rows), np.nan)


def macro_f1(totals: OutcomeTotals) -> Column:
    """Return the mean F1 of those of the classes that occur."""
    occurs = [totals.cell(gold, "*") > 0 for gold in totals.golds]
    each = [f1(totals, gold) * there for gold, there in zip(totals.golds, occurs, strict=True)]
    return ratio(np.sum(each, axis=0), np.sum(occurs, axis=0)) if each else np.full(len(totals.rows), np.nan)


def class_accuracy(totals: OutcomeTotals) -> Column:
    """Return the share of items whose class is right."""
    right = [totals.cell(gold, gold) for gold in totals.golds]
    return ratio(np.sum(right, axis=0), totals["classed"]) if right else np.full(len(totals.rows), np.nan)


def calibration_error(totals: OutcomeTotals) -> Column:
    """Return the expected calibration error over ten bins of equal width.

    Source: Guo et al., On Calibration of Modern Neural Networks, ICML 2017.
    """
    apart = [np.abs(totals[f"bin {place} stated"] - totals[f"bin {place} right"]) for place in range(BINS)]
    return ratio(np.sum(apart, axis=0), totals["stated"])


@dataclass(frozen=True, slots=True)
class Measures:
    """The metrics of a task: each with the name of the sum that counts its items; the true classes, and those that may be said."""

    metrics: Mapping[str, tuple[str, Callable[[OutcomeTotals], Column]]]
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
        return EngineFigures(
            engine=engine,
            dataset=dataset,
            items=len(items),
            problems=len(counts.sums),
            metrics={name: estimate(metric, totals, drawn, rests) for name, (rests, metric) in self.metrics.items()},
            types={
                name: TypeFigures(
                    *(
                        interval(f"type {name} {top}", f"type {name} {bottom}", totals, drawn)
                        for top, bottom in (("found", "n"), ("class right", "class n"), ("line right", "line n"))
                    )
                )
                for name in types
            },
            confusion={gold: {said: _count(totals.cell(gold, said)) for said in self.said} for gold in self.classes},
            verdicts={
                truth: {said: _count(totals[f"verdict {truth} {said}"]) for said in ("correct", "flawed")}
                for truth in (
                    ("correct", "flawed") if any(name.startswith("verdict ") for name in counts.names) else ()
                )
            },
            bins=tuple(reliability_bin(totals, place) for place in range(BINS)),
            latency=latency([item.seconds for item in items]),
        )


def _count(column: Column) -> int:
    return round(float(column[0]))


def estimate(
    metric: Callable[[OutcomeTotals], Column], totals: OutcomeTotals, drawn: OutcomeTotals, rests: str
) -> Estimate:
    """Return a metric with its interval, over the items that the sum `rests` counts; `totals` are the sums, `drawn` those of resamples."""
    value = float(metric(totals)[0])
    if np.isnan(value):
        return Estimate(None, None, None, 0)
    draws = metric(drawn)
    draws = draws[~np.isnan(draws)]
    edges = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    low, high = (float(edge) for edge in np.quantile(draws, edges)) if len(draws) else (value, value)
    return Estimate(value, low, high, _count(totals[rests]))


def interval(top: str, bottom: str, totals: OutcomeTotals, drawn: OutcomeTotals) -> Estimate:
    """Return the share of one sum in another with its interval; `totals` are the sums, `drawn` those of resamples."""
    return estimate(share_of(top, bottom), totals, drawn, bottom)


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


def printed_figures(figures: Sequence[EngineFigures], shown: Mapping[str, str]) -> str:
    """Return a table of some metrics, `shown` by name with their titles: a line for each engine and dataset."""
    datasets = any(row.dataset != "all" for row in figures)
    wide = max(len("engine"), *(len(row.engine) for row in figures))
    long = max(len("dataset"), *(len(row.dataset) for row in figures))
    head = "  ".join(f"{title:>17s}" for title in shown.values())
    lines = [
        (f"{'dataset':{long}s}  " if datasets else "") + f"{'engine':{wide}s}  {'items':>6s}  {head}  {'p50 ms':>8s}"
    ]
    for row in sorted(figures, key=lambda row: row.dataset):
        cells = "  ".join(f"{_cell(row.metrics[name]):>17s}" for name in shown)
        middle = "-" if row.latency.p50 is None else f"{1000 * row.latency.p50:.1f}"
        named = (f"{row.dataset:{long}s}  " if datasets else "") + f"{row.engine:{wide}s}"
        lines.append(f"{named}  {row.items:6d}  {cells}  {middle:>8s}")
    return "\n".join(lines) + "\n"


def _cell(shown: Estimate) -> str:
    if shown.value is None or shown.low is None or shown.high is None:
        return "-"
    return f"{shown.value:.3f} {shown.low:.2f}..{shown.high:.2f}"
