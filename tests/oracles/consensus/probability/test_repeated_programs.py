"""Models that hand in the programs of another one are told from independent ones whose programs are often the same."""

from __future__ import annotations

import itertools
import statistics
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, strategies as st

from oracles.consensus.probability.model_reliability import ProblemAnswers, estimate_reliability, problem_answers
from oracles.consensus.probability.repeated_programs import COPY_PRIOR, copy_probabilities, repeated_writers
from tests.cases import cases

SEEDS = st.integers(0, 10**9)


def forms_of(usual: float, noise: dict[str, float], *, writers: int, problems: int, seed: int) -> list[dict[str, str]]:
    """Return the forms of the writers `a0`, `a1`, …, who choose the usual one with a probability, and of models that take over that of `a0` but for some noise."""
    rng = Random(seed)
    rows = []
    for number in range(problems):
        row = {
            f"a{writer}": "usual" if rng.random() < usual else f"own {writer} {number}"
            for writer in range(writers)
            if rng.random() < 0.9
        }
        if "a0" in row:
            row |= {name: f"{name} {number}" if rng.random() < share else row["a0"] for name, share in noise.items()}
        rows.append(row)
    return rows


@cases("noise, problems", [(0.0, 60), (0.02, 100), (0.05, 300)])
@cases("writers", [2, 3, 7])
def test_models_that_hand_in_programs_of_another_one_are_found(noise: float, problems: int, writers: int) -> None:
    """Two models with the programs of a writer, but for up to a twentieth of the problems, are both that writer's, whatever their names."""
    check_copies(noise, problems, writers)


@cases("writers", [3, 7])
def test_more_different_programs_tell_where_others_differ(writers: int) -> None:
    """They may differ on a tenth of the problems where most pairs of the run are no copies."""
    check_copies(0.1, 300, writers)


def check_copies(noise: float, problems: int, writers: int) -> None:
    """Fail if one of two copies is not found, or anything else is."""
    for seed in range(3):
        rows = forms_of(0.5, {"b": noise, "0": noise}, writers=writers, problems=problems, seed=seed)
        found = repeated_writers(sorted({name for row in rows for name in row}), rows)
        assert (found.keys() | set(found.values()), len(found)) == ({"a0", "b", "0"}, 2)


@given(st.floats(0, 0.89), st.integers(2, 9), st.sampled_from([5, 30, 100, 300]), SEEDS)
def test_independent_writers_hand_in_nothing_of_each_other(
    usual: float, writers: int, problems: int, seed: int
) -> None:
    """Writers that choose one form up to nine times in ten, each for itself, are nobody's copies."""
    rows = forms_of(usual, {}, writers=writers, problems=problems, seed=seed)
    assert repeated_writers(sorted({name for row in rows for name in row}), rows) == {}


@given(st.integers(0, 15), SEEDS)
def test_few_problems_tell_nothing(problems: int, seed: int) -> None:
    """On few problems, equal programs are no copies."""
    rows = forms_of(1.0, {"b": 0.0}, writers=2, problems=problems, seed=seed)
    assert repeated_writers(["a0", "a1", "b"], rows) == {}


@cases("writers", [3, 7])
@cases("problems, noise, least", [(12, 0.0, 0.8), (25, 0.05, 0.8), (100, 0.1, 0.9)])
def test_copies_on_few_problems_look_like_copies(problems: int, noise: float, least: float, writers: int) -> None:
    """The mean probability over draws is high for copies, before they are sure to be copies, and low for writers."""
    copies, others = [], []
    for seed in range(20):
        rows = forms_of(0.4, {"b": noise}, writers=writers, problems=problems, seed=seed)
        models = sorted({name for row in rows for name in row})
        found = copy_probabilities(models, rows)
        copies.append(found.pop(("a0", "b")))
        others += [found[pair] for pair in found if "b" not in pair]
    assert statistics.fmean(copies) > least
    assert statistics.fmean(others) < 0.05


@given(st.floats(0, 1), st.integers(0, 300), SEEDS)
def test_probabilities_of_copies_are_those_of_nothing_before_anything_is_seen(
    usual: float, problems: int, seed: int
) -> None:
    """Without forms the probability is that of before; any number of problems leaves it between 0 and 1."""
    rows = forms_of(usual, {}, writers=2, problems=problems, seed=seed)
    (found,) = copy_probabilities(["a0", "a1"], rows).values()
    assert 0 <= found <= 1
    assert copy_probabilities(["a0", "a1"], [{} for _ in rows]) == {("a0", "a1"): pytest.approx(COPY_PRIOR)}


def answers_with_copies(copies: int, seed: int) -> dict[str, ProblemAnswers]:
    """Return the answers of three writers, four in five right (0), to 20 problems, and of copies of `a` that differ on a tenth of them."""
    rng = Random(seed)
    answers = {}
    for number in range(20):
        values = {writer: Fraction(0 if rng.random() < 0.8 else rng.randint(1, 4)) for writer in "abc"}
        forms = {
            writer: f"{value} usual" if rng.random() < 0.5 else f"{writer} own" for writer, value in values.items()
        }
        for copy in map(str, range(copies)):
            differs = rng.random() < 0.1
            values[copy] = Fraction(9 + int(copy)) if differs else values["a"]
            forms[copy] = copy if differs else forms["a"]
        answers[f"{number}"] = problem_answers(values, forms)
    return answers


def test_copies_on_few_problems_add_little_to_wrong_values() -> None:
    """A wrong value of their writer is believed as little beside two copies as without them; by values alone it is believed."""
    believed: dict[int, list[float]] = {0: [], 2: []}
    for copies, seed in itertools.product(believed, range(30)):
        answers = answers_with_copies(copies, seed)
        reliability = estimate_reliability(answers)
        for name, own in answers.items():
            wrong = [value for value, models in own.support.items() if "a" in models and value]
            believed[copies] += [reliability.posterior[name][value] for value in wrong]
    without, beside = map(statistics.fmean, believed.values())
    assert beside < without + 0.15
