"""The evidence of the language model: always the same features, all finite, and moved by what they are named for."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite

import pytest

from harness.solution.labels import ErrorClass
from sft.models.line_marks import Mark
from sft.samples.solution_text import read_item
from sft.verifier.case import EVIDENCE, Case
from sft.verifier.evidence.likelihood import likelihood
from sft.verifier.model_scores import MARKED, TWIN, PlaceScore, Scores, Twin
from tests.cases import cases

ITEM = read_item("How many?", "1 + 1 = 2\n2 + 2 = 4\n#### 4")


def _marks(right: float, mark: Mark = Mark.CONCEPTUAL) -> dict[Mark, float]:
    return {each: right if each is Mark.RIGHT else 1 - right if each is mark else 0.0 for each in Mark}


def _scores(*rights: float, twins: tuple[Twin, ...] = ()) -> Scores:
    names = ("L1", "L2", "FA")
    places = tuple(PlaceScore(name, _marks(right), -4.0, 6) for name, right in zip(names, rights, strict=False))
    return Scores(places, twins)


TWINS = (
    Twin("L1", "1 * 1 = 1", "operator", "+ -> *", gain=3.0, step=2.0, right=0.95),
    Twin("L2", "2 * 2 = 4", "operand", "2 -> 3", gain=-3.0, step=-2.0, right=0.2),
    Twin("FA", "2", "answer", "4 -> 2", gain=-1.0, step=-1.0, right=0.5),
)


@cases(
    "scores",
    [
        None,
        Scores(()),
        _scores(0.9, 0.8, 0.7),
        _scores(0.9, twins=TWINS),
        _scores(0.0, 1.0, 0.0, twins=TWINS),
        _scores(
            0.9, 0.9, 0.9, twins=tuple(replace(twin, gain=gain, right=0.0) for twin in TWINS for gain in (1e9, -1e9))
        ),
    ],
)
def test_features_are_named_alike_and_finite(scores: Scores | None) -> None:
    """Whatever the model said, or if none did, the same names have finite values."""
    features = likelihood(Case(ITEM, scores)).features
    assert list(features) == list(likelihood(Case(ITEM, _scores(0.5, 0.5, 0.5, twins=TWINS))).features)
    assert all(isfinite(value) for value in features.values())


def test_it_is_registered_as_what_needs_scores() -> None:
    """A verifier without a model knows not to ask it."""
    assert EVIDENCE.require("likelihood").needs_scores


@pytest.mark.parametrize("name", ["flawed", "flawed_reasoning", "hazard_max", "hazard_mean"])
def test_a_higher_hazard_speaks_for_an_error(name: str) -> None:
    """What sums up marks grows with the probability of a mark other than right."""
    low, high = (likelihood(Case(ITEM, _scores(0.9, right, 0.9))).features[name] for right in (0.8, 0.3))
    assert low < high


@cases("name", ["gain_max", "gain_operator", "doubt_max", "doubt_sum", "mended_likely"])
def test_a_likelier_twin_speaks_for_an_error(name: str) -> None:
    """What sums up twins grows with the gain of one."""
    low, high = (
        likelihood(Case(ITEM, _scores(0.9, 0.9, 0.9, twins=(replace(TWINS[0], gain=gain), *TWINS[1:])))).features[name]
        for gain in (1.0, 5.0)
    )
    assert low < high


def test_a_likelier_and_righter_twin_is_shown_as_the_correction() -> None:
    """A hint quotes the twin; one that is likelier but no righter is not shown, nor is one that is rarer."""
    hints = likelihood(Case(ITEM, _scores(0.3, 0.9, 0.9, twins=TWINS))).shown
    assert [(hint.line, hint.kind, hint.expected) for hint in hints] == [
        ("L1", MARKED, ""),
        ("L1", TWIN, "1 * 1 = 1"),
    ]
    assert {hint.error_class for hint in hints} == {ErrorClass.CONCEPTUAL}
    shown = likelihood(Case(ITEM, _scores(0.99, 0.9, 0.9, twins=TWINS))).shown
    assert not shown
