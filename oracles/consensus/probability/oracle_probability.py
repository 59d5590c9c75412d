"""The probability `p_right` of each problem of a run: its answer assessed with evidence, weighed by fitted weights, and its calibration."""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import itemgetter
from pathlib import Path

from harness.domain import Exact, Status, Verdict
from harness.program.evaluation.evaluator import format_exact
from harness.records.formalization import CalibrationRecord, GoldDoubt, ProbabilityBasis
from oracles.consensus.probability.answer_evidence import AnswerEvidence, ProblemFormalizations, evidence_for
from oracles.consensus.probability.answer_model import ProblemAnswers, Support
from oracles.consensus.probability.model_reliability import ModelReliability

Assessments = Iterable[tuple[str, "AnswerAssessment"]]
"""Problems with their assessments, which can be iterated again and again."""

SUREST = 0.998
"""No probability is nearer to 0 or 1 than this, because the public programs support no more."""
FEWEST_KNOWN = 100
"""The number of problems with a known answer from which a run shifts the weights."""
HALVINGS, MOST_SHIFT = 40, 20.0
SUREST_OF_FEW = 0.985
"""No answer of a run with few problems, or with fewer than three families of models, is more probable."""
DOUBTFUL = 0.9
"""The least probability of another value that makes a gold answer doubtful."""
RIGHT_GOLD = 0.98
"""The probability that a gold answer is right before programs are read that did not see its solution."""
FOLDS = 5
EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0)
"""The ranges of probability that are counted."""


@dataclass(frozen=True, slots=True)
class FittedWeights:
    """A logistic model of evidence: log odds for a unit of each piece; `prior` is the probability where there is no evidence."""

    prior: float
    intercept: float
    weights: Mapping[str, float]

    def probability(self, evidence: AnswerEvidence) -> float:
        """Return the probability that the evidence speaks for, between 1 - SUREST and SUREST."""
        score = self.intercept + sum(weight * getattr(evidence, name) for name, weight in self.weights.items())
        return min(max(1 / (1 + math.exp(-score)), 1 - SUREST), SUREST)

    def shifted(self, known: Sequence[tuple[AnswerEvidence, bool]]) -> FittedWeights:
        """Return the weights with the intercept that gives the known answers of a run their share of right ones in the mean.

        That share is what runs differ in most. The weights are these ones where too few answers are known, or all are right or wrong.
        """
        right = sum(correct for _, correct in known)
        if len(known) < FEWEST_KNOWN or right in {0, len(known)}:
            return self
        low, high = self.intercept - MOST_SHIFT, self.intercept + MOST_SHIFT
        for _ in range(HALVINGS):
            middle = replace(self, intercept=(low + high) / 2)
            if sum(middle.probability(evidence) for evidence, _ in known) < right:
                low = middle.intercept
            else:
                high = middle.intercept
        return replace(self, intercept=(low + high) / 2)


@cache
def shipped_weights(case: str) -> FittedWeights:
    """Return the weights fitted on public programs: of an `answer` that is not known, or of the `logic` of a known one."""
    with Path(__file__).with_name("fitted_weights.toml").open("rb") as file:
        return FittedWeights(**tomllib.load(file)[case])


def ranges(
    judged: Sequence[tuple[float, bool]], *, basis: ProbabilityBasis, evidence: str
) -> Iterator[CalibrationRecord]:
    """Yield the ranges that hold an answer, of answers with their probability and whether they are right."""
    for low, high in itertools.pairwise(EDGES):
        inside = [pair for pair in judged if low <= pair[0] < high or pair[0] == high == EDGES[-1]]
        if inside:
            yield CalibrationRecord(
                basis=basis,
                evidence=evidence,
                low=low,
                high=high,
                answers=len(inside),
                mean=round(sum(chance for chance, _ in inside) / len(inside), 4),
                right=round(sum(right for _, right in inside) / len(inside), 4),
            )


@cache
def public_calibration() -> dict[ProbabilityBasis, tuple[CalibrationRecord, ...]]:
    """Return the calibration that was measured on public programs, by basis, of weights fitted without their problems and families."""
    with Path(__file__).with_name("calibration.toml").open("rb") as file:
        tables = tomllib.load(file)
    return {
        ProbabilityBasis(name): tuple(
            CalibrationRecord(basis=ProbabilityBasis(name), evidence=table["evidence"], **row)
            for row in table["ranges"]
        )
        for name, table in tables.items()
    }


