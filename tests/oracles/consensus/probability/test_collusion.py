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


def partly_colluding(
    bad: int, copied: float, *, hardest: bool, seed: int = 0
) -> tuple[dict[str, ProblemAnswers], set[str]]:
    """Return answers of one good model and of others that give one wrong value on three tenths of the problems, each with the probability `copied`.

    The problems are drawn by lot, or they are the hardest ones.
    """
    rng = Random(f"{bad} {copied} {hardest} {seed}")
    models = ["a0", *(f"b{number}" for number in range(bad))]
    hardness = [rng.gauss(0, 1.2) for _ in range(PROBLEMS)]
    hard = sorted(hardness)[-PROBLEMS * 3 // 10]
    answers, colluded = {}, set()
    for number, own in enumerate(hardness):
        chance = 1 / (1 + math.exp(-1.3 * math.log(0.85 / 0.15) + own))
        values = {
            model: RIGHT if rng.random() < chance else 40 if rng.random() < 1 / 3 else rng.randrange(100, 130)
            for model in models
        }
        if own >= hard if hardest else rng.random() < 0.3:
            colluded.add(f"p{number:03}")
            values |= {model: COLLUDED for model in models[1:] if rng.random() < copied}
        answers[f"p{number:03}"] = answers_of(values)
    return answers, colluded


def groups_among(models: list[str], answers: dict[str, ProblemAnswers]) -> list[tuple[str, ...]]:
    """Return the groups that are found."""
    return colluding_groups(models, [own.support for own in answers.values()])


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
def test_models_that_share_wrong_answers_are_found(good: int, bad: int, share: float) -> None:
    """The group that shares wrong answers is found, whether or not it outnumbers the good models, and no other one."""
    answers, _ = run_with_collusion(good, bad, share)
    models = [*(f"a{number}" for number in range(good)), *(f"b{number}" for number in range(bad))]
    assert groups_among(models, answers) == [tuple(f"b{number}" for number in range(bad))]


@cases("good, bad, share", FEW)
def test_colluding_models_lower_the_probability(good: int, bad: int, share: float) -> None:
    """What colluding models share is less probable than one half, although it may be the likeliest value of its problem."""
    assert max(believed(good, bad, share).values(), default=0.0) < 0.5


@cases("bad", [2, 5])
@cases("copied, hardest", [(1.0, False), (1.0, True), (0.7, False)])
def test_nothing_is_certain_against_the_only_other_voice(bad: int, copied: float, hardest: bool) -> None:
    """What two to five colluding models give against one good model never reaches 0.99, where they copy in part or the hardest problems, too."""
    answers, colluded = partly_colluding(bad, copied, hardest=hardest)
    posterior = estimate_reliability(answers).posterior
    assert [
        (name, own.p_right)
        for name, own in judged(answers).items()
        if name in colluded and likeliest(answers[name], posterior[name]) == COLLUDED and own.p_right >= 0.99
    ] == []


@cases("bad", [2, 5])
@cases("hardest", [False, True])
def test_a_lowered_probability_says_what_it_would_be(bad: int, hardest: bool) -> None:
    """What is lowered since the models that agree may be one group says so, what is not says nothing; without a doubt it would be the weights' own."""
    answers, _ = partly_colluding(bad, 1.0, hardest=hardest)
    assessments = assessed(answers)
    lowered = {name: own for name, own in probabilities(assessments).items() if own.independent is not None}
    expected = {
        name: round(shipped_weights("answer").probability(own.evidence), 4) for name, own in assessments.items()
    }
    assert lowered
    assert {name: own.independent for name, own in lowered.items()} == {name: expected[name] for name in lowered}
    assert [name for name, own in lowered.items() if own.p_right >= expected[name]] == []
    assert [
        name for name, own in judged(answers).items() if name not in lowered and own.p_right != expected[name]
    ] == []


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
@cases("good, bad", [(1, 2), (1, 4), (2, 3), (2, 6), (3, 2), (3, 6)])
@cases("share", [0.1, 0.2])
def test_equal_programs_that_nobody_supports_are_found_on_few_problems(good: int, bad: int, share: float) -> None:
    """Models that share wrong programs on a tenth of the problems or a fifth are one witness, beside one good model, too: nothing of it is kept."""
    answers, colluded = run_with_collusion(good, bad, share)
    shared = with_programs(answers, colluded)
    posterior = estimate_reliability(shared).posterior
    assert [
        (name, own.p_right)
        for name, own in judged(shared).items()
        if name in colluded and likeliest(shared[name], posterior[name]) == COLLUDED and own.p_right >= 0.99
    ] == []


@cases("models", [3, 5, 8])
@cases("accuracy", [0.5, 0.7, 0.9])
def test_programs_of_independent_models_are_no_collusion(models: int, accuracy: float) -> None:
    """However often their programs are the same, independent models are no group."""
    for seed in range(3):
        answers, _ = run_with_collusion(models, 0, 0, seed=seed, accuracy=accuracy)
        shared = with_programs(answers, set(), seed=seed).values()
        names = [f"a{number}" for number in range(models)]
        assert colluding_groups(names, [own.support for own in shared], [own.forms for own in shared]) == []


@pytest.mark.slow
@cases("good, bad, share", MANY)
def test_what_is_shared_on_many_problems_is_never_kept(good: int, bad: int, share: float) -> None:
    """From three tenths of the problems on, no value that 2 to 6 models share against 2 to 5 others reaches a probability of 0.99."""
    for seed in range(2):
        assert max(believed(good, bad, share, seed=seed).values(), default=0.0) < 0.99


@cases("models", [3, 5, 8])
@cases("accuracy", [0.5, 0.7, 0.9])
def test_independent_models_do_not_collude(models: int, accuracy: float) -> None:
    """However hard the problems and however many wrong answers are equal, independent models are no group."""
    for seed in range(3):
        answers, _ = run_with_collusion(models, 0, 0, seed=seed, accuracy=accuracy)
        assert groups_among([f"a{number}" for number in range(models)], answers) == []


@cases("models", [3, 5, 8])
@cases("accuracy", [0.5, 0.7, 0.9])
def test_no_voice_is_raised_against_independent_models(models: int, accuracy: float) -> None:
    """However hard the problems, no independent model says of the others that they share what is not true."""
    for seed in range(3):
        answers, _ = run_with_collusion(models, 0, 0, seed=seed, accuracy=accuracy)
        voices = outside_voices([f"a{number}" for number in range(models)], [own.support for own in answers.values()])
        assert max(voice.collusion for voice in voices.values()) == 0


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


def test_colluding_models_cast_no_doubt_on_gold_answers() -> None:
    """Models that collude are one witness, which is too few to doubt a gold answer."""
    answers, colluded = run_with_collusion(2, 4, 0.3)
    doubts = gold_doubts(assessed(answers, known=dict.fromkeys(answers, RIGHT)))
    assert not doubts.keys() & colluded
