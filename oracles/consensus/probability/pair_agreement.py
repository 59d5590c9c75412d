"""The agreement of pairs of models, and the accuracy and repetition that follow from it."""

from __future__ import annotations

import itertools
import statistics
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from harness.domain import Exact

SAME_WRONG = 0.12
"""The share of pairs of wrong answers to a problem that are one value: the mean over public programs."""
REPEAT_PRIOR = 8.0
"""How many disagreements' worth of evidence the usual excess of agreement counts before two models differ from it."""
MEAN_AGREEMENT, MEAN_PRIOR, PAIR_PRIOR = 0.6, 20.0, 4.0
"""The agreement of two public programs, for how many problems it counts in the mean of a run, and that mean in each pair."""
USUAL = 0.2
"""Agreement beyond chance of two programs of different families, the mean over public programs."""
MOST_USUAL = 0.25
"""The most that is usual in a run: the median pair of no ensemble of public programs has more, where most models are copies it has."""
MOST_COMPARED = 100
"""The most models whose pairs the first accuracy of each model is taken from."""


def pair_agreement(
    models: Sequence[str], answers: Iterable[Mapping[Exact, Sequence[str]]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return by pair of models how often they give one value, few problems drawn towards the mean, and on how many both give one.

    `answers` are the models that give each value, for each problem.
    """
    index = {model: number for number, model in enumerate(models)}
    same, both = (np.zeros((len(models), len(models))) for _ in range(2))
    for support in answers:
        given = [index[model] for own in support.values() for model in own]
        both[np.ix_(given, given)] += 1
        for own in support.values():
            numbers = [index[model] for model in own]
            same[np.ix_(numbers, numbers)] += 1
    apart = ~np.eye(len(models), dtype=bool)
    mean = (same[apart].sum() + MEAN_AGREEMENT * MEAN_PRIOR) / (both[apart].sum() + MEAN_PRIOR)
    return (same + mean * PAIR_PRIOR) / (both + PAIR_PRIOR), both


def accuracy_by_triples(agreement: NDArray[np.float64], witnesses: Sequence[str]) -> NDArray[np.float64]:
    """Return the accuracy of each model from its agreement with pairs of others; models of one witness are no pair.

    Of three independent models that are seldom wrong in the same way, `a(i,j) a(i,k) / a(j,k)` is the square of the accuracy of i.
    Pairs that repeat i make it too large, so that the least over all pairs is taken: one pair of models that do not repeat i is enough.
    """
    count = len(agreement)
    if len(set(witnesses)) < 3:
        return np.sqrt(agreement.min(axis=1)) if count else np.zeros(0)
    accuracy = np.empty(count)
    witness = np.unique(list(witnesses), return_inverse=True)[1]
    # The least over the pairs of some models is near that over all of them, which are too many where there are 1,000.
    compared = np.arange(count)[:: -(-count // MOST_COMPARED)]
    left, right = (compared[places] for places in np.triu_indices(len(compared), 1))
    differing = witness[left] != witness[right]
    for model in range(count):
        apart = differing & (witness[left] != witness[model]) & (witness[right] != witness[model])
        if not apart.any():
            accuracy[model] = np.sqrt(agreement[model].min())
            continue
        left_own, right_own = left[apart], right[apart]
        squares = agreement[model, left_own] * agreement[model, right_own] / agreement[left_own, right_own]
        accuracy[model] = np.sqrt(min(squares.min(), 1.0))
    return accuracy


def pair_repetition(
    accuracies: Mapping[str, float], agreement: NDArray[np.float64], room: NDArray[np.float64]
) -> dict[tuple[str, str], float]:
    """Return by pair how far its agreement beyond chance exceeds what is usual in the run, from 0 to 1.

    Agreement beyond chance is measured as Cohen's kappa measures it, with the chance that the two accuracies give. Problems that are
    easy for all raise it for every pair, so that the median pair counts as independent, unless it has more than MOST_USUAL.
    """
    models, accuracy = list(accuracies), np.array(list(accuracies.values()))
    chance = np.outer(accuracy, accuracy) + np.outer(1 - accuracy, 1 - accuracy) * SAME_WRONG
    excess, doubt = (agreement - chance) * room, (1 - chance) * room
    pairs = list(itertools.combinations(range(len(models)), 2))
    usual = USUAL
    kappa = (excess + usual * REPEAT_PRIOR) / (doubt + REPEAT_PRIOR)
    if len(pairs) > 2:
        usual = min(max(statistics.median(kappa[pair] for pair in pairs), 0.0), MOST_USUAL)
        kappa = (excess + usual * REPEAT_PRIOR) / (doubt + REPEAT_PRIOR)
    return {
        (models[left], models[right]): float(min(max((kappa[left, right] - usual) / (1 - usual), 0.0), 1.0))
        for left, right in pairs
    }
