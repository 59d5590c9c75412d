"""A model of answers without gold answers, writers × questions: how good each family of writers is, how alike its answers are, how hard each question is."""

from __future__ import annotations

import itertools
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, logsumexp

from harness.domain import Exact

Numbers = NDArray[np.float64]
ABILITIES = np.linspace(-3, 6, 37)
"""The abilities that a family may have: the log odds that it is right on a question of mean difficulty."""
CONCENTRATIONS = np.geomspace(0.1, 40, 10)
"""How independent the answers of a family to one question may be: near 0 they are one answer, far above 1 they are those of different models."""
UNUSUAL = 0.1
"""The share of families, before a run is read, that are as alike as any: copies, too."""
STANDARD_DIFFICULTIES = np.linspace(-2.4, 2.4, 7)
ITERATIONS = 15

Support = tuple[str, ...]
"""The models that give one value, sorted."""


@dataclass(frozen=True, slots=True)
class ProblemAnswers:
    """The values that models give for one problem; a model whose program gives none is in `silent`.

    `forms` are the fingerprints of the programs that have one (`program_form`), by model.
    """

    support: Mapping[Exact, Support]
    silent: Support = ()
    forms: Mapping[str, str] = field(default_factory=dict)

    @property
    def models(self) -> Iterator[str]:
        """Yield the models that were asked."""
        return itertools.chain(self.silent, *self.support.values())

    def reduced(self, kept: Callable[[Support], Support]) -> ProblemAnswers:
        """Return the answers of the models that are `kept` of those that give one value, and of those that give none."""
        support = {value: own for value, models in self.support.items() if (own := kept(models))}
        return ProblemAnswers(support, kept(self.silent), self.forms)


def problem_answers(values: Mapping[str, Exact | None], forms: Mapping[str, str] | None = None) -> ProblemAnswers:
    """Return the answers to a problem by the value of each model, `None` where it has none."""
    support: defaultdict[Exact, list[str]] = defaultdict(list)
    for model, value in sorted(values.items()):
        if value is not None:
            support[value].append(model)
    silent = tuple(sorted(model for model, value in values.items() if value is None))
    return ProblemAnswers({value: tuple(models) for value, models in sorted(support.items())}, silent, forms or {})


@dataclass(frozen=True, slots=True)
class PublicWriters:
    """What the public programs say of writers and questions before a run is read.

    `difficulty` is the standard deviation of the difficulty of questions, in log odds. A wrong answer is the tempting one of its question with
    probability `tempting`; `coincidence` is the chance that two other ones are one value. `ability` and `concentration` of a
    family have a normal distribution, the latter in its logarithm. `silence` is how much of a wrong answer no answer counts.
    """

    difficulty: float
    tempting: float
    coincidence: float
    ability: float
    ability_spread: float
    concentration: float
    concentration_spread: float
    silence: float


@cache
def public_writers() -> PublicWriters:
    """Return what public programs say of writers and questions."""
    with Path(__file__).with_name("fitted_weights.toml").open("rb") as file:
        return PublicWriters(**tomllib.load(file)["writers"])


@dataclass(frozen=True, slots=True)
class _Table:
    """The answers of some problems: a slot for each value of a problem, an entry for each family that gives it, with its count.

    `totals` are the problem, the family and its number of answers, `silent` the problem and the family of each writer without one.
    """

    problems: int
    slots: NDArray[np.int64]
    entries: NDArray[np.int64]
    totals: NDArray[np.int64]
    silent: NDArray[np.int64]
    likelihoods: Numbers
    """The logarithm of how likely a count is of the right, the tempting or another value: role, count, difficulty, ability, concentration."""
    silence: Numbers
    """The logarithm of how likely no answer is, by ability and difficulty."""


