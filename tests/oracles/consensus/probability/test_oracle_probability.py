"""The probability that an oracle is right: planted models of known accuracy, copies, renaming, small runs, known answers."""

import itertools
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from harness.domain import Problem, Response, Status, Verdict
from harness.program.lifter import read_candidate
from harness.records.formalization import ProbabilityBasis
from oracles.consensus.probability.answer_evidence import ProblemFormalizations, evidence_for
from oracles.consensus.probability.answer_model import ProblemAnswers
from oracles.consensus.probability.model_reliability import FEW_PROBLEMS, estimate_reliability
from oracles.consensus.probability.oracle_probability import (
    AnswerAssessment,
    OracleProbability,
    assess,
    calibration_records,
    gold_doubts,
    probabilities,
    public_calibration,
    shipped_weights,
)
from properties.stages.program_records import program_record
from tests.cases import cases

RIGHT = 42
PROBLEMS = 150
ACCURACIES = {"a": 0.9, "b": 0.8, "c": 0.75, "d": 0.7, "e": 0.6}
CODE = "def solve(apples: int = 6, bags: int = 7):\n    return apples * bags\n"
PROGRAM = program_record(
    Problem("p", "Tom has 6 bags of 7 apples. How many?", "", None),
    "a",
    read_candidate(Response("p", "a", CODE, "parametric")),
)
ANNOTATIONS = "annotations"
SOLUTION = replace(PROGRAM, dialect="template")
"""The program of the model `annotations`, which restates the worked solution."""


def planted(
    accuracies: Mapping[str, float], copies: Mapping[str, str], *, problems: int = PROBLEMS, seed: int = 0
) -> dict[str, ProblemAnswers]:
    """Return the answers of independent models that are right as often as told, and of models that copy another."""
    rng = Random(f"planted:{seed}")
    answers = {}
    for number in range(problems):
        values = {
            model: RIGHT if rng.random() < accuracy else rng.choice([40, 41, 43, 44, 45, 46, 47])
            for model, accuracy in accuracies.items()
        }
        values |= {copy: values[original] for copy, original in copies.items()}
        answers[f"p{number:03}"] = answers_of(values)
    return answers


def answers_of(values: Mapping[str, int | None]) -> ProblemAnswers:
    """Return the answers of models with a value, and the silent ones."""
    given = sorted({value for value in values.values() if value is not None})
    support = {value: tuple(sorted(model for model, own in values.items() if own == value)) for value in given}
    return ProblemAnswers(support, tuple(sorted(model for model, value in values.items() if value is None)))


def confirmed(answers: ProblemAnswers) -> dict[tuple[str, str], Verdict]:
    """Return the verdicts of UT-3 where models that give one value are equal programs."""
    return {
        pair: Verdict("ut3", "p", *pair, Status.CONFIRMED, "normal-form", checked=1)
        for models in answers.support.values()
        for pair in itertools.combinations(models, 2)
    }


def assessed(
    answers: Mapping[str, ProblemAnswers], *, known: Mapping[str, int] | None = None
) -> dict[str, AnswerAssessment]:
    """Return the assessment of each problem, with the gold answer of those that are `known`."""
    reliability = estimate_reliability(answers)
    assessments = {}
    for name, own in answers.items():
        models = [*own.silent, *(model for models in own.support.values() for model in models)]
        programs = dict.fromkeys(models, PROGRAM) | ({ANNOTATIONS: SOLUTION} if ANNOTATIONS in models else {})
        problem = ProblemFormalizations("Tom has 6 bags of 7 apples. How many?", own, programs, confirmed(own))
        right = None if known is None or name not in known else own.support.get(known[name], ())
        assessment = assess(problem, reliability, reliability.posterior[name], right)
        if assessment is not None:
            assessments[name] = assessment
    return assessments


def judged(
    answers: Mapping[str, ProblemAnswers], *, known: Mapping[str, int] | None = None
) -> dict[str, OracleProbability]:
    """Return the probability of each problem, with the gold answer of those that are `known`."""
    return probabilities(assessed(answers, known=known).items())


def test_accuracies_are_recovered_without_gold_answers() -> None:
    """On easy and hard questions, the estimate of each of five independent models is within 0.08 of how often it was made right."""
    rng, answers, right = Random(0), {}, Counter[str]()
    for number in range(400):
        difficulty = rng.gauss(0, 2.5)
        values = {
            model: RIGHT
            if rng.random() < 1 / (1 + math.exp(difficulty - 2.2 * math.log(own / (1 - own))))
            else 40
            if rng.random() < 0.4
            else rng.randrange(100, 130)
            for model, own in ACCURACIES.items()
        }
        right.update(model for model, value in values.items() if value == RIGHT)
        answers[f"p{number:03}"] = answers_of(values)
    estimated = estimate_reliability(answers).accuracy
    assert estimated == pytest.approx({model: right[model] / 400 for model in ACCURACIES}, abs=0.08)


@pytest.mark.parametrize("problems", [1, 5])
def test_models_that_agree_on_a_few_problems_are_witnesses(problems: int) -> None:
    """Good models often agree on a few problems: two of them say more than the prior, four no less than two."""
    four, two = (
        {
            name: own.p_right or 0.0
            for name, own in judged(planted(dict.fromkeys(models, 1.0), {}, problems=problems)).items()
        }
        for models in ("abcd", "ab")
    )
    assert all(four[name] >= two[name] > shipped_weights("answer").prior for name in four)


