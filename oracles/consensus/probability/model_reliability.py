"""The accuracy of each model of a run, the families of its models and the probability of each answer, estimated from their answers alone."""

import itertools
import math
import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from harness.domain import Exact
from oracles.consensus.probability.answer_model import AnswerModel, ProblemAnswers, Support, fitted_model
from oracles.consensus.probability.writer_families import (
    COPY_DOUBT,
    OTHER_MODEL,
    SAME_VALUE,
    copies,
    copy_evidence,
    writer_families,
)

RIGHT_PRIOR, WRONG_PRIOR = 6.0, 3.0
"""Right and wrong answers that each model counts as having given before the run: a Beta prior."""
MOST_READ, MOST_COMPARED = 300, 30
"""The most problems and families that are read to join families whose answers are likelier as samples of one model."""
CLEARLY = 5.0
"""How much likelier they must be, in the logarithm."""
FEW_PROBLEMS = 20
"""The number of problems below which what public programs show counts for more than the run does."""


@dataclass(slots=True)
class ModelReliability:
    """The accuracy of each model, the families of the run's models, and the probabilities of each problem's values that follow.

    `accuracy` and `family` are by model. `posterior` has by problem the probability of each value; the rest up to one is the
    probability that no model is right. `double` has the pairs of models, in the order of their names, that are one witness: they never
    differ, in value or in the form of their programs, on the problems that were asked of both, or one repeats most
    programs of the other (`copies`). `asked` has by model the number of problems that it was asked for, and `problems` is the number of all. `agreement` is the share of models that give the most common
    value of a problem, in the mean over the run.
    """

    model: AnswerModel
    accuracy: dict[str, float]
    family: Mapping[str, str]
    posterior: dict[str, dict[Exact, float]]
    double: frozenset[tuple[str, str]]
    asked: Mapping[str, int]
    problems: int
    agreement: float

    def posterior_of(self, problem: ProblemAnswers) -> dict[Exact, float]:
        """Return the probability of each value of a problem by the reliability of the models that give it."""
        return self.model.posterior([self.without_copies(problem)])[0]

    def without_copies(self, problem: ProblemAnswers) -> ProblemAnswers:
        """Return the answers to a problem without those of models that are one witness with another one that gives the same value, or none as well."""
        return problem.reduced(self.distinct)

    def independent(self, support: Iterable[str]) -> float:
        """Return how many independent models are as good as models that agree: those of one family count as samples of one."""
        return self.model.independent(self.distinct(support))

    def summed_odds(self, support: Sequence[str]) -> float:
        """Return the summed log odds of the accuracy of models that agree, as many as are independent of one another."""
        odds = [math.log(own / (1 - own)) for own in (self.accuracy[model] for model in support)]
        return self.independent(support) * statistics.fmean(odds)

    def distinct(self, support: Iterable[str]) -> Support:
        """Return models without those that are one witness with another of them, which is kept; sorted."""
        return _distinct(support, self.double)


def estimate_reliability(
    answers: Mapping[str, ProblemAnswers], families: Sequence[tuple[str, str]] = ()
) -> ModelReliability:
    """Return the reliability of all models of a run by problem id, estimated without gold answers.

    `families` are names of families with patterns of the names of their models. A model that never differs from another one changes
    nothing, and is as accurate as that one.
    """
    asked = Counter(model for problem in answers.values() for model in problem.models)
    double = _doubles(sorted(asked), answers, families)
    distinct = [problem.reduced(lambda models: _distinct(models, double)) for problem in answers.values()]
    family = _families(writer_families(sorted(asked), distinct, families), distinct)
    model = fitted_model(distinct, family)
    posterior = dict(zip(answers, model.posterior(distinct), strict=True))
    right = Counter(dict.fromkeys(asked, RIGHT_PRIOR))
    for name, problem in answers.items():
        for value, own in problem.support.items():
            right.update(dict.fromkeys(own, posterior[name][value]))
    accuracy = {name: right[name] / (count + RIGHT_PRIOR + WRONG_PRIOR) for name, count in asked.items()}
    agreement = [
        max(map(len, problem.support.values())) / len(list(problem.models)) for problem in distinct if problem.support
    ]
    return ModelReliability(
        model, accuracy, family, posterior, double, asked, len(answers), statistics.fmean(agreement or [1.0])
    )


def _families(family: dict[str, str], problems: Sequence[ProblemAnswers]) -> dict[str, str]:
    """Return the families, those joined whose answers are clearly likelier as samples of one model, of the groups that agree most often."""
    names, read = sorted(set(family.values())), problems[:MOST_READ]
    if not 2 < len(names) <= MOST_COMPARED:
        return family
    agreed, given = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for problem in read:
        own = [[names.index(family[writer]) for writer in writers] for writers in problem.support.values()]
        for writers, counts in [*((writers, agreed) for writers in own), (list(itertools.chain(*own)), given)]:
            counts[np.ix_(writers, writers)] += 1
    apart = 1 - (agreed + agreed.T) / np.maximum(given + given.T, 1)
    merges = linkage(squareform(apart, checks=False), "average")
    groups: list[list[str]] = [[name] for name in names]
    for left, right, *_ in merges.tolist():
        groups.append(groups[int(left)] + groups[int(right)])
    evidence = fitted_model(read, family).evidence
    gains = [
        (fitted_model(read, _with_group(family, group)).evidence - evidence, group) for group in groups[len(names) : -1]
    ]
    for gain, group in sorted(gains, reverse=True):
        if gain > CLEARLY and all(name in family.values() for name in group):
            family = _with_group(family, group)
    return family


def _with_group(family: Mapping[str, str], group: Sequence[str]) -> dict[str, str]:
    return {writer: min(group) if own in group else own for writer, own in family.items()}


def _pair(left: str, right: str) -> tuple[str, str]:
    return (left, right) if left < right else (right, left)


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


def _doubles(
    models: Sequence[str], answers: Mapping[str, ProblemAnswers], families: Sequence[tuple[str, str]]
) -> frozenset[tuple[str, str]]:
    """Return the pairs of models that give the same value, or both none, on each problem that was asked of both, by programs of one form as far as they have one, and the pairs of which one copies the other.

    On fewer than eight problems programs of other models have one form by chance as well, and on fewer than fifteen one value: these
    count as other models.
    """
    given: dict[str, dict[str, tuple[Exact | None, str | None]]] = {model: {} for model in models}
    for problem_id, problem in answers.items():
        for value, own in [*problem.support.items(), (None, problem.silent)]:
            for model in own:
                given[model][problem_id] = value, problem.forms.get(model)

    doubles = copies(models, list(answers.values()), families)
    for left, right in itertools.combinations(models, 2):
        shared = [(given[left][name], given[right][name]) for name in given[left].keys() & given[right].keys()]
        same = all(own == other or (None in {own[1], other[1]} and own[0] == other[0]) for own, other in shared)
        formed = sum(own[1] is not None and own == other for own, other in shared)
        evidence = copy_evidence(formed, OTHER_MODEL) + copy_evidence(len(shared) - formed, SAME_VALUE)
        if same and evidence > COPY_DOUBT:
            doubles.add((left, right))
    return frozenset(doubles)
