"""Models that collude: they give one value, or one program, more often than independent models would, just where the others differ."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from oracles.consensus.probability.repeated_programs import SILENT, log_choices, number_table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from harness.domain import Exact

SIGNIFICANT = 0.05
"""The most probability that independent models look like a group anywhere in a run."""
LEAST_ALONE, LEAST_SHARE_ALONE = 4, 0.05
"""The number and the share of problems on which a group must be the only one to give its value before it is tested."""
MOST_GROUPS = 200
"""The most groups that are tested, those that are alone most often first."""
USUAL_LIFT = 1.2
"""How much more a model agrees with another one where all others are unanimous than where they are split, in log odds: of the public ones 98% do more."""
ACQUITTED = 0.01
"""How unlikely it must be that a model agrees with the others so often where they are unanimous, if they were as often wrong there as where split."""


@dataclass(frozen=True, slots=True)
class OutsideVoice:
    """What a model says of all others of a run, taken for one group that may collude.

    `collusion` is the share of the values that they all give against it which they would have to share for another reason than
    the truth, if it agreed as much more where they are unanimous as the least public ones do. `acquits` tells whether it agrees with most of what
    they all give, and more often than with either side where they are split, which is no chance. Nothing else tells a group from the only other voice: of
    `u = (1 - c) r`, how often that one agrees with what they all give, neither the share `c` on which they collude nor `r`, how often it agrees
    elsewhere, is known; `c` is at most `1 - u`.
    """

    collusion: float
    acquits: bool


@dataclass(slots=True)
class _Counts:
    """How often a model agrees with the others: on how many problems they are unanimous or split, and on how many of these it agrees.

    Where they are split, `sided` counts agreement with one of the most common values, `shared` the share of the others that it agrees with.
    """

    unanimous: int = 0
    agreed: int = 0
    split: int = 0
    sided: int = 0
    shared: float = 0.0


@dataclass(frozen=True, slots=True)
class _Estrangement:
    """A group of models and others, and how likely these differ by chance so often where the group is unanimous."""

    chance: float
    group: tuple[int, ...]
    others: tuple[int, ...]


def colluding_groups(
    models: Sequence[str],
    answers: Collection[Mapping[Exact, Sequence[str]]],
    forms: Collection[Mapping[str, str]] = (),
) -> list[tuple[str, ...]]:
    """Return the groups of models that collude, each model in one at most, by the models that give each value, for each problem.

    `forms` are those of the programs of each problem by model, as far as they have one.

    Independent models are right more often where they are unanimous, so that another model agrees with them there at least as
    often as where they are split. A group from which another model, or all others together, differ *more* often where it is unanimous
    shares something else than the truth.
    Nor are the programs of independent models the same more often where nobody else gives their value than where others give it, too.
    A group is looked at where it alone gave a value on several problems; the tests are Fisher's exact ones, with Bonferroni's correction.
    Models that collude on few problems by programs of their own, or with nobody beside them who is often right, cannot be told from good ones.
    """
    place = {model: number for number, model in enumerate(models)}
    group_of = list(range(len(models)))
    given = [{model: value for value, own in support.items() for model in own} for support in answers]
    table = number_table(models, given)
    tested = list(_estrangements(table, number_table(models, forms) if forms else np.full_like(table, SILENT)))
    significant = [found for found in tested if found.chance * len(tested) < SIGNIFICANT]
    for found in sorted(significant, key=lambda found: (found.chance, found.group, found.others)):
        merged = {group_of[number] for number in found.group}
        if merged.isdisjoint(group_of[number] for number in found.others):
            group_of = [min(merged) if own in merged else own for own in group_of]
    groups = [tuple(model for model in models if group_of[place[model]] == own) for own in sorted(set(group_of))]
    return [group for group in groups if len(group) > 1]


def outside_voices(
    models: Sequence[str], answers: Collection[Mapping[Exact, Sequence[str]]]
) -> dict[str, OutsideVoice]:
    """Return what each model says of all others together, by the models that give each value, for each problem; for three models or more."""
    if len(models) < 3:
        return {}
    counts = {model: _Counts() for model in models}
    for support in answers:
        given = {value: len(own) for value, own in support.items()}
        for value, own in support.items():
            others = {other: count - (other == value) for other, count in given.items() if count - (other == value)}
            total = sum(others.values())
            if total < 2:
                continue
            same = others.get(value, 0)
            for model in own:
                if len(others) == 1:
                    counts[model].unanimous += 1
                    counts[model].agreed += same > 0
                else:
                    counts[model].split += 1
                    counts[model].sided += same == max(others.values())
                    counts[model].shared += same / total
    return {model: _voice(own) for model, own in counts.items()}


def _voice(own: _Counts) -> OutsideVoice:
    cells = [own.agreed, own.unanimous - own.agreed, own.shared, own.split - own.shared]
    yes, no, split_yes, split_no = (count + 0.5 for count in cells)
    # As much more often as the data allow at one standard error.
    most = yes / no * math.exp(math.sqrt(sum(1 / count for count in (yes, no, split_yes, split_no))))
    usual = split_yes / split_no * math.exp(USUAL_LIFT)
    against = 1 / (1 + most)
    collusion = max(against - 1 / (1 + usual), 0.0) / against
    return OutsideVoice(collusion, 2 * own.agreed > own.unanimous and _acquits(own))


def _acquits(own: _Counts) -> bool:
    if own.agreed * own.split <= own.sided * own.unanimous:
        return False
    asked, agreed = own.unanimous + own.split, own.agreed + own.sided
    return _hypergeometric_tail(own.agreed, asked, agreed, own.unanimous) < ACQUITTED


def _estrangements(table: NDArray[np.int64], forms: NDArray[np.int64]) -> Iterator[_Estrangement]:
    columns = range(table.shape[1])
    alone: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for number, row in enumerate(table):
        for value in set(row.tolist()) - {SILENT}:
            if 1 < len(group := tuple(np.flatnonzero(row == value).tolist())) < len(columns):
                alone[group].append(number)
    for group, rows in sorted(alone.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:MOST_GROUPS]:
        if len(rows) < LEAST_ALONE:
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
        shared = _same_programs(forms[:, group], unanimous, rows, unanimous & (agrees & spoke).any(axis=1))
        yield _Estrangement(shared, group, tuple(outside))
        if len(rows) < LEAST_SHARE_ALONE * len(table):
            continue
        parties: list[tuple[int, ...]] = [(place,) for place in range(len(outside))]
        for party in [*parties, tuple(range(len(outside)))]:
            judged = spoke[:, party].any(axis=1)
            agreed = (agrees & spoke)[:, party].any(axis=1)
            chance = _more(~agreed[judged & unanimous], ~agreed[judged & ~unanimous])
            yield _Estrangement(chance, group, tuple(outside[place] for place in party))


def _same_programs(
    forms: NDArray[np.int64], unanimous: NDArray[np.bool_], rows: Sequence[int], supported: NDArray[np.bool_]
) -> float:
    """Return how likely a group has one form so often on the rows where it alone gives its value, if it has where it is `supported`."""
    alone = np.zeros_like(unanimous)
    alone[list(rows)] = True
    told = unanimous & (forms != SILENT).all(axis=1)
    same = told & (forms == forms[:, [0]]).all(axis=1)
    return _more(same[told & alone], same[told & supported])


def _more(alone: NDArray[np.bool_], supported: NDArray[np.bool_]) -> float:
    """Return how likely so many of `alone` hold, if the odds are those of `supported`: Fisher's exact test, one-sided."""
    held, held_anywhere = int(alone.sum()), int(alone.sum() + supported.sum())
    if held * len(supported) <= (held_anywhere - held) * len(alone):
        return 1.0
    return _hypergeometric_tail(held, len(alone) + len(supported), held_anywhere, len(alone))


def _hypergeometric_tail(least: int, total: int, marked: int, drawn: int) -> float:
    """Return how likely at least `least` of `drawn` out of `total` are among the `marked` ones; `least` is at least the mean."""
    return sum(
        math.exp(log_choices(marked, count) + log_choices(total - marked, drawn - count) - log_choices(total, drawn))
        for count in range(least, min(marked, drawn) + 1)
    )
