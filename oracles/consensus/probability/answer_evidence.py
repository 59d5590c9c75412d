"""The evidence for the likeliest answer of a problem: votes, proofs of equality, reliability of models, and use of the question's numbers."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from harness.domain import CauseKind, Exact, Status, Verdict
from harness.records.formalization import ProgramRecord
from harness.text.numbers import mentions
from oracles.consensus.cliques import largest_clique
from oracles.consensus.probability.answer_model import ProblemAnswers, Support
from oracles.consensus.probability.model_reliability import FEW_PROBLEMS, ModelReliability
from oracles.consensus.rounding_need import counted_noun


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerEvidence:
    """The evidence for one value of a problem, as the fitted weights take it.

    "The answer" is the value in question, "its models" those that give it, "the rest" those that give another value or none.
    Shares are of all models asked for the problem unless they say otherwise; a logarithm is natural.
    """

    share: float
    """The share of models that give the answer, samples of one model counted as fewer."""
    members: float
    """The logarithm of the number of models asked."""
    agreement: float
    """The share of models that give the most common value of a problem, in the mean over the run."""
    values: float
    """The number of different values for each model asked."""
    reliability: float
    """The summed log odds of the accuracy of its models, samples of one model counted as fewer."""
    best_accuracy: float
    """The accuracy of the best of its models."""
    proved: float
    """The share of the pairs of its models that UT-3 confirms."""
    clique: float
    """The share of models in the largest clique of its models."""
    logic: float
    """The share of the pairs of its models that UT-3 refutes by logic."""
    rounding: float
    """1 where two of its models differ by rounding."""
    witnesses: float
    """The logarithm of the number of independent models that are as good as its models, which may be samples of one."""
    posterior: float
    """The log odds of its probability by the model of writers and questions."""
    few: float
    """How far the problems of the run are below FEW_PROBLEMS: 0 from so many on, 1 for none."""
    unused: float
    """The share of the question's numbers that are no input on which the answer of a program of its clique depends."""
    numbers: float
    """The number of numbers in the question."""
    inputs: float
    """The median number of inputs that the answers of the programs of its clique depend on."""
    fraction_of_things: float
    """1 where the question asks how many things there are and the answer is a fraction."""
    not_positive: float
    """1 where the answer is zero or less."""


@dataclass(frozen=True, slots=True)
class ProblemFormalizations:
    """The data of the formalization stage about a problem: its question, its answers, its programs and the verdicts of UT-3 by pair."""

    question: str
    answers: ProblemAnswers
    programs: Mapping[str, ProgramRecord]
    verdicts: Mapping[tuple[str, str], Verdict]
    representatives: Mapping[str, str] = field(default_factory=dict)
    _proofs: dict[str, Verdict] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Take note of a verdict for each class that says that two of it are equal."""
        for (left, right), verdict in self.verdicts.items() if self.representatives else ():
            first = self.representatives[left]
            if verdict.status is Status.CONFIRMED and first == self.representatives[right]:
                self._proofs.setdefault(first, verdict)

    def verdict(self, left: str, right: str) -> Verdict | None:
        """Return the verdict of UT-3 on two models in either order, or on the representatives of their classes."""
        known = self.verdicts.get((left, right) if left < right else (right, left))
        if known is not None or not self.representatives:
            return known
        first, second = self.representatives[left], self.representatives[right]
        if first == second:
            # Equality was handed on: a verdict on two equal ones of the class says it.
            return self._proofs.get(first)
        return self.verdicts.get((first, second) if first < second else (second, first))

    def without_solution(self) -> ProblemFormalizations:
        """Return the problem without the answers of programs that restate its worked solution, and so its gold answer."""
        told = {model for model, program in self.programs.items() if _restates_solution(program)}
        support = self.answers.reduced(lambda models: tuple(model for model in models if model not in told)).support
        return replace(self, answers=replace(self.answers, support=support))

    def largest_clique(self, models: Support) -> Support:
        """Return the largest clique of models of which UT-3 confirms each pair; of equal ones the first by name."""
        confirmed = (
            pair
            for pair in (() if self.representatives else itertools.combinations(models, 2))
            if (verdict := self.verdict(*pair)) is not None and verdict.status is Status.CONFIRMED
        )
        return tuple(largest_clique(models, dict.fromkeys(confirmed, 0.0), self.representatives))


SOLUTION_DIALECTS = frozenset({"template", "equation"})
"""The dialects of programs that restate the worked solution or the equation of a problem, where their records do not say whether it was shown."""


def evidence_for(
    value: Exact, problem: ProblemFormalizations, reliability: ModelReliability, posterior: Mapping[Exact, float]
) -> AnswerEvidence:
    """Return the evidence for a value that some model gives, of a problem whose values have the probabilities `posterior`."""
    support = problem.answers.support
    models, rest = support[value], [own for other, own in support.items() if other != value]
    asked = sum(map(len, support.values())) + len(problem.answers.silent)
    own, clique = reliability.independent(models), problem.largest_clique(models)
    pairs = [problem.verdict(left, right) for left, right in itertools.combinations(models, 2)]
    used, numbers = _numbers_used(problem, clique)
    chance = min(max(posterior[value], 1e-4), 1 - 1e-4)  # the log odds stay finite
    return AnswerEvidence(
        share=own / sum([own, *map(reliability.independent, [*rest, problem.answers.silent])]),
        members=math.log(asked),
        agreement=reliability.agreement,
        values=len(support) / asked,
        reliability=reliability.summed_odds(models),
        best_accuracy=max(reliability.accuracy[model] for model in models),
        proved=_share(verdict is not None and verdict.status is Status.CONFIRMED for verdict in pairs),
        clique=len(clique) / asked,
        logic=_share(_has_cause(verdict, CauseKind.LOGIC) for verdict in pairs),
        rounding=float(any(_has_cause(verdict, CauseKind.ROUNDING) for verdict in pairs)),
        witnesses=math.log(own),
        posterior=math.log(chance / (1 - chance)),
        few=max(0.0, 1 - reliability.problems / FEW_PROBLEMS),
        unused=1 - used / numbers if numbers else 0.0,
        numbers=float(numbers),
        inputs=float(statistics.median(len(_used_inputs(problem.programs[model])) for model in clique)),
        fraction_of_things=float(value.denominator != 1 and counted_noun(problem.question) is not None),
        not_positive=float(value <= 0),
    )


def _has_cause(verdict: Verdict | None, kind: CauseKind) -> bool:
    return verdict is not None and verdict.cause is not None and verdict.cause.kind is kind


def _share(holds: Iterable[bool]) -> float:
    return statistics.fmean([*holds] or [0.0])


def _restates_solution(program: ProgramRecord) -> bool:
    return program.dialect in SOLUTION_DIALECTS if program.saw_solution is None else program.saw_solution


def _used_inputs(program: ProgramRecord) -> list[Fraction]:
    """Return the values of the inputs that the answer of a program depends on."""
    return [Fraction(given.value) for given in program.parameters if not given.idle]


def _numbers_used(problem: ProblemFormalizations, clique: Sequence[str]) -> tuple[int, int]:
    """Return how many of the question's numbers the program of a clique that depends on most of them has as inputs, and how many there are."""
    readings = [frozenset(map(Fraction, mention.readings)) for mention in mentions(problem.question)]
    inputs = [set(_used_inputs(problem.programs[model])) for model in clique]
    return max((sum(bool(own & given) for own in readings) for given in inputs), default=0), len(readings)
