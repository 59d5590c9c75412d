"""Upper tails of the binomial and the hypergeometric distribution.

`scipy.stats` has them, too, but takes longer to import than all else that judges a small run; the tests compare the two.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NEGLIGIBLE = 1e-18
"""The share of the sum below which a term ends it: terms above the mean fall ever faster."""


def binomial_tail(least: int, draws: int, chance: float) -> float:
    """Return how likely at least `least` of `draws` succeed, each with a chance strictly between 0 and 1; `least` is at least the mean."""
    log_first = _log_choices(draws, least) + least * math.log(chance) + (draws - least) * math.log1p(-chance)
    odds = chance / (1 - chance)
    return _tail(log_first, (odds * (draws - count) / (count + 1) for count in range(least, draws)))


def hypergeometric_tail(least: int, total: int, marked: int, drawn: int) -> float:
    """Return how likely at least `least` of `drawn` out of `total` are among the `marked` ones; `least` is at least the mean."""
    if least > min(marked, drawn):
        return 0.0
    log_first = _log_choices(marked, least) + _log_choices(total - marked, drawn - least) - _log_choices(total, drawn)
    unmarked = total - marked
    return _tail(
        log_first,
        (
            (marked - count) * (drawn - count) / ((count + 1) * (unmarked - drawn + count + 1))
            for count in range(least, min(marked, drawn))
        ),
    )


def _tail(log_first: float, ratios: Iterable[float]) -> float:
    """Return the sum of terms, given the logarithm of the first one and the ratio of each to the one before."""
    total = 0.0
    for term in itertools.accumulate(ratios, lambda before, ratio: before * ratio, initial=1.0):
        total += term
        if term < total * NEGLIGIBLE:
            break
    return min(1.0, math.exp(log_first + math.log(total)))


def _log_choices(total: int, chosen: int) -> float:
    return math.lgamma(total + 1) - math.lgamma(chosen + 1) - math.lgamma(total - chosen + 1)
