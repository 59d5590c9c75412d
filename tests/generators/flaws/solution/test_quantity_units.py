"""Tests of the units of values: what each value counts, and which values are absurd in that unit."""

from fractions import Fraction

from hypothesis import given, strategies as st

from generators.flaws.solution.quantity_units import LARGEST_RATIO, Quantity, Unit, absurdity
from harness.domain import Exact
from tests.cases import cases
from tests.generators.flaws.flaw_laws import worded

COUNT, MONEY = Unit(Quantity.COUNT, "apple"), Unit(Quantity.MONEY, "dollar")
SHARE, TIME = Unit(Quantity.SHARE), Unit(Quantity.TIME, "hour")
MEASURE, NUMBER = Unit(Quantity.MEASURE, "mile"), Unit(Quantity.NUMBER)
AGE = Unit(Quantity.TIME, "year")
VALUES = st.one_of(st.integers(-50, 10**6), st.fractions(-5, 50, max_denominator=400))
UNITS = st.sampled_from([COUNT, MONEY, SHARE, TIME, MEASURE, NUMBER])


@cases(
    ("unit", "before", "after", "why"),
    [
        (COUNT, 12, 13, None),
        (COUNT, 12, Fraction(25, 2), "not whole"),
        (COUNT, 12, -1, "negative"),
        (COUNT, 12, 0, "zero"),
        (COUNT, 0, 3, None),
        (COUNT, 0, -3, "negative"),
        (COUNT, Fraction(5, 2), Fraction(7, 3), None),
        (COUNT, -3, -5, None),
        (COUNT, 3, 3 * LARGEST_RATIO, None),
        (COUNT, 3, 3 * LARGEST_RATIO + 1, "out of scale"),
        (NUMBER, 3, Fraction(1, 2), "not whole"),
        (MONEY, 12, Fraction(25, 2), None),
        (MONEY, 12, Fraction(1299, 100), None),
        (MONEY, 12, Fraction(12999, 1000), "not whole"),
        (MONEY, 12, Fraction(37, 3), "not whole"),
        (MONEY, 12, 0, "zero"),
        (MONEY, Fraction(5, 2), Fraction(1, 3), None),
        (TIME, 3, Fraction(7, 4), None),
        (TIME, 3, Fraction(7, 3), "not whole"),
        (MEASURE, 3, Fraction(7, 20), None),
        (MEASURE, 3, Fraction(1, 1000), None),
        (MEASURE, 3, Fraction(1, 3), "not whole"),
        (SHARE, Fraction(1, 4), Fraction(3, 4), None),
        (SHARE, Fraction(1, 4), 1, None),
        (SHARE, Fraction(1, 4), Fraction(5, 4), "more than all"),
        (SHARE, Fraction(5, 4), Fraction(9, 4), None),
        (SHARE, Fraction(1, 4), Fraction(-1, 4), "negative"),
    ],
)
def test_absurd_values(unit: Unit, before: Exact, after: Exact, why: str | None) -> None:
    """Values with half apples, thirds of a cent, more than all, or less than none are absurd."""
    assert absurdity(unit, before, after) == why