@dataclass(slots=True)
class AnswerModel:
    """The fitted model. The answers of one family to a question are drawn with one reliability of its own there, a Dirichlet distribution.

    The right value has the weight `p`, the logistic function of ability less difficulty; the tempting value and each other one have
    parts of `1 - p`. So n writers of a family that agree count less than n families do, the less the smaller its
    concentration; where questions are hard, families agree on the tempting value, too. Abilities and concentrations are distributions over grids
    (`weights`: family, ability, concentration), found by variational inference: with few problems they are near the public ones.
    `evidence` is how likely the answers are by this model, the lower bound of the logarithm: of two divisions into families, the likelier one has more.
    """

    place: Mapping[str, int]
    weights: Numbers
    evidence: float

    def posterior(self, problems: Sequence[ProblemAnswers]) -> list[dict[Exact, float]]:
        """Return the probability of each value of each problem, in order."""
        slots = _expectation(_table(problems, self.place), self.weights)[0].sum(axis=2)[0].tolist()
        chances = iter(slots)
        return [{value: next(chances) for value in problem.support} for problem in problems]

    def independent(self, writers: Sequence[str]) -> float:
        """Return the expected number of independent answers among those of writers that agree."""
        sizes = Counter(self.place[writer] for writer in writers)
        return sum(
            float(
                self.weights[family].sum(axis=0)
                @ (CONCENTRATIONS[:, None] / (CONCENTRATIONS[:, None] + np.arange(size))).sum(axis=1)
            )
            for family, size in sizes.items()
        )


def fitted_model(problems: Sequence[ProblemAnswers], family: Mapping[str, str]) -> AnswerModel:
    """Return the model of the answers to problems, given the family of each writer."""
    public = public_writers()
    number = {name: place for place, name in enumerate(sorted(set(family.values())))}
    place = {writer: number[name] for writer, name in family.items()}
    table = _table(problems, place)
    ability = -(((ABILITIES - public.ability) / public.ability_spread) ** 2) / 2
    shift = (np.log(CONCENTRATIONS) - np.log(public.concentration)) / public.concentration_spread
    usual = -(shift**2) / 2
    prior = ability[:, None] + np.logaddexp(usual - logsumexp(usual), np.log(UNUSUAL / len(CONCENTRATIONS)))
    prior -= logsumexp(prior)
    weights, evidence = np.repeat(np.exp(prior)[None], len(number), axis=0), 0.0
    totals = np.zeros((len(number), len(CONCENTRATIONS)))
    np.add.at(totals, table.totals[:, 1], _rising(CONCENTRATIONS, table.totals[:, [2]]))
    for _ in range(ITERATIONS if len(table.entries) else 0):
        roles, difficulty, likelihood = _expectation(table, weights)
        gain = prior - totals[:, None, :] - np.log(np.maximum(weights, 1e-300))
        evidence = likelihood + float((weights * gain).sum())
        weights = _maximization(table, roles, difficulty, prior - totals[:, None, :])
    return AnswerModel(place, weights, evidence)


def _table(problems: Sequence[ProblemAnswers], place: Mapping[str, int]) -> _Table:
    slots, public = list[int](), public_writers()
    entries, totals, silent = list[tuple[int, int, int]](), list[tuple[int, int, int]](), list[tuple[int, int]]()
    for problem, answers in enumerate(problems):
        given: Counter[int] = Counter()
        for writers in answers.support.values():
            counted = Counter(place[writer] for writer in writers)
            entries += [(len(slots), family, count) for family, count in counted.items()]
            slots.append(problem)
            given += counted
        totals += [(problem, family, count) for family, count in given.items()]
        silent += [(problem, place[writer]) for writer in answers.silent]
    own = np.array(entries, dtype=np.int64).reshape(-1, 3)
    counts, own[:, 2] = np.unique(own[:, 2], return_inverse=True)
    right = 1 / (1 + np.exp(public.difficulty * STANDARD_DIFFICULTIES - ABILITIES[:, None]))
    other = (1 - public.tempting) * public.coincidence
    shares = np.stack([right, (1 - right) * public.tempting, (1 - right) * other]).transpose(0, 2, 1)
    likelihoods = _rising(shares[:, None, :, :, None] * CONCENTRATIONS, counts[:, None, None, None])
    return _Table(
        len(problems),
        np.array(slots, dtype=np.int64),
        own,
        np.array(totals, dtype=np.int64).reshape(-1, 3),
        np.array(silent, dtype=np.int64).reshape(-1, 2),
        likelihoods,
        public.silence * np.log(1 - right),
    )