@dataclass(frozen=True, slots=True)
class AnswerAssessment:
    """The likeliest answer of a problem with its evidence.

    `right` tells whether it is the gold answer, `None` where that is not known; `logic` is the evidence for the logic of
    the formalizations that give the gold answer, `None` where none does or it is not known. `unshown` is the assessment by
    the models that were not shown the worked solution, `None` where the gold answer is not known or they are fewer than two
    witnesses. `witnesses` are the models asked, those that never differ counted as one. `models` give
    the likeliest answer, of which `agreeing` are distinct witnesses, and `gold_models` the gold answer. The models asked are of so many `families`.
    """

    value: Exact
    models: Support
    evidence: AnswerEvidence
    asked: int
    witnesses: int
    agreeing: int
    families: int
    gold_models: Support = ()
    right: bool | None = None
    logic: AnswerEvidence | None = None
    unshown: AnswerAssessment | None = None


@dataclass(frozen=True, slots=True)
class OracleProbability:
    """The probability that a problem's oracle is right, and its basis."""

    p_right: float
    basis: ProbabilityBasis


def right_models(verdicts: Iterable[Verdict]) -> tuple[str, ...] | None:
    """Return the models that UT-1 says give the gold answer, sorted; `None` where no gold answer is known."""
    screened = [verdict for verdict in verdicts if verdict.claim == "ut1"]
    if any(verdict.status is Status.UNKNOWN for verdict in screened):
        return None
    return tuple(sorted(verdict.left for verdict in screened if verdict.status is Status.CONFIRMED))


def likeliest(
    problem: ProblemFormalizations, reliability: ModelReliability, posterior: Mapping[Exact, float]
) -> tuple[Exact, AnswerEvidence]:
    """Return the value that is right with the highest probability, and its evidence; of equal ones that of the highest posterior, of most models, then the smallest.

    The posterior alone, which knows the writers only, does not decide: a negative number of things is seldom right, whoever gives it.
    """
    support, weights = problem.answers.support, shipped_weights("answer")
    evidence = {value: evidence_for(value, problem, reliability, posterior) for value in support}

    def rank(value: Exact) -> tuple[float, float, int, Exact]:
        chance = weights.probability(evidence[value])
        return -round(chance, 9), -round(posterior[value], 9), -len(support[value]), value

    value = min(support, key=rank)
    return value, evidence[value]


def assess(
    problem: ProblemFormalizations,
    reliability: ModelReliability,
    posterior: Mapping[Exact, float],
    right: Support | None,
) -> AnswerAssessment | None:
    """Return the assessment of a problem, `None` where no model gives a value.

    `right` are the models that give the gold answer, `None` where no gold answer is known.
    """
    given = problem.answers
    if not given.support:
        return None
    asked = list(given.models)
    answers = reliability.without_copies(given)
    distinct = replace(problem, answers=answers)
    value, evidence = likeliest(distinct, reliability, posterior)
    likely = AnswerAssessment(
        value,
        given.support[value],
        evidence,
        len(asked),
        len(reliability.distinct(asked)),
        len(reliability.distinct(answers.support[value])),
        len({reliability.family[model] for model in asked}),
    )
    if right is None:
        return likely
    computing = tuple(model for models in answers.support.values() for model in models if model in right)
    logic = _evidence_for_logic(distinct, reliability, posterior, computing) if computing else None
    apart = problem.without_solution()
    unshown = assess(apart, reliability, reliability.posterior_of(apart.answers), None)
    if unshown is not None:
        giving = tuple(model for model in right if model in itertools.chain(*apart.answers.support.values()))
        reached = bool(set(unshown.models) & set(right))
        unshown = replace(unshown, gold_models=giving, right=reached) if unshown.witnesses > 1 else None
    reached = bool(set(likely.models) & set(right))
    return replace(likely, gold_models=right, right=reached, logic=logic, unshown=unshown)


def probabilities(assessments: Assessments) -> dict[str, OracleProbability]:
    """Return the probability of each problem that has one: where the answer is known, some model must give it.

    Where the gold answer is known, `p_right` is the probability that the logic of the formalizations that give it is right, and that
    it is right itself, which is less where models that were not shown its solution agree on another value; where it is not known, that the
    likeliest answer is the right one. Enough known answers of the run shift the weights of the latter.
    One model, or without a gold answer models that never differ, are one witness: there is no agreement to judge by, but the prior.
    """
    shipped, logic = shipped_weights("answer"), shipped_weights("logic")
    weights = shipped.shifted(list(_known_answers(assessments)))
    basis = ProbabilityBasis.AGREEMENT if weights is shipped else ProbabilityBasis.KNOWN_ANSWERS
    found = {}
    for problem_id, own in assessments:
        if own.right is None:
            judged = _probability(weights, own.evidence, own.witnesses, basis)
            if judged.basis is ProbabilityBasis.AGREEMENT and (own.evidence.few > 0 or own.families < 3):
                few = ProbabilityBasis.FEW_PROBLEMS if own.evidence.few > 0 else basis
                judged = OracleProbability(min(judged.p_right, SUREST_OF_FEW), few)
            found[problem_id] = judged
        elif own.logic is not None:
            judged = _probability(logic, own.logic, own.asked, ProbabilityBasis.GOLD_ANSWER)
            found[problem_id] = replace(judged, p_right=round(judged.p_right * _gold_probability(own), 4))
    return found


