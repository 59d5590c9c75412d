"""The probability `p_right` of each problem of a run: its answer assessed with evidence, weighed by fitted weights."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING

from harness.domain import Status
from harness.program.evaluation.evaluator import format_exact
from harness.records.formalization import CalibrationRecord, GoldDoubt, ProbabilityBasis
from oracles.consensus.probability.answer_evidence import ProblemFormalizations, evidence_for, likeliest
from oracles.consensus.probability.fitted_weights import public_calibration, ranges, shipped_weights
from oracles.consensus.probability.model_reliability import ProblemAnswers, without_models

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from harness.domain import Exact, Verdict
    from oracles.consensus.probability.answer_evidence import AnswerEvidence
    from oracles.consensus.probability.fitted_weights import FittedWeights
    from oracles.consensus.probability.model_reliability import ModelReliability, Support

    Assessments = Iterable[tuple[str, "AnswerAssessment"]]
    """Problems with their assessments, which can be iterated again and again."""

SUREST_OF_FEW = 0.985
"""No answer of a run with few problems, or with fewer than three families of models, is more probable."""
DOUBTFUL = 0.9
"""The least probability of another value that makes a gold answer doubtful."""
FOLDS = 5


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """The evidence for the likeliest answer of models that were not shown the gold answer, and whether it is the gold answer."""

    evidence: AnswerEvidence
    right: bool


@dataclass(frozen=True, slots=True)
class AnswerAssessment:
    """The likeliest answer of a problem with its evidence.

    `right` tells whether it is the gold answer, `None` where that is not known; `logic` is the evidence for the logic of
    the formalizations that give the gold answer, `None` where none does or it is not known. `known` is the evidence of
    the problem for problems without a gold answer, `None` where its gold answer is not known or fewer than two
    witnesses did not see it. `witnesses` are the models asked, those that never differ counted as one. `models` give
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
    known: KnownAnswer | None = None


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
    asked = [*given.silent, *itertools.chain.from_iterable(given.support.values())]
    answers = reliability.without_copies(given)
    distinct = replace(problem, answers=answers)
    value = likeliest(answers, posterior)
    likely = AnswerAssessment(
        value,
        given.support[value],
        evidence_for(value, distinct, reliability, posterior),
        len(asked),
        len(reliability.distinct(asked)),
        len(reliability.distinct(answers.support[value])),
        len({reliability.family[model] for model in asked}),
    )
    if right is None:
        return likely
    computing = tuple(model for models in answers.support.values() for model in models if model in right)
    logic = _evidence_for_logic(distinct, reliability, posterior, computing) if computing else None
    return replace(
        likely,
        gold_models=right,
        right=bool(set(given.support[value]) & set(right)),
        logic=logic,
        known=_known_answer(problem.without_solution(), reliability, right),
    )


def _known_answer(problem: ProblemFormalizations, reliability: ModelReliability, right: Support) -> KnownAnswer | None:
    problem = replace(problem, answers=reliability.without_copies(problem.answers))
    support = problem.answers.support
    asked = [*problem.answers.silent, *itertools.chain.from_iterable(support.values())]
    if len(reliability.distinct(asked)) < 2 or not support:
        return None
    posterior = reliability.posterior_of(problem.answers)
    value = likeliest(problem.answers, posterior)
    return KnownAnswer(evidence_for(value, problem, reliability, posterior), bool(set(support[value]) & set(right)))


def probabilities(assessments: Assessments) -> dict[str, OracleProbability]:
    """Return the probability of each problem that has one: where the answer is known, some model must give it.

    Where the gold answer is known, `p_right` is the probability that the logic of the formalizations that give it is right;
    where it is not, that the likeliest answer is the right one. Enough known answers of the run shift the weights of the latter.
    One model, or without a gold answer models that never differ, are one witness: there is no agreement to judge by, but the prior.
    """
    shipped, logic = shipped_weights("answer"), shipped_weights("logic")
    known = (own.known for _, own in assessments)
    weights = shipped.shifted([(own.evidence, own.right) for own in known if own is not None])
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
            found[problem_id] = _probability(logic, own.logic, own.asked, ProbabilityBasis.GOLD_ANSWER)
    return found


def calibration_records(
    assessments: Assessments, probabilities: Mapping[str, OracleProbability]
) -> Iterator[CalibrationRecord]:
    """Yield the calibration of each basis that the probabilities of a run have.

    Where known answers of the run shifted the weights, each known answer is judged by weights that were shifted without it.
    """
    bases = {probability.basis for probability in probabilities.values()}
    if ProbabilityBasis.KNOWN_ANSWERS in bases:
        known = [
            (own.known.evidence, own.known.right) for _, own in sorted(assessments, key=itemgetter(0)) if own.known
        ]
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
    """Return the problems whose gold answer is doubtful: independent models agree on another value, which would be right with DOUBTFUL.

    The weights are those that shipped, since known answers of the run are what is in doubt.
    """
    doubts = {}
    weights = shipped_weights("answer")
    for problem_id, assessment in assessments:
        if assessment.right is False and assessment.witnesses > 1:
            judged = _probability(weights, assessment.evidence, assessment.witnesses, ProbabilityBasis.AGREEMENT)
            if judged.p_right >= DOUBTFUL and assessment.agreeing > 1:
                doubts[problem_id] = GoldDoubt(
                    value=format_exact(assessment.value),
                    models=assessment.models,
                    witnesses=round(math.exp(assessment.evidence.witnesses), 2),
                    gold_models=assessment.gold_models,
                    p_right=judged.p_right,
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
    rest = without_models(problem.answers, right).support
    merged = ProblemAnswers({**rest, value: tuple(sorted(right))}, problem.answers.silent)
    return evidence_for(value, replace(problem, answers=merged), reliability, posterior)
