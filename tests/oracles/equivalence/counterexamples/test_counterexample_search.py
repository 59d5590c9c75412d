"""Tests of the counterexample search: it finds differences, stays in the domain and makes no false claim."""

from fractions import Fraction
from random import Random

import pytest

from harness.domain import Response
from harness.program.ir import Program
from harness.program.lifter import lift
from oracles.equivalence.counterexamples.counterexample_search import CounterexampleSearch
from oracles.equivalence.input_domain import InputDomain, domain_of

INTEGERS = InputDomain(integral=True, low=Fraction(1), high=None)


def program(expression: str, kind: str = "int") -> Program:
    """Return the program of an expression in two inputs."""
    return lift(Response("p", "m", f"def solve(a: {kind} = 6, b: {kind} = 4):\n    return {expression}\n"))


def duel(left: str, right: str, kind: str = "int") -> CounterexampleSearch:
    """Return the duel of two expressions, both inputs aligned."""
    first, second = program(left, kind), program(right, kind)
    domains = [domain_of(parameter) for parameter in first.parameters]
    return CounterexampleSearch(first, second, [(0, 0), (1, 1)], domains)


def test_the_smallest_change_is_found_first() -> None:
    """One input moved to a small value is preferred to many moved far."""
    assert duel("a + b", "a * b - 14").small_point() == (1, 4)


def test_the_problem_itself_is_tried_first() -> None:
    """Programs that part on their own values part there."""
    assert duel("a", "a + 1").small_point() == (6, 4)


def test_equal_programs_part_nowhere() -> None:
    """No search finds what is not there, and what was compared is counted."""
    fight = duel("a + b", "b + a")
    found = [fight.small_point(), fight.random_point(Random(1)), fight.hypothesis_point(Random(1))]
    assert (found, fight.checked > 100, fight.unsupported) == ([None] * 3, True, 0)


def test_a_random_search_moves_every_input() -> None:
    """Programs that part only where both inputs moved are told apart."""
    fight = duel("(1 if a != 6 and b != 4 else 0)", "0")
    assert (fight.small_point(), fight.random_point(Random(1)) is None) == (None, False)


def test_hypothesis_finds_a_threshold() -> None:
    """The point it reports lies beyond the threshold; it is not shrunk."""
    point = duel("(1 if a > 50 else 0)", "0").hypothesis_point(Random(1))
    assert point is not None
    assert point[0] > 50


def test_an_exception_on_one_side_parts() -> None:
    """Raising where the other gives a value is a difference; raising on both sides is none."""
    assert [
        duel("1 / (a - 5)", right).parts_at((Fraction(5), Fraction(1))) for right in ("1", "1 / (5 - a)", "a % (a - 5)")
    ] == [True, False, False]


def test_a_result_that_is_no_number_parts_from_one_that_is() -> None:
    """A result that is no number differs from one that is, as an exception does."""
    fight = duel("('x' if a == 5 else a)", "a")
    assert (fight.parts_at((Fraction(5), Fraction(1))), fight.checked) == (True, 1)


def test_what_cannot_be_evaluated_is_counted_apart() -> None:
    """A point that cannot be evaluated counts neither as agreement nor as difference."""
    fight = duel("a ** (1 / b)", "a")
    assert (fight.parts_at((Fraction(2), Fraction(2))), fight.checked, fight.unsupported) == (False, 0, 1)


def test_a_counterexample_is_run_again() -> None:
    """One that does not hold is an error of the machinery, told with the values."""
    with pytest.raises(AssertionError, match=r"does not hold: both give 5 at \['3', '2'\]"):
        duel("a + b", "b + a").counterexample((Fraction(3), Fraction(2)))


def test_a_counterexample_names_inputs_by_both_names() -> None:
    """A counterexample names an input `left|right` where the names differ."""
    other = lift(Response("p", "m", "def solve(a: int = 6, c: int = 4):\n    return a - c\n"))
    fight = CounterexampleSearch(
        program("a + b"), other, [(0, 0), (1, 1)], [domain_of(parameter) for parameter in other.parameters]
    )
    example = fight.counterexample((Fraction(3), Fraction(2)))
    assert (dict(example.inputs), example.left, example.right) == ({"a": "3", "b|c": "2"}, "5", "1")


def test_whole_values_are_held_as_the_literal_is() -> None:
    """An input whose literal is an int is given ints, as a loop bound needs, whatever its annotation says; one whose literal is a float, fractions."""
    parts = []
    for kind, literal in (("int", "6"), ("float", "6"), ("float", "6.0"), ("int", "6.0")):
        code = f"def solve(a: {kind} = {literal}):\n    return sum(i for i in range(a))\n"
        loop = lift(Response("p", "m", code))
        closed = lift(Response("p", "m", "def solve(a: int = 6):\n    return a * (a - 1) / 2\n"))
        parts.append(CounterexampleSearch(loop, closed, [(0, 0)], [INTEGERS]).parts_at((Fraction(5),)))
    assert parts == [False, False, True, True]


@pytest.mark.parametrize(
    "domain",
    [
        InputDomain(integral=True, low=None, high=Fraction(-1)),
        InputDomain(integral=False, low=Fraction(0), high=Fraction(1), open_low=True),
    ],
    ids=str,
)
def test_every_point_tried_is_of_the_domain(domain: InputDomain) -> None:
    """Every point that is tried lies in the domain of the inputs' roles."""
    first = program("a")
    fight = CounterexampleSearch(first, first, [(0, 0), (1, 1)], [domain, domain])
    fight.small_point()
    fight.random_point(Random(1))
    assert all(
        value in domain for point in fight._parted.keys() - {fight.start} for value in point if value not in fight.start
    )
