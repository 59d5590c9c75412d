"""Tests of the units of values: what each value counts, which values are absurd in that unit, and which steps convert units."""

from fractions import Fraction

from hypothesis import given, strategies as st

from generators.flaws.flawed_solution import FlawDiscardReason
from generators.flaws.operators.input_misrepresentation import misreadings
from generators.flaws.plausibility import LARGEST_RATIO, absurdity
from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.flaws.solution.unit_conversions import conversions
from harness.domain import Exact
from tests.cases import cases
from tests.generators.flaws.example_solutions import example_source

COUNT, MONEY = Unit(Quantity.COUNT, "apple"), Unit(Quantity.MONEY, "dollar")
SHARE, TIME = Unit(Quantity.SHARE), Unit(Quantity.TIME, "hour")
MEASURE, NUMBER = Unit(Quantity.MEASURE, "mile"), Unit(Quantity.NUMBER)
VALUES = st.one_of(st.integers(-50, 10**6), st.fractions(-5, 50, max_denominator=400))
UNITS = st.sampled_from([COUNT, MONEY, SHARE, TIME, MEASURE, NUMBER])


@cases(
    ("unit", "before", "after", "words", "why"),
    [
        (COUNT, 12, 13, "", None),
        (COUNT, 12, Fraction(25, 2), "", FlawDiscardReason.NOT_WHOLE),
        (COUNT, 12, -1, "", FlawDiscardReason.NEGATIVE),
        (COUNT, 12, 0, "", FlawDiscardReason.ZERO),
        (COUNT, 0, 3, "", None),
        (COUNT, 0, -3, "", FlawDiscardReason.NEGATIVE),
        (COUNT, Fraction(5, 2), Fraction(7, 3), "", None),
        (COUNT, -3, -5, "", None),
        (COUNT, 3, 3 * LARGEST_RATIO, "", None),
        (COUNT, 3, 3 * LARGEST_RATIO + 1, "", FlawDiscardReason.OUT_OF_RANGE),
        (NUMBER, 3, Fraction(1, 2), "", FlawDiscardReason.NOT_WHOLE),
        (MONEY, 12, Fraction(25, 2), "", None),
        (MONEY, 12, Fraction(1299, 100), "", None),
        (MONEY, 12, Fraction(12999, 1000), "", FlawDiscardReason.NOT_WHOLE),
        (MONEY, 12, Fraction(37, 3), "", FlawDiscardReason.NOT_WHOLE),
        (MONEY, 12, 0, "", FlawDiscardReason.ZERO),
        (MONEY, Fraction(5, 2), Fraction(1, 3), "", None),
        (TIME, 3, Fraction(7, 4), "", None),
        (TIME, 3, Fraction(7, 3), "", FlawDiscardReason.NOT_WHOLE),
        (MEASURE, 3, Fraction(7, 20), "", None),
        (MEASURE, 3, Fraction(1, 1000), "", None),
        (MEASURE, 3, Fraction(1, 3), "", FlawDiscardReason.NOT_WHOLE),
        (SHARE, Fraction(1, 4), Fraction(3, 4), "", None),
        (SHARE, Fraction(1, 4), 1, "", None),
        (SHARE, Fraction(1, 4), Fraction(5, 4), "", FlawDiscardReason.OUT_OF_RANGE),
        (SHARE, Fraction(5, 4), Fraction(9, 4), "", None),
        (SHARE, Fraction(1, 4), Fraction(-1, 4), "", FlawDiscardReason.NEGATIVE),
        (MEASURE, 30, -4, "evening temperature", None),
        (MONEY, 30, -4, "account balance", None),
        (MONEY, 30, -4, "company profit", None),
        (MONEY, 30, -4, "change from twenty dollars", FlawDiscardReason.NEGATIVE),
        (NUMBER, 30, -4, "change in weight", None),
        (COUNT, 30, -4, "marbles left", FlawDiscardReason.NEGATIVE),
        (COUNT, 30, Fraction(7, 2), "marbles left", FlawDiscardReason.NOT_WHOLE),
        (COUNT, 30, Fraction(7, 2), "average marbles", None),
        (NUMBER, 30, Fraction(75, 2), "percentage of girls", None),
    ],
)
def test_absurd_values(unit: Unit, before: Exact, after: Exact, words: str, why: FlawDiscardReason | None) -> None:
    """Half apples, thirds of a cent, or less than none are absurd; a debt may be negative, an average a fraction."""
    assert absurdity(unit, before, after, words) is why


@given(UNITS, VALUES, VALUES)
def test_what_may_follow_keeps_the_kind(unit: Unit, before: Exact, after: Exact) -> None:
    """An accepted value has the sign and the size of the value it replaces."""
    if absurdity(unit, before, after) is None:
        assert after >= 0 or before < 0
        assert not (after == 0 != before)
        assert not before or abs(Fraction(after) / before) <= LARGEST_RATIO


REST = "\n# L2\nfriends = 4 # 4 friends\nrest = found / friends"


@cases(
    ("code", "expected"),
    [
        ("h = 2 # 2 hours\nminutes_per_hour = 60\nfound = h * minutes_per_hour", [("*", "minute", "hour")]),
        ("m = 120 # 120 minutes\nfactor = 60 # 60 minutes in an hour\nfound = m / factor", [("/", "minute", "hour")]),
        ("h = 2 # 2 hours\nhours_per_day = 8 # 8 hours a day\nfound = h * hours_per_day", []),
        ("days = 5 # 5 days a week\nweeks = 7 # for 7 weeks\nfound = days * weeks", []),
        ("m = 60 # 60 minutes\nn = 24 # 24 hours\nfound = m + n", []),
    ],
)
def test_conversions_are_found(code: str, expected: list[tuple[str, str, str]]) -> None:
    """A factor is recognised by name, comment or place in an expression; a number that happens to be one is not."""
    made = conversions(example_source(f"# L1\n{code}{REST}"), "found")
    assert [(conversion.operator, conversion.small, conversion.large) for conversion in made] == expected


@given(st.integers(0, 10**9) | st.fractions(0, 1000, max_denominator=100))
def test_a_number_is_never_misread_as_itself(value: Exact) -> None:
    """Nor as nothing, nor as less; a share stays less than one, and no value is found twice."""
    found = [misreading for misreading, _ in misreadings(value)]
    assert value not in found
    assert len(found) == len(set(found))
    assert all(factor > 0 for factor in found)
    assert not 0 < value < 1 or all(factor < 1 for factor in found)
