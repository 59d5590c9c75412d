"""Models that collude: they give one value more often than independent models would, and the others differ from them just there."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from harness.domain import Exact

SIGNIFICANT = 0.05
"""How unlikely it must be that independent models look like a group anywhere in a run."""
LEAST_ALONE, LEAST_SHARE_ALONE = 4, 0.05
"""On how many problems, and on which share of them, a group must be the only one to give its value before it is looked at."""
MOST_GROUPS = 200
"""How many groups are looked at, those that are alone most often first."""
SILENT = -1


@dataclass(frozen=True, slots=True)
class _Estrangement:
    """A group of models and others, and how likely these differ by chance so often where the group is unanimous."""

    chance: float
    group: tuple[int, ...]
    others: tuple[int, ...]


def colluding_groups(
    models: Sequence[str], answers: Collection[Mapping[Exact, Sequence[str]]]
) -> list[tuple[str, ...]]:
    """Return the groups of models that collude, each model in one at most, by the models that give each value, for each problem.

    Independent models are right more often where they are unanimous, so that another model agrees with them there at least as
    often as where they are split. A group from which another model, or all others together, differ *more* often where it is unanimous
    shares something else than the truth.
    A group is looked at where it alone gave a value on several problems; the test is Fisher's exact one, with Bonferroni's correction.
    Models that collude on few problems, or with nobody beside them who is often right, cannot be told from good ones.
    """
    place = {model: number for number, model in enumerate(models)}
    group_of = list(range(len(models)))
    tested = list(_estrangements(_table(place, answers)))
    significant = [found for found in tested if found.chance * len(tested) < SIGNIFICANT]
    for found in sorted(significant, key=lambda found: (found.chance, found.group, found.others)):
        merged = {group_of[number] for number in found.group}
        if merged.isdisjoint(group_of[number] for number in found.others):
            group_of = [min(merged) if own in merged else own for own in group_of]
    groups = [tuple(model for model in models if group_of[place[model]] == own) for own in sorted(set(group_of))]
    return [group for group in groups if len(group) > 1]


def _table(place: Mapping[str, int], answers: Collection[Mapping[Exact, Sequence[str]]]) -> NDArray[np.int64]:
    """Return the answers, a row for each problem and a column for each model: the number of the value, or SILENT."""
    table = np.full((len(answers), len(place)), SILENT)
    for row, support in zip(table, answers, strict=True):
        for number, models in enumerate(support.values()):
            row[[place[model] for model in models]] = number
    return table


def _estrangements(table: NDArray[np.int64]) -> Iterator[_Estrangement]:
    columns = range(table.shape[1])
    alone: Counter[tuple[int, ...]] = Counter(
        group
        for row in table
        for value in set(row.tolist()) - {SILENT}
        if 1 < len(group := tuple(np.flatnonzero(row == value).tolist())) < len(columns)
    )
    for group, times in sorted(alone.items(), key=lambda pair: (-pair[1], pair[0]))[:MOST_GROUPS]:
        if times < max(LEAST_ALONE, LEAST_SHARE_ALONE * len(table)):
            break
        own = table[:, group]
        given = (own != SILENT).all(axis=1)
        votes = (own[:, :, None] == own[:, None, :]).sum(axis=2)
        most = votes.max(axis=1)
        unanimous = given & (most == len(group))
        outside = [number for number in columns if number not in group]
        theirs = table[:, outside]
        spoke = given[:, None] & (theirs != SILENT)
        agrees = ((own[:, :, None] == theirs[:, None, :]) & (votes == most[:, None])[:, :, None]).any(axis=1)
        parties: list[tuple[int, ...]] = [(place,) for place in range(len(outside))]
        for party in [*parties, tuple(range(len(outside)))]:
            judged = spoke[:, party].any(axis=1)
            agreed = (agrees & spoke)[:, party].any(axis=1)
            chance = _chance(agreed[judged & unanimous], agreed[judged & ~unanimous])
            yield _Estrangement(chance, group, tuple(outside[place] for place in party))


def _chance(unanimous: NDArray[np.bool_], split: NDArray[np.bool_]) -> float:
    """Return how likely so few agree where a group is unanimous, if the odds are those of where it is split."""
    agreed, agreed_anywhere = int(unanimous.sum()), int(unanimous.sum() + split.sum())
    if agreed * len(split) >= (agreed_anywhere - agreed) * len(unanimous):
        return 1.0
    from scipy.stats import hypergeom  # a second to import; where nobody colludes, nothing is to be tested

    return float(hypergeom.cdf(agreed, len(unanimous) + len(split), agreed_anywhere, len(unanimous)))
