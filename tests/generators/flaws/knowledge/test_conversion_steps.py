"""Tests of unit conversion steps, of the factors that people take for others, and of misread numbers."""

from hypothesis import given, strategies as st

from generators.flaws.knowledge.conversion_steps import Conversion, confused_factors, conversions
from generators.flaws.operators.input_misrepresentation import misreadings
from generators.flaws.solution.example_solutions import example_source
from harness.domain import Exact
from tests.cases import cases

REST = "\n# L2\nfriends = 4 # 4 friends\nrest = found / friends"


def found_in(code: str) -> list[tuple[str, str, str]]:
    """Return the conversions of the step `found`: operator and units."""
    return [
        (conversion.operator, conversion.small, conversion.large)
        for conversion in conversions(example_source(code + REST), "found")
    ]


@cases(
    ("code", "expected"),
    [
        ("h = 2 # 2 hours\nminutes_per_hour = 60\nfound = h * minutes_per_hour", [("*", "minute", "hour")]),
        ("m = 120 # 120 minutes\nfactor = 60 # 60 minutes in an hour\nfound = m / factor", [("/", "minute", "hour")]),
        ("m = 48 # 48 eggs\ndozen = 12 # WK\nfound = m / dozen", [("/", "item", "dozen")]),
        ("h = 2 # 2 hours\nhours_per_day = 8 # 8 hours a day\nfound = h * hours_per_day", []),
        ("days = 5 # 5 days a week\nweeks = 7 # for 7 weeks\nfound = days * weeks", []),
        ("m = 60 # 60 minutes\nn = 24 # 24 hours\nfound = m + n", []),
    ],
)
def test_conversions_are_found(code: str, expected: list[tuple[str, str, str]]) -> None:
    """A factor is recognised by name, comment or place in an expression; a number that happens to be one is not."""
    assert found_in(f"# L1\n{code}") == expected


@cases(("small", "large", "factor"), [("minute", "hour", 60), ("inch", "foot", 12), ("item", "dozen", 12)])
def test_confused_factors_are_those_of_other_units(small: str, large: str, factor: int) -> None:
    """A few factors of the same dimension, and never the right one."""
    confused = confused_factors(Conversion((), "*", 1, factor, small, large))
    assert len(set(confused)) == 3
    assert factor not in confused


@given(st.integers(0, 10**9) | st.fractions(0, 1000, max_denominator=100))
def test_a_number_is_never_misread_as_itself(value: Exact) -> None:
    """Nor as nothing, nor as less; a share stays less than one, and no value is found twice."""
    found = [misreading for misreading, _ in misreadings(value)]
    assert value not in found
    assert len(found) == len(set(found))
    assert all(factor > 0 for factor in found)
    assert not 0 < value < 1 or all(factor < 1 for factor in found)
