"""What further answers are worth: laws on planted models, with and without a gold answer."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from harness.domain import Status, Verdict
from harness.records.formalization import ProbabilityBasis
from oracles.consensus.probability.answer_evidence import ProblemFormalizations, ReadProgram
from oracles.consensus.probability.fitted_weights import shipped_weights
from oracles.consensus.probability.model_reliability import ModelReliability, ProblemAnswers
from oracles.consensus.probability.oracle_probability import RunWeights
from oracles.consensus.probability.value_of_information import OpenProblem, ValueOfInformation

if TYPE_CHECKING:
    from collections.abc import Mapping

WEIGHTS = RunWeights(shipped_weights("answer"), shipped_weights("logic"), ProbabilityBasis.AGREEMENT)
ASKED = "abcd"


PROGRAM = ReadProgram("parametric", (6, 7))


def problem(values: Mapping[str, int | None], right: tuple[str, ...] | None = None) -> OpenProblem:
    """Return a problem whose programs of one value are equal."""
    support = {
        value: tuple(sorted(model for model, own in values.items() if own == value))
        for value in sorted({value for value in values.values() if value is not None})
    }
    answers = ProblemAnswers(support, tuple(sorted(model for model, value in values.items() if value is None)))
    verdicts = {
        pair: Verdict("ut3", "p", *pair, Status.CONFIRMED, "normal-form")
        for models in support.values()
        for pair in itertools.combinations(models, 2)
    }
    programs = {model: PROGRAM for models in support.values() for model in models}
    return OpenProblem(ProblemFormalizations("Tom has 6 bags of 7 apples.", answers, programs, verdicts), right)


def value(*, new: float = 0.9, repetition: float = 0.0, threshold: float = 0.95) -> ValueOfInformation:
    """Return the value of information in a run of four models of accuracy 0.85, and of `new` and `next` of another."""
    known = ModelReliability(dict.fromkeys(ASKED, 0.85))
    for name in ("new", "next"):
        known = known.joined_by(name, new, {"a": repetition} if name == "new" else {})
    return ValueOfInformation(known, WEIGHTS, threshold)


DISPUTED = problem({"a": 42, "b": 42, "c": 42, "d": 13})


def threshold_above(open_problem: OpenProblem) -> float:
    """Return a threshold that a problem is a little below."""
    return min(value().probability(open_problem) + 0.02, 0.998)


def test_a_disputed_problem_gains_and_a_kept_one_does_not() -> None:
    """An answer gains where it may lift a problem over the threshold; where the problem is kept already, next to nothing is to be gained."""
    below, above = (
        value(threshold=threshold).gains(DISPUTED, ["new"])[0] for threshold in (threshold_above(DISPUTED), 0.6)
    )
    assert 0.3 < below <= 1
    assert above < 0.05


def test_a_reliable_model_gains_more() -> None:
    """The more often a model is right, the more its answer gains."""
    threshold = threshold_above(DISPUTED)
    gains = [value(new=new, threshold=threshold).gains(DISPUTED, ["new"])[0] for new in (0.3, 0.6, 0.9)]
    assert gains == sorted(gains)
    assert gains[0] < gains[-1]


def test_a_model_that_repeats_another_gains_nothing() -> None:
    """What a copy of a model says is known, and moves nothing as far as an independent answer does."""
    threshold = threshold_above(DISPUTED)
    independent, copy = (
        value(repetition=repetition, threshold=threshold).probability(
            problem({"a": 42, "b": 42, "c": 42, "d": 13, "new": 42})
        )
        for repetition in (0.0, 1.0)
    )
    assert copy < independent


def test_two_answers_reach_what_one_cannot() -> None:
    """Where one answer is too few to be sure, two together gain."""
    open_problem = problem({"a": 42, "b": 13})
    reached = [
        value().probability(problem({"a": 42, "b": 13, **dict.fromkeys(names, 42)}))
        for names in ((), ("new",), ("new", "next"))
    ]
    assert reached == sorted(reached)
    first, second = value(threshold=(reached[1] + reached[2]) / 2).gains(open_problem, ["new", "next"])
    assert first == 0
    assert second > 0.05


@pytest.mark.parametrize("right", [None, (), ("a",), ("a", "b", "c")])
@pytest.mark.parametrize("values", [{"a": 42, "b": 42, "c": 42, "d": 13}, dict.fromkeys(ASKED), {"a": 42}])
def test_gains_are_between_what_is_lost_and_what_is_there(
    values: Mapping[str, int | None], right: tuple[str, ...] | None
) -> None:
    """No answer and no look gains more than one problem, whatever was answered, with the gold answer or without."""
    own = problem(values, None if right is None else tuple(model for model in right if values.get(model) == 42))
    information = value(threshold=0.9)
    for gain in [*information.gains(own, ["new", "next"]), information.gain_of_a_look(own)]:
        assert -information.worth(own) - 1e-9 <= gain <= 1 - information.worth(own) + 1e-9
