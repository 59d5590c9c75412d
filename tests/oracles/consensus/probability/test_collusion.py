"""Models that collude: planted groups are found and lower the probability, independent models of one difficulty are no group."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from harness.records.formalization import ProbabilityBasis
from oracles.consensus.probability.answer_evidence import likeliest
from oracles.consensus.probability.collusion import colluding_groups, outside_voices
from oracles.consensus.probability.fitted_weights import shipped_weights
from oracles.consensus.probability.model_reliability import estimate_reliability
from oracles.consensus.probability.oracle_probability import gold_doubts, probabilities
from tests.cases import cases
from tests.oracles.consensus.probability.test_oracle_probability import RIGHT, answers_of, assessed, judged, planted

if TYPE_CHECKING:
    from oracles.consensus.probability.model_reliability import ProblemAnswers

COLLUDED = 13
PROBLEMS = 150
FEW = [(1, 6, 0.4), (2, 4, 0.25), (3, 4, 0.25), (3, 6, 0.25), (2, 3, 0.5)]
MANY = [(good, bad, share) for good in (2, 3, 5) for bad in (2, 3, 4, 5, 6) for share in (0.3, 0.5)]


def run_with_collusion(
    good: int, bad: int, share: float, *, seed: int = 0, accuracy: float = 0.85
) -> tuple[dict[str, ProblemAnswers], set[str]]:
    """Return answers, and the problems on which the models `b0`, `b1`, … give one wrong value.

    Elsewhere they are as good as the models `a0`, `a1`, …, on easy and on hard problems; a third of the wrong answers to a problem are equal.
    """
    rng = Random(f"{good} {bad} {share} {seed}")
    models = [*(f"a{number}" for number in range(good)), *(f"b{number}" for number in range(bad))]
    answers, colluded = {}, set()
    for number in range(PROBLEMS):
        chance = 1 / (1 + math.exp(-1.3 * math.log(accuracy / (1 - accuracy)) - rng.gauss(0, 1.2)))
        values = {
            model: RIGHT if rng.random() < chance else 40 if rng.random() < 1 / 3 else rng.randrange(100, 130)
            for model in models
        }
        if rng.random() < share:
            colluded.add(f"p{number:03}")
            values |= {model: COLLUDED for model in models if model.startswith("b")}
        answers[f"p{number:03}"] = answers_of(values)
    return answers, colluded


def believed(good: int, bad: int, share: float, *, seed: int = 0) -> dict[str, float]:
    """Return the probability of each colluded value that is the likeliest of its problem."""
    answers, colluded = run_with_collusion(good, bad, share, seed=seed)
    posterior = estimate_reliability(answers).posterior
    return {
        name: probability.p_right
        for name, probability in judged(answers).items()
        if name in colluded and likeliest(answers[name], posterior[name]) == COLLUDED
    }


@cases("good, bad, share", FEW)
def test_a_group_that_shares_wrong_answers_is_found_and_not_believed(good: int, bad: int, share: float) -> None:
    """The group is found whether or not it outnumbers the good models, and no other; what it shares is less probable than one half."""
    answers, colluded = run_with_collusion(good, bad, share)
    models = sorted({model for own in answers.values() for support in own.support.values() for model in support})
    supports = [own.support for own in answers.values()]
    assert colluding_groups(models, supports) == [tuple(f"b{number}" for number in range(bad))]
    assert max(believed(good, bad, share).values(), default=0.0) < 0.5
    doubts = gold_doubts(assessed(answers, known=dict.fromkeys(answers, RIGHT)).items())
    assert good < 2 or not doubts.keys() & colluded


@cases("bad", [2, 5])
@cases("copied", [1.0, 0.7])
def test_nothing_is_certain_against_the_only_other_voice(bad: int, copied: float) -> None:
    """What colluding models give against one good model never reaches 0.99, and what is lowered for it says what it would be."""
    rng = Random(f"{bad} {copied}")
    answers, colluded = {}, set()
    for number in range(PROBLEMS):
        models = ["a0", *(f"b{other}" for other in range(bad))]
        values = {model: RIGHT if rng.random() < 0.8 else rng.randrange(100, 130) for model in models}
        if rng.random() < 0.3:
            colluded.add(f"p{number:03}")
            values |= {model: COLLUDED for model in models[1:] if rng.random() < copied}
        answers[f"p{number:03}"] = answers_of(values)
    assessments = assessed(answers)
    found = probabilities(assessments.items())
    wrong = [name for name in colluded if assessments[name].value == COLLUDED and found[name].p_right >= 0.99]
    lowered = {name: own for name, own in found.items() if own.independent is not None}
    assert (wrong, copied < 1 or bool(lowered)) == ([], True)
    for name, own in found.items():
        expected = round(shipped_weights("answer").probability(assessments[name].evidence), 4)
        assert (own.independent or own.p_right) == expected
        assert own.independent is None or own.p_right < expected


@cases("models", [3, 5, 8])
@cases("accuracy", [0.5, 0.7, 0.9])
def test_independent_models_do_not_collude(models: int, accuracy: float) -> None:
    """However hard the problems and however often programs and wrong answers are the same, independent models are no group."""
    names = [f"a{number}" for number in range(models)]
    for seed in range(3):
        answers, _ = run_with_collusion(models, 0, 0, seed=seed, accuracy=accuracy)
        supports, shared = [own.support for own in answers.values()], with_programs(answers, set(), seed=seed)
        assert colluding_groups(names, supports) == []
        assert colluding_groups(names, supports, [own.forms for own in shared.values()]) == []
        assert max(voice.collusion for voice in outside_voices(names, supports).values()) == 0


def with_programs(
    answers: dict[str, ProblemAnswers], colluded: set[str], *, seed: int = 0
) -> dict[str, ProblemAnswers]:
    """Return the answers with the forms of their programs: two of one value are often the same, those of models that collude always."""
    rng = Random(f"programs {seed}")
    written = {}
    for name, own in answers.items():
        forms = {
            model: f"{value} {rng.randrange(3)}"
            for value, models in own.support.items()
            for model in models
            if rng.random() < 0.8
        }
        if name in colluded:
            forms |= {model: "colluded" for models in own.support.values() for model in models if model.startswith("b")}
        written[name] = replace(own, forms=forms)
    return written


@pytest.mark.slow
@cases("good, bad, share", MANY)
def test_what_is_shared_on_many_problems_is_never_kept(good: int, bad: int, share: float) -> None:
    """From three tenths of the problems on, no value that 2 to 6 models share against 2 to 5 others reaches a probability of 0.99."""
    for seed in range(2):
        assert max(believed(good, bad, share, seed=seed).values(), default=0.0) < 0.99


@cases("models, problems", [(1, 5), (1, 30), (2, 5), (2, 10), (3, 10), (5, 10), (11, 5)])
def test_small_runs_are_never_certain(models: int, problems: int) -> None:
    """One model, or few problems, never give 0.99, whatever the models' accuracies, and one model alone gives the prior."""
    for seed in range(4):
        rng = Random(f"{models} {problems} {seed}")
        own = planted(
            {f"a{number}": rng.uniform(0.4, 0.97) for number in range(models)}, {}, problems=problems, seed=seed
        )
        found = judged(own).values()
        assert max(probability.p_right for probability in found) < 0.99
        assert models > 1 or {probability.basis for probability in found} == {ProbabilityBasis.PRIOR}