def _known_answers(assessments: Assessments) -> Iterator[tuple[AnswerEvidence, bool]]:
    """Yield the evidence for the likeliest answer of models that were not shown the solution, and whether it is the gold answer."""
    for _, own in assessments:
        if own.unshown is not None:
            yield own.unshown.evidence, bool(own.unshown.right)


def _probability_against_gold(assessment: AnswerAssessment) -> float:
    """Return how probable another value than the gold answer is, on which models agree that were not shown its solution; 0 where none do.

    The weights are those that shipped, since known answers of the run are what is in doubt. That the value is no whole number
    of things speaks against the question as much as against the models.
    """
    own = assessment.unshown
    if own is None or own.right or own.agreeing < 2:
        return 0.0
    chance = shipped_weights("answer").probability(replace(own.evidence, fraction_of_things=0.0))
    return round(min(chance, SUREST_OF_FEW) if own.evidence.few > 0 else chance, 4)


def _gold_probability(assessment: AnswerAssessment) -> float:
    """Return the probability that a gold answer is right, given what models agree on that were not shown its solution."""
    against = _probability_against_gold(assessment)
    right, wrong = RIGHT_GOLD * (1 - against), (1 - RIGHT_GOLD) * against
    return right / (right + wrong)


def calibration_records(
    assessments: Assessments, probabilities: Mapping[str, OracleProbability]
) -> Iterator[CalibrationRecord]:
    """Yield the calibration of each basis that the probabilities of a run have.

    Where known answers of the run shifted the weights, each known answer is judged by weights that were shifted without it.
    """
    bases = {probability.basis for probability in probabilities.values()}
    if ProbabilityBasis.KNOWN_ANSWERS in bases:
        known = list(_known_answers(sorted(assessments, key=itemgetter(0))))
        judged = [
            (weights.probability(evidence), right)
            for fold in range(FOLDS)
            for weights in [shipped_weights("answer").shifted([p for n, p in enumerate(known) if n % FOLDS != fold])]
            for evidence, right in known[fold::FOLDS]
        ]
        evidence = f"{len(judged):,} known answers of this run, each judged by weights that were fitted without it"
        yield from ranges(judged, basis=ProbabilityBasis.KNOWN_ANSWERS, evidence=evidence)
    for basis, table in public_calibration().items():
        if basis in bases:
            yield from table


def gold_doubts(assessments: Assessments) -> dict[str, GoldDoubt]:
    """Return the problems whose gold answer is doubtful: models that were not shown its solution agree on another value, which is right with DOUBTFUL."""
    doubts = {}
    for problem_id, assessment in assessments:
        against, own = _probability_against_gold(assessment), assessment.unshown
        if own is not None and against >= DOUBTFUL:
            doubts[problem_id] = GoldDoubt(
                value=format_exact(own.value),
                models=own.models,
                witnesses=round(math.exp(own.evidence.witnesses), 2),
                gold_models=own.gold_models,
                p_right=against,
            )
    return doubts


def _probability(
    weights: FittedWeights, evidence: AnswerEvidence, witnesses: int, basis: ProbabilityBasis
) -> OracleProbability:
    """Return the probability that evidence speaks for; where there is one witness alone, the prior."""
    if witnesses == 1:
        return OracleProbability(weights.prior, ProbabilityBasis.PRIOR)
    return OracleProbability(round(weights.probability(evidence), 4), basis)


def _evidence_for_logic(
    problem: ProblemFormalizations, reliability: ModelReliability, posterior: Mapping[Exact, float], right: Support
) -> AnswerEvidence:
    """Return the evidence for the models that give the gold answer, whose values may be readings of it, as one answer."""
    support = problem.answers.support
    value = max(support, key=lambda value: (len(set(support[value]) & set(right)), value))
    rest = problem.answers.reduced(lambda models: tuple(model for model in models if model not in right)).support
    merged = ProblemAnswers({**rest, value: tuple(sorted(right))}, problem.answers.silent)
    return evidence_for(value, replace(problem, answers=merged), reliability, posterior)
