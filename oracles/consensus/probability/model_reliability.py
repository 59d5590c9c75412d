"""The accuracy of each model of a run and the repetition between models, estimated from their answers alone."""

from __future__ import annotations

import itertools
import math
import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import networkx as nx

from oracles.consensus.probability.collusion import colluding_groups, outside_voices
from oracles.consensus.probability.pair_agreement import (
    SAME_WRONG,
    accuracy_by_triples,
    pair_agreement,
    pair_repetition,
)
from oracles.consensus.probability.repeated_programs import copy_probabilities, repeated_writers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from harness.domain import Exact
    from oracles.consensus.probability.collusion import OutsideVoice

RIGHT_PRIOR, WRONG_PRIOR = 6.0, 3.0
"""Right and wrong answers that each model counts as having given before the run: a Beta prior."""
NOBODY = 0.3
"""The weight of "no answer is right", against a prior weight of one for each value."""
ITERATIONS = 25
COPY_PSEUDO_COUNT, COPY_LEAST = 20.0, 30
"""For how many problems it counts that two models are no copies, and on how many copies are one model for the accuracy of the others."""
SURE = 0.98
"""No accuracy is nearer to 0 or 1."""

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


def problem_answers(values: Mapping[str, Exact | None], forms: Mapping[str, str] | None = None) -> ProblemAnswers:
    """Return the answers to a problem by the value of each model, `None` where it has none."""
    support: defaultdict[Exact, list[str]] = defaultdict(list)
    for model, value in sorted(values.items()):
        if value is not None:
            support[value].append(model)
    silent = tuple(sorted(model for model, value in values.items() if value is None))
    return ProblemAnswers({value: tuple(models) for value, models in sorted(support.items())}, silent, forms or {})


@dataclass(slots=True)
class ModelReliability:
    """The accuracy of each model, the repetition of each pair, and the probabilities of each problem's values that follow.

    `accuracy` is by model, between 1 - SURE and SURE. `repetition` is by pair of models in the order of their names, 0
    for two independent models of the run, 1 for two that always give one value or that collude. `posterior` has by problem the
    probability of each value; the rest up to one is the probability that no model is right. `double` has the pairs of
    models, in the order of their names, that are one witness: they never differ (the same value, or none, on each
    problem that was asked of both), one hands in the other one's programs, or they collude. `agreement` is the share of
    models that give the most common value of a problem, in the mean over the run. `outside` is what each model says of
    all others together. `asked` has by model the number of problems that it was asked for.
    """

    accuracy: dict[str, float]
    repetition: dict[tuple[str, str], float] = field(default_factory=dict)
    posterior: dict[str, dict[Exact, float]] = field(default_factory=dict)
    double: frozenset[tuple[str, str]] = frozenset()
    agreement: float = 1.0
    outside: Mapping[str, OutsideVoice] = field(default_factory=dict)
    asked: Mapping[str, int] = field(default_factory=dict)

    def posterior_of(self, problem: ProblemAnswers) -> dict[Exact, float]:
        """Return the probability of each value of a problem by the reliability of the models that give it."""
        support = self.without_copies(problem).support
        scores = [
            sum(
                weight * _vote(self.accuracy[model]) for model, weight in zip(models, self.weights(models), strict=True)
            )
            for models in support.values()
        ]
        return dict(zip(support, _softmax(scores), strict=True))

    def without_copies(self, problem: ProblemAnswers) -> ProblemAnswers:
        """Return the answers to a problem without those of models that are one witness with another one that gives the same value, or none as well."""
        return _without_copies(problem, self.double)

    def weights(self, support: Sequence[str]) -> list[float]:
        """Return what each of the models that agree counts as an independent witness, 1 for one that repeats no other."""
        return [1 / (1 + sum(self.repeats(model, other) for other in support if other != model)) for model in support]

    def summed_odds(self, support: Sequence[str]) -> float:
        """Return the summed log odds of the accuracy of models that agree, repetition counted out."""
        weights = zip(support, self.weights(support), strict=True)
        return sum(weight * _log_odds(self.accuracy[model]) for model, weight in weights)

    def witnesses(self, support: Iterable[str]) -> int:
        """Return how many of the models are distinct witnesses: a model that never differs from another one, or colludes with it, is the same witness.

        The number of problems does not matter: on one problem, models that agree cannot be told from copies, so they are one
        witness; a single difference anywhere in the run makes two, unless they are seen to collude.
        """
        return len(self.distinct(support))

    def distinct(self, support: Iterable[str]) -> Support:
        """Return models without those that are one witness with another of them, which is kept; sorted."""
        return _distinct(support, self.double)

    def is_double(self, model: str, other: str) -> bool:
        """Tell whether two models are one witness."""
        return _pair(model, other) in self.double

    def repeats(self, model: str, other: str) -> float:
        """Return how much two models repeat each other, 0 for models that the run does not know."""
        return self.repetition.get(_pair(model, other), 0.0)


