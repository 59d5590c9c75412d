"""Agreement of reviewers beyond chance: Cohen's kappa for pairs and Krippendorff's alpha for all.

Cohen's kappa for each two reviewers (J. Cohen, A coefficient of agreement for nominal scales, 1960) and Krippendorff's alpha for all of them,
also where some did not judge a candidate (K. Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011, nominal data).
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.records.review import Decision, DecisionLine

RESAMPLES = 2_000
LEVEL = 0.95
"""The share of resamples inside an interval."""

Table = NDArray[np.float64]
Ratings = Mapping[str, Mapping[str, str]]
"""By unit, which is a version of a candidate, the category that each reviewer gave it."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A coefficient with the interval that holds `LEVEL` of its bootstrap resamples of units.

    If the coefficient is undefined, `value` is `None` and `why` gives the reason. If it is undefined for too many resamples,
    `low` and `high` are `None`.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""

    def __str__(self) -> str:
        """Write the coefficient with its interval: `0.72 (95% 0.51 to 0.88)`."""
        if self.value is None:
            return f"undefined ({self.why})"
        interval = self.why if self.low is None else f"{LEVEL:.0%} {self.low:.2f} to {self.high:.2f}"
        return f"{self.value:.2f} ({interval})"


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Agreement of two reviewers on the `n` units that both judged; `confusion[left's category, right's]` counts units."""

    left: str
    right: str
    n: int
    raw: float
    kappa: Coefficient
    confusion: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement of all reviewers on the `n` units that several of them judged.

    `raw` is the share of pairs of judgements of a unit that are equal; `disputed` are the units with different judgements.
    """

    n: int
    raw: float | None
    alpha: Coefficient
    pairs: tuple[PairAgreement, ...]
    disputed: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """Return the agreement of all in a sentence."""
        raw = "" if self.raw is None else f"{self.raw:.0%} of pairs of judgements the same, "
        return f"{self.n:,} candidates judged by several reviewers: {raw}alpha {self.alpha}"


def ratings(entries: Iterable[DecisionLine]) -> Ratings:
    """Return the ratings of the decisions in force, as `ReviewState.standing` returns them; skips give no rating."""
    rated: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for entry in entries:
        if entry.decision is not Decision.SKIP:
            rated[f"{entry.candidate_id}@{entry.version}"][entry.reviewer] = str(entry.decision)
    return rated


def agreement(rated: Ratings) -> Agreement:
    """Return the agreement of reviewers."""
    shared = {unit: own for unit, own in sorted(rated.items()) if len(own) > 1}
    categories = sorted({category for own in shared.values() for category in own.values()})
    reviewers = sorted({reviewer for own in shared.values() for reviewer in own})
    counts = [Counter(own.values()) for own in shared.values()]
    same = sum(number * (number - 1) for count in counts for number in count.values())
    compared = sum(count.total() * (count.total() - 1) for count in counts)
    return Agreement(
        n=len(shared),
        raw=same / compared if compared else None,
        alpha=_alpha([[count[category] for category in categories] for count in counts]),
        pairs=tuple(_pairs(shared, categories, reviewers)),
        disputed=tuple(unit for unit, own in shared.items() if len(set(own.values())) > 1),
    )


def _pairs(units: Ratings, categories: Sequence[str], reviewers: Sequence[str]) -> Iterable[PairAgreement]:
    for left, right in itertools.combinations(reviewers, 2):
        both = Counter((rated[left], rated[right]) for rated in units.values() if left in rated and right in rated)
        if both:
            n = both.total()
            raw = sum(count for (row, other), count in both.items() if row == other) / n
            table = [[both[row, other] for other in categories] for row in categories]
            yield PairAgreement(left, right, n, raw, _kappa(table), dict(sorted(both.items())))


def _kappa(table: Sequence[Sequence[int]]) -> Coefficient:
    """Return Cohen's kappa of a table of counts: the first reviewer's categories are rows, the second's are columns."""
    counts = np.asarray(table, dtype=np.float64)
    width = len(counts)

    def values(drawn: Table) -> Table:
        squares = drawn.reshape(-1, width, width)
        total = squares.sum(axis=(1, 2))
        observed = np.trace(squares, axis1=1, axis2=2) / total
        expected = (squares.sum(axis=2) * squares.sum(axis=1)).sum(axis=1) / total**2
        return _ratio(observed - expected, 1 - expected)

    return _coefficient(values, counts.reshape(-1))


def _alpha(table: Sequence[Sequence[int]]) -> Coefficient:
    """Return Krippendorff's alpha of a table of counts: units are rows, categories are columns."""
    patterns = Counter(map(tuple, table))
    if not patterns:
        return Coefficient(None, why="no candidate was judged by two reviewers")
    rows = np.asarray(list(patterns), dtype=np.float64)
    judged = rows.sum(axis=1)
    # A unit's disagreement: its pairs of different categories, weighted by its number of judgements.
    apart = (judged**2 - (rows**2).sum(axis=1)) / (judged - 1)

    def values(drawn: Table) -> Table:
        in_all = drawn @ rows
        total = in_all.sum(axis=1)
        expected = total**2 - (in_all**2).sum(axis=1)
        return 1 - _ratio((total - 1) * (drawn @ apart), expected)

    return _coefficient(values, np.asarray(list(patterns.values()), dtype=np.float64))


def _ratio(above: Table, below: Table) -> Table:
    """Return `above / below`, or NaN where `below` is 0 up to rounding."""
    defined = below > 1e-12
    return np.where(defined, above / np.where(defined, below, 1), np.nan)


def _coefficient(values: Callable[[Table], Table], counts: Table) -> Coefficient:
    """Return a coefficient of counts of units by kind, with its bootstrap interval over units."""
    value = float(values(counts[None, :])[0])
    if np.isnan(value):
        return Coefficient(None, why="all judgements are equal, so the agreement of chance is undefined")
    total = int(counts.sum())
    generator = np.random.default_rng(0)
    drawn = generator.multinomial(total, counts / total, size=RESAMPLES).astype(np.float64)
    resampled = values(drawn)
    resampled = resampled[~np.isnan(resampled)]
    if len(resampled) < LEVEL * RESAMPLES:
        return Coefficient(value, why=f"too few candidates ({total}) for an interval")
    low, high = np.quantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Coefficient(value, float(low), float(high))
