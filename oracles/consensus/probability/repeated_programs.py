"""Models that hand in the programs of another one: on nearly all problems the forms of their programs are the same."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping, Sequence

    from numpy.typing import NDArray

MOST_SAME = 0.85
"""How often the programs of two writers have one form at most: of public ones 0.71, of two strong models of one family 0.83."""
LEAST_MOST, BEYOND_USUAL = 0.75, 0.4
"""What that most is at least, and how far it is above the median pair of a run: where programs differ more, fewer equal ones tell."""
SIGNIFICANT = 0.01
"""How unlikely it must be that two such writers have one form so often."""
FEWEST_SHARED = 10
"""On how many problems both programs of a pair must have a form before it is one of those whose median counts."""
SILENT = -1
COPY_PRIOR = 0.2
"""The probability, before the run is read, that one of two models hands in the other's programs. It is cautious; a large one costs public programs nothing."""
COPY_SAME, COPY_OTHER = 38.0, 2.0
"""The share of equal forms of a copy and its writer: the parameters of a Beta distribution of mean 0.95."""
WRITERS_PRIOR = 8.0
"""The share of equal forms of two writers: a Beta distribution with the usual share of the run as its mean and the weight of so many problems."""
USUAL, USUAL_LEAST, USUAL_MOST = 0.4, 0.3, 0.9
"""The usual share where no pair shares enough problems, and its bounds; the median pair of public programs has 0.32, two strong models have 0.83."""


def repeated_writers(models: Sequence[str], forms: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return by model the one whose programs it hands in, given the forms of the programs of each problem by model.

    Of models that hand in the same programs, the one that shares most programs with such partners is the writer, of equal ones the first;
    each other one is of one writer. A pair is told by the problems on which both programs have a form.
    """
    same, both = _same_forms(models, forms)
    usual = _usual(same, both)
    most = MOST_SAME if usual is None else min(max(usual + BEYOND_USUAL, LEAST_MOST), MOST_SAME)
    partners: dict[int, dict[int, int]] = {}
    for left, right in np.argwhere(np.triu(same > most * both, 1)).tolist():
        if _binomial_tail(int(same[left, right]), int(both[left, right]), most) < SIGNIFICANT:
            for number, other in ((left, right), (right, left)):
                partners.setdefault(number, {})[other] = int(same[left, right])
    writers: dict[str, str] = {}
    taken: set[int] = set()
    for number in sorted(partners, key=lambda number: (-sum(partners[number].values()), number)):
        if number not in taken:
            repeating = partners[number].keys() - taken
            taken |= {number, *repeating}
            writers |= {models[other]: models[number] for other in repeating}
    return dict(sorted(writers.items()))


def copy_probabilities(models: Sequence[str], forms: Sequence[Mapping[str, str]]) -> dict[tuple[str, str], float]:
    """Return by pair, in the order of `models`, how likely one hands in the programs of the other, given their forms.

    On few problems `repeated_writers` cannot be sure of a copy; this says how much it looks like one. By the theorem of Bayes from
    two distributions, beta-binomial, of the number of equal forms: of a copy and of two writers.
    """
    same, both = _same_forms(models, forms)
    usual = _usual(same, both)
    mean = USUAL if usual is None else min(max(usual, USUAL_LEAST), USUAL_MOST)
    return {
        (models[left], models[right]): _copy_probability(int(same[left, right]), int(both[left, right]), mean)
        for left, right in itertools.combinations(range(len(models)), 2)
    }


def _binomial_tail(least: int, draws: int, chance: float) -> float:
    """Return how likely at least `least` of `draws` succeed, each with a chance strictly between 0 and 1."""
    return sum(
        math.exp(log_choices(draws, count) + count * math.log(chance) + (draws - count) * math.log1p(-chance))
        for count in range(least, draws + 1)
    )


def log_choices(total: int, chosen: int) -> float:
    """Return the natural logarithm of a binomial coefficient."""
    return math.lgamma(total + 1) - math.lgamma(chosen + 1) - math.lgamma(total - chosen + 1)


@lru_cache(maxsize=10_000)
def _copy_probability(equal: int, both: int, usual: float) -> float:
    """Return how likely two models of which so many of the forms are equal are a copy and its writer."""
    copy = _log_chance(equal, both - equal, COPY_SAME, COPY_OTHER) + math.log(COPY_PRIOR)
    writers = _log_chance(equal, both - equal, usual * WRITERS_PRIOR, (1 - usual) * WRITERS_PRIOR)
    return float(1 / (1 + np.exp(np.clip(writers + math.log(1 - COPY_PRIOR) - copy, -700, 700))))


def _log_chance(equal: int, other: int, same: float, apart: float) -> float:
    """Return the logarithm of how likely one order of so many equal and other forms is, at a rate with a Beta distribution."""
    parts = ((same + equal, 1), (apart + other, 1), (same + apart + equal + other, -1))
    prior = ((same, -1), (apart, -1), (same + apart, 1))
    return sum(factor * math.lgamma(value) for value, factor in (*parts, *prior))


def number_table(models: Sequence[str], rows: Collection[Mapping[str, Hashable]]) -> NDArray[np.int64]:
    """Return what models give, a row for each problem and a column for each model: the number of the value in its row, or SILENT."""
    place = {model: number for number, model in enumerate(models)}
    table = np.full((len(rows), len(models)), SILENT)
    for row, own in zip(table, rows, strict=True):
        numbers: dict[Hashable, int] = {}
        for model, value in own.items():
            if model in place:
                row[place[model]] = numbers.setdefault(value, len(numbers))
    return table


def _same_forms(
    models: Sequence[str], forms: Sequence[Mapping[str, str]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return by pair of models on how many problems their programs have one form, and on how many both have a form."""
    table = number_table(models, forms)
    given = table != SILENT
    same, both = (np.zeros((len(models), len(models)), int) for _ in range(2))
    for number in range(len(models)):
        both[number] = (given & given[:, [number]]).sum(axis=0)
        same[number] = ((table == table[:, [number]]) & given).sum(axis=0)
    return same, both


def _usual(same: NDArray[np.int64], both: NDArray[np.int64]) -> float | None:
    """Return how often the programs of the median pair of the run have one form; `None` where too few problems are shared."""
    pairs = np.triu_indices(len(same), 1)
    shared = both[pairs] >= FEWEST_SHARED
    return float(np.median(same[pairs][shared] / both[pairs][shared])) if shared.any() else None
