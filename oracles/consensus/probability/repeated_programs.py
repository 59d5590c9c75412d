"""Models that hand in the programs of another one: on nearly all problems the forms of their programs are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from oracles.consensus.probability.tail_probabilities import binomial_tail

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

MOST_SAME = 0.85
"""How often the programs of two writers have one form at most: of public ones 0.71, of two strong models of one family 0.83."""
LEAST_MOST, BEYOND_USUAL = 0.75, 0.4
"""What that most is at least, and how far it is above the median pair of a run: where programs differ more, fewer equal ones tell."""
SIGNIFICANT = 0.01
"""How unlikely it must be that two such writers have one form so often."""
FEWEST_SHARED = 10
"""On how many problems both programs of a pair must have a form before it is one of those whose median counts."""
NO_FORM = -1


def repeated_writers(models: Sequence[str], forms: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return by model the one whose programs it hands in, given the forms of the programs of each problem by model.

    Of models that hand in the same programs, the one that shares most programs with such partners is the writer, of equal ones the first;
    each other one is of one writer. A pair is told by the problems on which both programs have a form.
    """
    place = {model: number for number, model in enumerate(models)}
    table = np.full((len(forms), len(models)), NO_FORM)
    for row, own in zip(table, forms, strict=True):
        numbers: dict[str, int] = {}
        for model, form in own.items():
            row[place[model]] = numbers.setdefault(form, len(numbers))
    given = table != NO_FORM
    same, both = (np.zeros((len(models), len(models)), int) for _ in range(2))
    for number in range(len(models)):
        both[number] = (given & given[:, [number]]).sum(axis=0)
        same[number] = ((table == table[:, [number]]) & given).sum(axis=0)
    most = _most_same(same, both)
    partners: dict[int, dict[int, int]] = {}
    for left, right in np.argwhere(np.triu(same > most * both, 1)).tolist():
        if binomial_tail(int(same[left, right]), int(both[left, right]), most) < SIGNIFICANT:
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


def _most_same(same: NDArray[np.int64], both: NDArray[np.int64]) -> float:
    """Return how often the programs of two writers have one form at most, by what is usual in the run."""
    pairs = np.triu_indices(len(same), 1)
    shared = both[pairs] >= FEWEST_SHARED
    if not shared.any():
        return MOST_SAME
    usual = float(np.median(same[pairs][shared] / both[pairs][shared]))
    return min(max(usual + BEYOND_USUAL, LEAST_MOST), MOST_SAME)
