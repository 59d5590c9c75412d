"""Tests of counterexamples: the search finds differences within the domain, and the witness is near the problem's own values."""

from fractions import Fraction

import pytest

from harness.domain import Response, WitnessKind
from harness.program.ir import Program
from harness.program.lifter import lift
from oracles.equivalence.counterexample_search import CounterexampleSearch
from oracles.equivalence.input_domain import domain_of
from oracles.equivalence.witness import Witness, nearest_witness
from tests.cases import cases

FAR = 100_000
Point = tuple[int, ...]


def program(expression: str, inputs: str) -> Program:
    """Return the program of an expression."""
    return lift(Response("p", "m", f"def solve({inputs}):\n    return {expression}\n"))


def search(left: str, right: str, inputs: str = "a: int = 6, b: int = 4") -> CounterexampleSearch:
    """Return the search among two expressions of the same inputs, all of them aligned."""
    first, second = program(left, inputs), program(right, inputs)
    domains = [domain_of(parameter) for parameter in first.parameters]
    return CounterexampleSearch(first, second, [(place, place) for place in range(len(domains))], domains)


PARTS = [
    ("1 / (a - 5)", "1", (5, 1), (True, 1, 0)),  # raising where the other gives a value is a difference
    ("1 / (a - 5)", "a % (a - 5)", (5, 1), (False, 1, 0)),  # raising on both sides is none
    ("('x' if a == 5 else a)", "a", (5, 1), (True, 1, 0)),  # so is a result that is no number
    ("a ** (1 / b)", "a", (2, 2), (False, 0, 1)),  # what cannot be evaluated counts neither way
]


@cases("left, right, point, expected", PARTS)
def test_what_has_no_value_is_compared_or_counted_apart(
    left: str, right: str, point: Point, expected: tuple[bool, int, int]
) -> None:
    """An exception on one side parts, on both sides does not, and a point that cannot be evaluated is counted apart."""
    duel = search(left, right)
    assert (duel.parts_at(tuple(map(Fraction, point))), duel.checked, duel.unsupported) == expected


def test_a_counterexample_is_run_again_and_names_both_inputs() -> None:
    """One that does not hold is an error of the machinery; an input is named `left|right` where the names differ."""
    with pytest.raises(AssertionError, match=r"does not hold: both give 5 at \['3', '2'\]"):
        search("a + b", "b + a").counterexample((Fraction(3), Fraction(2)))
    duel = search("a + b", "a - b")
    duel.right = program("a - c", "a: int = 6, c: int = 4")
    example = duel.counterexample((Fraction(3), Fraction(2)))
    assert (dict(example.inputs), example.left, example.right) == ({"a": "3", "b|c": "2"}, "5", "1")


WITNESSES = [
    ("a", "a + 1", "a: int = 6", "6", "OWN_VALUES"),
    ("a * b", "a + b", "a: int = 2, b: int = 2", "3 2", "SENSIBLE"),  # one input moved by one
    ("a - b + 7", "max(a - b, 0) + 7 + (a > 9)", "a: int = 6, b: int = 6", "11 6", "SENSIBLE"),  # none negative
    ("a / 2", "a // 2 + (a > 9)", "a: int = 8", "10", "SENSIBLE"),  # whole counts before fractional ones
    ("a / 2", "a // 2", "a: int = 8", "9", "SENSIBLE"),  # a fractional count where nothing else differs
    ("f * 8", "2", "f: float = 1/4", "1/2", "SENSIBLE"),  # a share stays a share
    ("w * 8", "20", "w: float = 2.5", "3", "SENSIBLE"),  # a weight becomes whole
    ("(a - 4) * (b - 5) + 1", "1", "a: int = 4, b: int = 5", "5 6", "EXTREME"),  # two inputs where needed
    ("n * days_in_week", "n * n + 12", "days_in_week: int = 7, n: int = 3", "7 2", "SENSIBLE"),  # facts stay
    ("hours_per_day * n", "40 * n - 32", "n: int = 2, hours_per_day: int = 24", "3 24", "SENSIBLE"),
    ("days_a_week * 2", "12", "days_a_week: int = 6", "7", "SENSIBLE"),  # a week may have seven days
    ("(1 if a > 5000 else 0) + b", "b", "a: int = 4, b: int = 5", "5001 5", "EXTREME"),  # nothing near shows it
    ("n * days_in_week", "n * 7", "days_in_week: int = 7, n: int = 3", "8 3", "EXTREME"),  # only the fact does
    ("a - b", "max(a - b, 0)", "a: int = 6, b: int = 6", "6 7", "EXTREME"),  # only negative values do
]


@cases("left, right, inputs, point, kind", WITNESSES)
def test_the_nearest_sensible_point_is_the_witness(left: str, right: str, inputs: str, point: str, kind: str) -> None:
    """The witness moves one input by little, keeps counts whole, values not negative and facts; where none does so, it is called extreme."""
    duel = search(left, right, inputs)
    fallback = duel.start if kind == "OWN_VALUES" else tuple(value + FAR for value in duel.start)
    assert nearest_witness(duel, fallback) == Witness(tuple(map(Fraction, point.split())), WitnessKind[kind])