def _rising(base: Numbers, count: NDArray[np.int64]) -> Numbers:
    """Return the logarithm of base (base + 1) … (base + count - 1)."""
    return np.asarray(gammaln(base + count) - gammaln(base))


def _expectation(table: _Table, weights: Numbers) -> tuple[Numbers, Numbers, float]:
    """Return the probabilities of roles (right, tempting, other) of slots with difficulties (role, slot, difficulty), those of difficulties by problem, and the log likelihood."""
    slot, family, count = table.entries.T
    expected = np.tensordot(table.likelihoods, weights, axes=([3, 4], [1, 2]))[:, count, :, family].transpose(1, 0, 2)
    shape = (table.problems, len(STANDARD_DIFFICULTIES))
    scores = np.zeros((3, len(table.slots), shape[1])) + np.log(public_writers().coincidence)
    for role in (0, 1):
        np.add.at(scores[role], slot, expected[role] - expected[2])
    whole = np.zeros(shape) - STANDARD_DIFFICULTIES**2 / 2
    np.add.at(whole, table.slots[slot], expected[2])
    problem, own = table.silent.T
    np.add.at(whole, problem, (weights.sum(axis=2) @ table.silence)[own])
    right, tempting = np.exp(np.minimum(scores[:2], 300.0))
    roles = np.stack([right * _of_others(tempting, table), tempting * _of_others(right, table)])
    total = np.ones(shape)
    for terms in (tempting, roles[0]):  # no value given is right, or one is
        np.add.at(total, table.slots, terms)
    difficulty = whole + np.log(total)
    likelihood = logsumexp(difficulty, axis=1, keepdims=True)
    difficulty = np.exp(difficulty - likelihood)
    roles *= (difficulty / total)[table.slots]
    rest = np.maximum(difficulty[table.slots] - roles.sum(axis=0), 0.0)
    return np.concatenate([roles, rest[None]]), difficulty, float(likelihood.sum())


def _of_others(terms: Numbers, table: _Table) -> Numbers:
    """Return one more than the sum of the other slots of its problem for each slot; without differences, which would lose small terms."""
    sums = np.ones_like(terms)
    first = np.searchsorted(table.slots, table.slots)
    rank = np.arange(len(table.slots)) - first
    for order in (range(rank.max(initial=-1) + 1), range(rank.max(initial=-1), -1, -1)):
        before = np.zeros((table.problems, terms.shape[1]))
        for step in order:
            chosen = rank == step
            sums[chosen] += before[table.slots[chosen]]
            before[table.slots[chosen]] += terms[chosen]
    return sums


def _maximization(table: _Table, roles: Numbers, difficulty: Numbers, prior: Numbers) -> Numbers:
    """Return the weights of abilities and concentrations of each family, given the probabilities of roles and difficulties."""
    slot, family, count = table.entries.T
    found = np.zeros((len(prior), *table.likelihoods.shape[:3]))
    for role in range(3):
        np.add.at(found[:, role], (family, count), roles[role, slot])
    scores = np.tensordot(found, table.likelihoods, axes=([1, 2, 3], [0, 1, 2])) + prior
    unanswered = np.zeros((len(prior), len(STANDARD_DIFFICULTIES)))
    np.add.at(unanswered, table.silent[:, 1], difficulty[table.silent[:, 0]])
    scores += (unanswered @ table.silence.T)[:, :, None]
    weights = np.exp(scores - scores.max(axis=(1, 2), keepdims=True))
    return np.asarray(weights / weights.sum(axis=(1, 2), keepdims=True))