def estimate_reliability(answers: Mapping[str, ProblemAnswers]) -> ModelReliability:
    """Return the reliability of all models of a run by problem id, estimated without gold answers.

    The model of Dawid and Skene (1979) with one accuracy a model: a model gives the right value with that probability and
    else a wrong one, which is a given other value with probability SAME_WRONG. Fitted by expectation maximization from
    Beta priors, so that few problems leave the estimate near the prior. The votes of models that repeat each other are
    weighted down; who repeats whom, and the accuracies to begin with, come from how often pairs agree. Models that collude
    count as one. Two models alone, or two groups that collude, are taken to be equally accurate, and a value that no
    other model could contradict tells nothing about its model. A model that never differs from another one changes
    nothing, nor does one that hands in another one's programs, by their forms: it is as accurate as that one.
    """
    asked = Counter(model for problem in answers.values() for model in _models(problem))
    everybody = sorted(asked)
    repeating = repeated_writers(everybody, [problem.forms for problem in answers.values()])
    written = {name: without_models(problem, repeating.keys()) for name, problem in answers.items()}
    copies = _doubles([model for model in everybody if model not in repeating], written)
    distinct = {name: _without_copies(problem, copies.keys()) for name, problem in written.items()}
    models = sorted({model for problem in distinct.values() for model in _models(problem)})
    reliability = _estimate(models, distinct, {pair: count for pair, count in copies.items() if {*pair} <= {*models}})
    reliability.double |= copies.keys()
    partners: defaultdict[str, list[str]] = defaultdict(list)
    for left, right in copies:
        partners[left].append(right)
        partners[right].append(left)
    for copy in everybody:
        if copy not in reliability.accuracy and copy not in repeating:
            original = max(models, key=lambda model: copies.get(_pair(model, copy), 0))
            _join(reliability, copy, original, [original, *partners[original]])
    for copy, writer in repeating.items():
        same = [writer, *(other for other in reliability.accuracy if reliability.is_double(writer, other))]
        _join(reliability, copy, writer, same)
        reliability.double |= {_pair(copy, other) for other in same}
    if repeating:
        reliability.posterior = {name: reliability.posterior_of(problem) for name, problem in answers.items()}
    reliability.asked = asked
    return reliability


def _join(reliability: ModelReliability, copy: str, original: str, same: Iterable[str]) -> None:
    """Add a model that is as accurate as another one, repeats others as that one does, and those of one witness wholly."""
    repetition = {other: reliability.repeats(original, other) for other in reliability.accuracy} | dict.fromkeys(
        same, 1.0
    )
    reliability.accuracy[copy] = reliability.accuracy[original]
    reliability.repetition |= {_pair(copy, other): share for other, share in repetition.items() if other != copy}


def _pair(left: str, right: str) -> tuple[str, str]:
    return (left, right) if left < right else (right, left)


def _estimate(
    models: Sequence[str], answers: Mapping[str, ProblemAnswers], copies: Mapping[tuple[str, str], int]
) -> ModelReliability:
    supports = [problem.support for problem in answers.values()]
    agreement, room = pair_agreement(models, supports)
    groups = colluding_groups(models, supports, [problem.forms for problem in answers.values()])
    colluding = {pair for group in groups for pair in itertools.combinations(group, 2)}
    repeated = copy_probabilities(models, [problem.forms for problem in answers.values()])
    repeated |= {pair: max(repeated[pair], shared / (shared + COPY_PSEUDO_COUNT)) for pair, shared in copies.items()}
    repeated |= dict.fromkeys(colluding, 1.0)
    witnesses = _merged(models, [*colluding, *(pair for pair, shared in copies.items() if shared >= COPY_LEAST)])
    accuracy = accuracy_by_triples(agreement, witnesses)
    reliability = ModelReliability(
        dict(zip(models, accuracy.tolist(), strict=True)),
        double=frozenset(copies) | colluding,
        agreement=_mean_agreement(answers),
        outside=outside_voices(models, supports),
    )
    for _ in range(2):
        reliability.accuracy = {model: min(max(own, 1 - SURE), SURE) for model, own in reliability.accuracy.items()}
        found = pair_repetition(reliability.accuracy, agreement, room)
        reliability.repetition = {pair: max(share, repeated.get(pair, 0.0)) for pair, share in found.items()}
        _maximize(reliability, answers, two_witnesses=len(set(witnesses)) == 2)
    return reliability


