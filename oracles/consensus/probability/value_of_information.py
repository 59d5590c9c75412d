"""The value of information: what further answers of models, or a person's look, are expected to gain for a problem of a run."""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from harness.domain import Status, Verdict
from oracles.consensus.probability.answer_evidence import ProblemFormalizations, ReadProgram, evidence_for, likeliest
from oracles.consensus.probability.model_reliability import ProblemAnswers
from oracles.consensus.probability.oracle_probability import assess
from oracles.consensus.probability.pair_agreement import SAME_WRONG

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Exact
    from oracles.consensus.probability.model_reliability import ModelReliability, Support
    from oracles.consensus.probability.oracle_probability import RunWeights

RIGHT_SHARE_PRIOR = 2.0
"""The weight, in answers, of a model's accuracy beside the share of right answers to a problem of known answer."""
RARE = 1e-3
"""Rarer outcomes are left out."""


@dataclass(frozen=True, slots=True)
class OpenProblem:
    """A problem as far as it was asked; `right` are the models that give the gold answer, `None` where none is known."""

    formalizations: ProblemFormalizations
    right: Support | None = None


@dataclass(frozen=True, slots=True)
class ValueOfInformation:
    """The value of further answers where a problem is kept if its oracle is right with at least `threshold`.

    A problem that is kept is worth the probability that its oracle is right, one that is not is worth nothing. A gain is how
    much more that is expected to be: over the problems of a run, how many more are kept and right.
    """

    reliability: ModelReliability
    weights: RunWeights
    threshold: float

    def probability(self, problem: OpenProblem) -> float:
        """Return `p_right` of a problem, 0 where it has none."""
        own = problem.formalizations
        if not own.answers.support:
            return 0.0
        posterior = self.reliability.posterior_of(own.answers)
        assessment = assess(own, self.reliability, posterior, problem.right)
        judged = None if assessment is None else self.weights.probability(assessment)
        return 0.0 if judged is None else judged.p_right

    def worth(self, problem: OpenProblem) -> float:
        """Return the probability that a problem is kept and right."""
        return self._worth(self.probability(problem))

    def gains(self, problem: OpenProblem, models: Sequence[str]) -> list[float]:
        """Return the expected gain of asking the first of the models, the first two, and so on.

        The gain is the probability that all of them give one value, and that this one is kept then and right; 0 for a problem that is
        kept. The gain without agreement is left out: after a contradiction the next models are chosen again.
        A model is one of `reliability`. Its answer is predicted from the probability of each value and from the model's
        accuracy; a model that repeats another one answers as that one did with the probability of the repetition.
        """
        if self.worth(problem):
            return [0.0 for _ in models]
        gains = []
        agreeing: list[tuple[float, OpenProblem, Exact | None]] = [(1.0, problem, None)]
        for model in models:
            agreeing = [
                (chance * share, answered, value)
                for chance, before, agreed in agreeing
                for share, answered, value in self._outcomes(before, model)
                if agreed in {None, value} and chance * share >= RARE
            ]
            gains.append(sum(chance * self.worth(answered) for chance, answered, _ in agreeing))
        return gains

    def gain_of_a_look(self, problem: OpenProblem) -> float:
        """Return the expected gain of a person who finds out which formalization is right, if any is."""
        probability = self.probability(problem)
        if problem.right is not None or not problem.formalizations.answers.support:
            return probability - self._worth(probability)
        return sum(self._belief(problem, probability).values()) - self._worth(probability)

    def _worth(self, probability: float) -> float:
        return probability if probability >= self.threshold else 0.0

    def _belief(self, problem: OpenProblem, probability: float) -> dict[Exact, float]:
        """Return the probability of each value: `p_right` for the likeliest, for the others what their evidence gives them, one at most in all."""
        given = problem.formalizations
        own = replace(given, answers=self.reliability.without_copies(given.answers))
        posterior = self.reliability.posterior_of(own.answers)
        best = likeliest(own.answers, posterior)
        others = {
            value: self.weights.answer.probability(evidence_for(value, own, self.reliability, posterior))
            for value in own.answers.support
            if value != best
        }
        scale = min(1.0, (1 - probability) / sum(others.values())) if others else 1.0
        return {best: probability, **{value: chance * scale for value, chance in others.items()}}

    def _outcomes(self, problem: OpenProblem, model: str) -> Iterator[tuple[float, OpenProblem, Exact]]:
        """Yield the probability of each value that a model may give, the problem after it, and the value."""
        given, right = problem.formalizations.answers, problem.right
        unseen = max(given.support, default=0) + 1
        if right is not None:
            known = next((value for value, models in given.support.items() if set(models) & set(right)), unseen + 1)
            chance = self._chance_of_known(problem, right, model)
            yield chance, _answered(problem, model, known, tuple(sorted((*right, model)))), known
            yield 1 - chance, _answered(problem, model, unseen, right), unseen
            return
        chances = self._chances(problem, model)
        chances[unseen] = max(1 - sum(chances.values()), 0.0)
        likely = {value: chance for value, chance in chances.items() if chance >= RARE}
        for value, chance in likely.items():
            yield chance / sum(likely.values()), _answered(problem, model, value, None), value

    def _chances(self, problem: OpenProblem, model: str) -> dict[Exact, float]:
        answers, accuracy = problem.formalizations.answers, self.reliability.accuracy[model]
        if not answers.support:
            return {}
        belief = self._belief(problem, self.probability(problem))
        chances = {
            value: share * accuracy + (1 - share) * (1 - accuracy) * SAME_WRONG for value, share in belief.items()
        }
        source, repeated = self.reliability.most_repeated(model, answers)
        return {
            value: (1 - repeated) * chance + (repeated if value == source else 0.0) for value, chance in chances.items()
        }

    def _chance_of_known(self, problem: OpenProblem, right: Support, model: str) -> float:
        """Return how likely a model gives the known answer: its accuracy, and how many of those asked gave it."""
        answers = problem.formalizations.answers
        asked = sum(map(len, answers.support.values())) + len(answers.silent)
        return (len(right) + RIGHT_SHARE_PRIOR * self.reliability.accuracy[model]) / (asked + RIGHT_SHARE_PRIOR)


def _answered(problem: OpenProblem, model: str, value: Exact, right: Support | None) -> OpenProblem:
    """Return a problem after a model gave a value, by a program that is equal to the largest clique of those that give it."""
    own = problem.formalizations
    models = own.answers.support.get(value, ())
    clique = own.largest_clique(models)
    verdicts: dict[tuple[str, str], Verdict] = {}
    for other in models:
        known = own.verdict(clique[0], other) if other not in clique else None
        if other in clique or known is not None:
            pair = (min(model, other), max(model, other))
            verdicts[pair] = known or Verdict("ut3", "", *pair, Status.CONFIRMED, "expected")
    support: dict[Exact, Support] = {**own.answers.support, value: tuple(sorted((*models, model)))}
    program = next(iter(own.programs.values()), ReadProgram(None))
    programs = {**own.programs, model: own.programs[clique[0]] if clique else program}
    return OpenProblem(
        ProblemFormalizations(
            own.question,
            ProblemAnswers(support, own.answers.silent),
            programs,
            ChainMap(verdicts, dict(own.verdicts)),
        ),
        right,
    )