@pytest.mark.parametrize("problems", [20, 150])
def test_a_model_and_its_copies_give_the_prior(problems: int) -> None:
    """Models that never differ are one witness, however many they are: they give the prior until another one differs somewhere."""
    copies = {"b": "a", "c": "a", "d": "a"}
    answers = planted({"a": 0.8}, copies, problems=problems)
    answers["none"] = answers_of(dict.fromkeys("abcd"))
    assert {(own.basis, own.p_right) for own in judged(answers).values()} == {
        (ProbabilityBasis.PRIOR, shipped_weights("answer").prior)
    }
    differing = answers | {"other": answers_of({"a": 1, "b": 1, "c": 1, "d": 2})}
    few = ProbabilityBasis.FEW_PROBLEMS if len(differing) < FEW_PROBLEMS else ProbabilityBasis.AGREEMENT
    assert {own.basis for own in judged(differing).values()} == {few}


@cases("copies, problems, models", [(1, 20, 2), (3, 20, 4), (1, 40, 4), (3, 40, 2), (3, 40, 3), (9, 20, 2)])
def test_a_copy_changes_no_probability(copies: int, problems: int, models: int) -> None:
    """However many copies a model has, and whether gold answers are known, every answer is as probable as without them."""
    accuracies = dict(zip("abcde"[:models], (0.6, 0.8, 0.7, 0.9, 0.85), strict=False))
    for original in accuracies:
        before = planted(accuracies, {}, problems=problems)
        after = planted(accuracies, {f"x{number}": original for number in range(copies)}, problems=problems)
        for known in (None, dict.fromkeys(before, RIGHT)):
            expected, found = judged(before, known=known), judged(after, known=known)
            assert {name: own.p_right for name, own in found.items()} == pytest.approx(
                {name: own.p_right for name, own in expected.items()}, abs=1e-4
            )


def test_known_answers_correct_a_run_that_is_worse_than_the_public_one() -> None:
    """Models that agree on a wrong answer half the time get a probability near one half once 100 answers are known."""
    rng = Random(7)
    answers, gold = {}, {}
    for number in range(240):
        shared = RIGHT if rng.random() < 0.5 else 13
        answers[f"p{number:03}"] = answers_of({model: shared if rng.random() < 0.9 else 99 for model in "abc"})
        gold[f"p{number:03}"] = RIGHT
    known = {name: value for name, value in gold.items() if name < "p120"}
    unknown = [own.p_right for name, own in judged(answers).items() if name >= "p120"]
    corrected = [own for name, own in judged(answers, known=known).items() if name >= "p120"]
    assert {own.basis for own in corrected} == {ProbabilityBasis.KNOWN_ANSWERS}
    assert sum(unknown) / len(unknown) > 0.75
    share = sum(len(answers[name].support.get(RIGHT, ())) > 1 for name in known) / len(known)
    assert sum(own.p_right for own in corrected) / len(corrected) == pytest.approx(share, abs=0.1)


def test_evidence_is_finite_for_extreme_answers() -> None:
    """Huge, negative and fractional answers, no question and no inputs give evidence and a probability."""
    huge = answers_of({"a": 10**400, "b": -(10**400), "c": 0})
    reliability = estimate_reliability({"p": huge})
    problem = ProblemFormalizations("", huge, dict.fromkeys("abc", PROGRAM), {})
    for value in huge.support:
        evidence = evidence_for(value, problem, reliability, reliability.posterior["p"])
        assert 0 < shipped_weights("answer").probability(evidence) < 1


@pytest.mark.parametrize("shown", [False, True])
def test_a_gold_answer_against_independent_models_is_doubtful(*, shown: bool) -> None:
    """Models that agree on another value make a gold answer doubtful, whether or not one gives it that was shown the solution; copies do not, nor do too few."""
    answers = planted({"a": 0.9, "b": 0.9, "c": 0.9, "d": 0.85}, {"x": "d", "y": "d"})
    cases = {
        "wrong gold": {**dict.fromkeys("abcd", 7), "x": 7, "y": 7},
        "disputed": {"a": RIGHT, "b": RIGHT, "c": 5, "d": 6, "x": 6, "y": 6},
        "copies": {"a": None, "b": None, "c": None, "d": 9, "x": 9, "y": 9},
        "right gold": dict.fromkeys("abcdxy", RIGHT),
    }
    told = {ANNOTATIONS: RIGHT} if shown else {}
    answers |= {name: answers_of({**values, **told}) for name, values in cases.items()}
    assessments = assessed(answers, known=dict.fromkeys(answers, RIGHT)).items()
    doubts = gold_doubts(assessments)
    assert doubts["wrong gold"].value == "7"
    assert doubts["wrong gold"].gold_models == ()
    assert doubts["wrong gold"].witnesses >= 1.5
    assert not doubts.keys() & cases.keys() - {"wrong gold"}
    if shown:
        found = {name: own.p_right for name, own in probabilities(assessments).items()}
        assert found["wrong gold"] < 0.9 < found["right gold"]


def test_a_run_says_on_what_evidence_its_probabilities_rest() -> None:
    """Known answers of the run are the evidence where they changed the weights, each judged without itself; else public programs."""
    answers = planted(ACCURACIES, {}, problems=240)
    known = {name: RIGHT for name in answers if name < "p150"}
    assessments = assessed(answers, known=known).items()
    records = list(calibration_records(assessments, probabilities(assessments)))
    own = [record for record in records if record.basis is ProbabilityBasis.KNOWN_ANSWERS]
    assert sum(record.answers for record in own) == len(known)
    assert "known answers of this run" in own[0].evidence
    unknown = assessed(answers).items()
    assert (
        tuple(calibration_records(unknown, probabilities(unknown))) == public_calibration()[ProbabilityBasis.AGREEMENT]
    )