def _distinct(support: Iterable[str], double: Collection[tuple[str, str]]) -> Support:
    """Return the models without those that are one witness with an earlier one, by the pairs of models that are one witness."""
    models = sorted(support)
    if not double:
        return tuple(models)
    doubles = {model: {other for other in models if _pair(model, other) in double} for model in models}
    distinct: set[str] = set()
    # A model asked for few problems may never differ from two that differ from each other: it comes after them.
    for model in sorted(models, key=lambda model: len(doubles[model])):
        if not doubles[model] & distinct:
            distinct.add(model)
    return tuple(sorted(distinct))


def _without_copies(problem: ProblemAnswers, double: Collection[tuple[str, str]]) -> ProblemAnswers:
    support = {value: _distinct(models, double) for value, models in problem.support.items()}
    return ProblemAnswers(support, _distinct(problem.silent, double), problem.forms)


def without_models(problem: ProblemAnswers, left_out: Collection[str]) -> ProblemAnswers:
    """Return the answers to a problem without those of some models."""
    if not left_out:
        return problem
    support = {
        value: own
        for value, models in problem.support.items()
        if (own := tuple(model for model in models if model not in left_out))
    }
    return ProblemAnswers(support, tuple(model for model in problem.silent if model not in left_out), problem.forms)


def _vote(accuracy: float) -> float:
    """Return the logarithm of how much likelier a model gives a value if it is right than if it is wrong."""
    return math.log(accuracy / ((1 - accuracy) * SAME_WRONG))


def _log_odds(probability: float) -> float:
    """Return the natural logarithm of the odds of a probability strictly between 0 and 1."""
    return math.log(probability / (1 - probability))


def _models(problem: ProblemAnswers) -> Iterable[str]:
    return itertools.chain(problem.silent, *problem.support.values())


def _mean_agreement(answers: Mapping[str, ProblemAnswers]) -> float:
    shares = [
        max(map(len, problem.support.values()), default=0) / asked
        for problem in answers.values()
        if (asked := len(list(_models(problem))))
    ]
    return statistics.fmean(shares) if shares else 1.0


def _merged(models: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return for each model the first one of its witness, models of a pair being one."""
    graph: Any = nx.Graph()
    graph.add_nodes_from(models)
    graph.add_edges_from(pairs)
    first = {model: min(group) for group in nx.connected_components(graph) for model in group}
    return [first[model] for model in models]


def _doubles(models: Sequence[str], answers: Mapping[str, ProblemAnswers]) -> dict[tuple[str, str], int]:
    """Return the pairs of models that give the same value, or both none, on each problem that was asked of both, and how many these are."""
    given: dict[str, dict[str, Exact | None]] = {model: {} for model in models}
    for problem_id, problem in answers.items():
        for value, own in problem.support.items():
            for model in own:
                given[model][problem_id] = value
        for model in problem.silent:
            given[model][problem_id] = None

    doubles = {}
    for left, right in itertools.combinations(models, 2):
        shared = given[left].keys() & given[right].keys()
        if shared and all(given[left][name] == given[right][name] for name in shared):
            doubles[left, right] = len(shared)
    return doubles


def _maximize(reliability: ModelReliability, answers: Mapping[str, ProblemAnswers], *, two_witnesses: bool) -> None:
    # Values are counted by place, not by key: the hash of a fraction costs more than all else here.
    weighed = [
        (
            [list(zip(models, reliability.weights(models), strict=True)) for models in problem.support.values()],
            problem.silent,
            sum(map(len, problem.support.values())) != 1,
        )
        for problem in answers.values()
    ]
    for _ in range(ITERATIONS):
        right = dict.fromkeys(reliability.accuracy, RIGHT_PRIOR)
        wrong = dict.fromkeys(reliability.accuracy, WRONG_PRIOR)
        votes = {model: _vote(accuracy) for model, accuracy in reliability.accuracy.items()}
        for groups, silent, compared in weighed:
            # A value that no other model could contradict would confirm itself.
            if compared:
                shares = _softmax([sum([weight * votes[model] for model, weight in own]) for own in groups])
                for own, share in zip(groups, shares, strict=True):
                    for model, _ in own:
                        right[model] += share
                        wrong[model] += 1 - share
                for model in silent:
                    wrong[model] += 0.5
        if two_witnesses:
            # The number of differences between two does not tell which one is right.
            right, wrong = (dict.fromkeys(counts, sum(counts.values()) / len(counts)) for counts in (right, wrong))
        reliability.accuracy = {
            model: min(max(right[model] / (right[model] + wrong[model]), 1 - SURE), SURE) for model in right
        }
    reliability.posterior = {name: reliability.posterior_of(problem) for name, problem in answers.items()}


def _softmax(scores: Sequence[float]) -> list[float]:
    """Return the probabilities of values by their scores; the rest up to one is the probability that none is right."""
    nobody = math.log(NOBODY)
    most = max([nobody, *scores])
    odds = [math.exp(score - most) for score in scores]
    total = sum(odds) + math.exp(nobody - most)
    return [own / total for own in odds]