@cases(
    ("unit", "before", "after", "words", "why"),
    [
        (MEASURE, 30, -4, "evening temperature", None),
        (MONEY, 30, -4, "account balance", None),
        (MONEY, 30, -4, "company profit", None),
        (MONEY, 30, -4, "change from twenty dollars", "negative"),
        (NUMBER, 30, -4, "change in weight", None),
        (COUNT, 30, -4, "marbles left", "negative"),
        (COUNT, 30, Fraction(7, 2), "marbles left", "not whole"),
        (COUNT, 30, Fraction(7, 2), "average marbles", None),
        (NUMBER, 30, Fraction(75, 2), "percentage of girls", None),
        (NUMBER, 30, 140, "percentage of girls", "more than all"),
        (NUMBER, 30, 140, "percent increase", None),
        (NUMBER, 130, 140, "percentage of girls", None),
        (AGE, 30, 900, "grandfather age", "older than anybody gets"),
        (NUMBER, 30, 126, "how old ann is", "older than anybody gets"),
        (AGE, 30, 900, "years of the tree", None),
        (TIME, 8, 30, "hours per day", "more time than there is"),
        (TIME, 8, 24, "hours per day", None),
        (TIME, 30, 40, "hours per day", None),
        (NUMBER, 5, 8, "5 days a week", "more time than there is"),
        (NUMBER, 20, 32, "20 days in a month", "more time than there is"),
        (TIME, 8, 30, "hours", None),
    ],
)  # fmt: skip
def test_absurd_values_by_what_the_words_say(
    unit: Unit, before: Exact, after: Exact, words: str, why: str | None
) -> None:
    """A debt or a temperature may be negative, an average a fraction; ages, percentages and hours a day have an end."""
    assert absurdity(unit, before, after, words) == why


@given(UNITS, VALUES)
def test_a_value_is_not_absurd_for_itself(unit: Unit, value: Exact) -> None:
    """A value is not absurd in its own place."""
    assert absurdity(unit, value, value) is None


@given(UNITS, VALUES, VALUES)
def test_what_may_follow_keeps_the_kind(unit: Unit, before: Exact, after: Exact) -> None:
    """An accepted value has the sign and the size of the value it replaces."""
    if absurdity(unit, before, after) is None:
        assert after >= 0 or before < 0
        assert not (after == 0 != before)
        assert not before or abs(Fraction(after) / before) <= LARGEST_RATIO


CODE = """
# L1
apples = 12 # 12 apples
price = 3 # price of each
cost = apples * price
# L2
share = 0.25 # a quarter of the cost
saved = cost * share
# L3
weeks = 2 # 2 weeks
saved_per_week = saved / weeks
# L4
walked = 5 # 5 miles
steps = 7 # 7
total = walked * steps
answer = saved_per_week + total
return answer
"""
SOURCE = worded(
    CODE,
    "They cost {apples} apples * ${price} = $<<{apples}*{price}={cost}>>{cost}",
    "He saves {cost} * {share} = $<<{cost}*{share}={saved}>>{saved}",
    "In {weeks} weeks that is {saved} / {weeks} = <<{saved}/{weeks}={saved_per_week}>>{saved_per_week}",
    "He walks {walked} miles * {steps} = <<{walked}*{steps}={total}>>{total} and all is {saved_per_week}+{total}={answer}",
)


@cases(
    ("name", "unit"),
    [
        ("apples", Unit(Quantity.COUNT, "apple")),
        ("price", Unit(Quantity.MONEY, "dollar")),
        ("cost", Unit(Quantity.MONEY, "dollar")),
        ("share", Unit(Quantity.SHARE)),
        ("saved", Unit(Quantity.MONEY, "dollar")),
        ("weeks", Unit(Quantity.TIME, "week")),
        ("walked", Unit(Quantity.MEASURE, "mile")),
        ("steps", Unit(Quantity.NUMBER)),
    ],
)
def test_units_are_seen_in_the_text(name: str, unit: Unit) -> None:
    """By dollar signs, the noun after the number, names and comments."""
    assert SOURCE.units[name] == unit


@cases(
    ("unit", "other", "fits"),
    [
        (COUNT, COUNT, True),
        (COUNT, Unit(Quantity.COUNT, "pear"), False),
        (COUNT, Unit(Quantity.COUNT), True),
        (COUNT, MONEY, False),
        (TIME, Unit(Quantity.TIME, "minute"), False),
    ],
)
def test_units_that_fit(unit: Unit, other: Unit, *, fits: bool) -> None:
    """Same kind, and same noun where both have one, either way round."""
    assert (unit.fits(other), other.fits(unit)) == (fits, fits)
