"""Tests of the witness of a refutation: it is near the problem, sensible where that is possible, and says when it is not."""

from fractions import Fraction

from harness.domain import Response, WitnessKind
from harness.program.lifter import lift
from oracles.equivalence.counterexamples.counterexample_search import CounterexampleSearch
from oracles.equivalence.counterexamples.intermediate_values import IntermediateValues, ValueFit
from oracles.equivalence.counterexamples.witness import Witness, nearest_witness
from oracles.equivalence.input_domain import domain_of
from tests.cases import cases

FAR = 100_000


def witness(left: str, right: str, inputs: str) -> Witness:
    """Return the nearest witness of two expressions in the same inputs; the fallback moves every input far away."""
    first, second = (
        lift(Response("p", "m", f"def solve({inputs}):\n    return {expression}\n")) for expression in (left, right)
    )
    domains = [domain_of(parameter) for parameter in first.parameters]
    search = CounterexampleSearch(first, second, [(index, index) for index in range(len(domains))], domains)
    return nearest_witness(search, tuple(value + FAR for value in search.start))


SENSIBLE = [
    ("a * b", "a + b", "a: int = 2, b: int = 2", "3 2"),  # one input moved by one
    ("a - b + 7", "max(a - b, 0) + 7 + (a > 9)", "a: int = 6, b: int = 6", "11 6"),  # no negative value, though nearer
    ("a / 2", "a // 2 + (a > 9)", "a: int = 8", "10"),  # whole counts before fractional ones
    ("a / 2", "a // 2", "a: int = 8", "9"),  # a fractional count where nothing else differs
    ("f * 8", "2", "f: float = 1/4", "1/2"),  # a share stays a share
    ("w * 8", "20", "w: float = 2.5", "3"),  # a weight becomes whole
    ("(a - 4) * (b - 5) + 1", "1", "a: int = 4, b: int = 5", "5 6"),  # two inputs where one does not show it
    ("n * days_in_week", "n * n + 12", "days_in_week: int = 7, n: int = 3", "7 2"),  # the fact of world knowledge stays
    ("hours_per_day * n", "40 * n - 32", "n: int = 2, hours_per_day: int = 24", "3 24"),  # as above
    ("days_a_week * 2", "12", "days_a_week: int = 6", "7"),  # a week may have seven days
]
EXTREME = [
    ("(1 if a > 5000 else 0) + b", "b", "a: int = 4, b: int = 5", "5001 5"),  # nothing near shows it
    ("n * days_in_week", "n * 7", "days_in_week: int = 7, n: int = 3", "8 3"),  # only the fact shows it
    ("a - b", "max(a - b, 0)", "a: int = 6, b: int = 6", "6 7"),  # only negative values show it
]


@cases("left, right, inputs, point", SENSIBLE)
def test_the_nearest_sensible_point_is_chosen(left: str, right: str, inputs: str, point: str) -> None:
    """The witness moves one input if it can, by little, keeps counts whole and values not negative, and keeps facts."""
    assert witness(left, right, inputs) == Witness(tuple(map(Fraction, point.split())), WitnessKind.SENSIBLE)


@cases("left, right, inputs, point", EXTREME)
def test_an_extreme_witness_says_that_it_is(left: str, right: str, inputs: str, point: str) -> None:
    """Where no sensible point shows the difference, the witness is the nearest other one, and is called extreme."""
    assert witness(left, right, inputs) == Witness(tuple(map(Fraction, point.split())), WitnessKind.EXTREME)


def test_the_own_values_come_first() -> None:
    """Programs that differ on the problem's own values differ there, whatever else differs."""
    first, second = (
        lift(Response("p", "m", f"def solve(a: int = 6):\n    return {text}\n")) for text in ("a", "a + 1")
    )
    search = CounterexampleSearch(first, second, [(0, 0)], [domain_of(first.parameters[0])])
    assert nearest_witness(search, search.start) == Witness((Fraction(6),), WitnessKind.OWN_VALUES)


@cases("value, fit", [(8, ValueFit.WHOLE), (9, ValueFit.FRACTIONAL), (2, ValueFit.NEGATIVE), (5, ValueFit.NONE)])
def test_values_are_compared_with_those_of_the_problem(value: int, fit: ValueFit) -> None:
    """A half of nine is fractional, two less four negative, and a division by zero has no result."""
    code = "def solve(a: int = 6):\n    return a / 2 + (a - 4) + 0 * 24 / (a - 5)\n"
    values = IntermediateValues(lift(Response("p", "m", code)))
    assert values.fitted([value]).fit is fit
