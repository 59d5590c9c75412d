"""Tests of the ladder on pairs from the corners of the language: no pair that parts is CONFIRMED, no equal one REFUTED.

What a pair does is checked by Python itself, on exact numbers; a feature that is not translated may only make a verdict UNKNOWN.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import pytest

from harness.domain import Response, Status, Verdict
from harness.program.candidate import read_candidate
from oracles.alignment.parameter_matching import align
from oracles.equivalence.ladder import EquivalenceJudge
from tests.cases import cases
from tests.oracles.equivalence.exact_solver import compiled_solver, solver_answer
from tests.oracles.equivalence.language_pairs import EQUAL, PARTING, SEARCHED_EQUAL, SEARCHED_PARTING

INPUTS = "a: int = 7, b: int = 3, c: float = 2.5"
LEAST_CONFIRMED = 32
"""How many of the equal pairs that need no search are proved, at least."""


def _code(pair: str) -> str:
    before, _, body = pair.rpartition("---\n")
    lines = body.split("\n") if "return " in body else [f"return {body}"]
    return "\n".join([before.rstrip(), f"def solve({INPUTS}):", *(f"    {line}" for line in lines), ""])


@cache
def _judged(left: str, right: str, turned: bool = False) -> Verdict:
    if turned:
        left, right = right, left
    sides = [read_candidate(Response("p", name, _code(body))) for name, body in (("left", left), ("right", right))]
    first, second = (() if side.program is None else side.program.parameters for side in sides)
    alignments = align(first, second, lambda name, other: float(name == other))
    return EquivalenceJudge("p").judge(*sides, alignments)


def _point(values: tuple[int, int, str]) -> dict[str, Fraction]:
    return {name: Fraction(value) for name, value in zip("abc", values, strict=True)}


either_side = pytest.mark.parametrize(
    "turned", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["as-written", "turned"]
)
"""`make test` asks for one order of a pair: that the order changes no status is a law of its own (`test_ladder.py`)."""


@either_side
@cases("case", PARTING)
def test_what_parts_is_not_confirmed(case: str, turned: bool) -> None:
    """Two bodies that part at a known point are not CONFIRMED, on either side."""
    assert _judged(*PARTING[case][:2], turned).status is not Status.CONFIRMED


@either_side
@cases("case", EQUAL)
def test_what_is_equal_is_not_refuted(case: str, turned: bool) -> None:
    """Two bodies that compute the same are not REFUTED, on either side."""
    assert _judged(*EQUAL[case], turned).status is not Status.REFUTED


def test_most_equal_pairs_are_proved() -> None:
    """The judge does decide: most equal pairs without loops of open length are CONFIRMED."""
    assert sum(_judged(*pair).status is Status.CONFIRMED for pair in EQUAL.values()) >= LEAST_CONFIRMED


@pytest.mark.slow
@cases("turned", [False, True])
@cases("case", SEARCHED_PARTING)
def test_what_parts_far_away_is_not_confirmed(case: str, turned: bool) -> None:
    """Two bodies whose difference takes a search are not CONFIRMED, on either side."""
    assert _judged(*SEARCHED_PARTING[case][:2], turned).status is not Status.CONFIRMED


@pytest.mark.slow
@cases("turned", [False, True])
@cases("case", SEARCHED_EQUAL)
def test_what_takes_a_search_is_not_refuted(case: str, turned: bool) -> None:
    """Two bodies that are equal, which takes a search, are not REFUTED, on either side."""
    assert _judged(*SEARCHED_EQUAL[case], turned).status is not Status.REFUTED


@cases("case", {**PARTING, **SEARCHED_PARTING})
def test_what_parts_does_so_in_python(case: str) -> None:
    """Python itself gives two answers at the known point."""
    left, right, values = {**PARTING, **SEARCHED_PARTING}[case]
    answers = [solver_answer(compiled_solver(_code(body)), _point(values)) for body in (left, right)]
    assert answers[0] != answers[1]


@cases("case", {**EQUAL, **SEARCHED_EQUAL})
def test_what_is_equal_is_so_in_python(case: str) -> None:
    """Python itself gives the same answers at random points."""
    random, solvers = Random(case), [compiled_solver(_code(body)) for body in {**EQUAL, **SEARCHED_EQUAL}[case]]
    for _ in range(12):
        point = _point(
            (random.randint(1, 30), random.randint(1, 12), f"{random.randint(1, 60)}/{random.choice((1, 2, 10))}")
        )
        assert solver_answer(solvers[0], point) == solver_answer(solvers[1], point), point
