"""Tests of value limits: a value is called impossible only if the words of the problem exclude it with certainty."""

from fractions import Fraction

import pytest

from generators.flaws.solution.example_solutions import example_source
from generators.variants.values.bound_violations import bound_violations
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import allows
from harness.solution.trace import propagate

LEFT = "# L1\npens = 48 # 48 pens\nsold = 20 # sold 20 pens\npens_left = pens - sold\n# L2\nchildren = 4 # 4 children\neach = pens_left / children"
DAYS = "# L1\ndays = 4 # 4 days a week\nweeks = 9 # 9 weeks\nworked = days * weeks\n# L2\ndouble = worked * 2"


def limits(code: str, question: str) -> dict[str, str]:
    """Return the bounds that inputs of a problem could break, by input."""
    return {
        violation.variable: violation.bound.name
        for violation in bound_violations(VariantSubject(example_source(code, question)))
    }


def test_no_more_is_taken_than_there_is() -> None:
    """Where the rest is what is left, both the whole and the part are limited."""
    text = "A shop has 48 pens. It sold 20 pens. 4 children share the pens that are left. How many pens has each?"
    assert limits(LEFT, text) == {"sold": "not-negative:pens_left", "pens": "not-negative:pens_left"}


@pytest.mark.parametrize(
    "text",
    [
        "A shop needs 48 pens. It got 20 pens. 4 children buy the rest of the pens. How many pens does each buy?",
        "A shop has 48 pens. It sold about 20 pens. 4 children share the pens that are left. How many pens has each?",
        "A shop has 48 pens. It sold 20 pens. 4 children are there. How many pens does each child hold?",
    ],
)
def test_what_may_come_from_elsewhere_is_not_limited(text: str) -> None:
    """Needs can be exceeded, an estimate is no limit, and nothing is said to be left."""
    assert limits(LEFT, text) == {}


def test_a_week_has_seven_days() -> None:
    """Nobody works eight days a week; but on eight days somebody may."""
    assert limits(DAYS, "Ida paints 4 days a week for 9 weeks. Tom paints twice as long. How long is that?") == {
        "days": "at-most-7:days"
    }
    assert limits(DAYS, "Ida paints on 4 days for 9 weeks. Tom paints twice as long. How long is that?") == {}


def test_values_that_break_a_limit_break_it() -> None:
    """By exact evaluation, each breaks the bound, which the problem's own value meets."""
    text = "A shop has 48 pens. It sold 20 pens. 4 children share the pens that are left. How many pens has each?"
    subject = VariantSubject(example_source(LEFT, text))
    for limit in bound_violations(subject):
        assert allows(limit.bound, subject.values)
        assert limit.breaking
        for value in limit.breaking:
            assert not allows(limit.bound, propagate(subject.source.trace, limit.variable, value).values)


SPENT = (
    "# L1\nmoney = 50 # $50\nbooks = 3 # 3 books\nprice = 8 # $8\ncost = books * price\n"
    "# L2\nmoney_left = money - cost\n# L3\nweeks = 2 # 2 weeks\nmoney_a_week = money_left / weeks"
)
SHARES = (
    "# L1\npens = 40 # 40 pens\nred = 0.2 # 20%\nblue = 0.3 # 30%\nred_pens = pens * red\n"
    "blue_pens = pens * blue\n# L2\nothers = pens - red_pens - blue_pens"
)
PART = "# L1\npens = 30 # 30 pens\nred = 12 # 12 of them\nblue = pens - red\n# L2\nprice = 2 # $2\ncost = blue * price"


def test_no_more_is_spent_than_there_is() -> None:
    """Every number that the rest is worked out from is limited: the money, the price, and how many are bought."""
    text = (
        "Ida has $50. She buys 3 books for $8 each. She spends what is left in 2 weeks. What does she have left a week?"
    )
    assert limits(SPENT, text) == dict.fromkeys(("money", "books", "price"), "not-negative:money_left")


@pytest.mark.parametrize(
    "text",
    [
        "Ida borrows $50. She buys 3 books for $8 each. She has the rest left for 2 weeks. How much is left a week?",
        "Ida has $50. She sells 3 books for $8 each. She keeps the rest for 2 weeks. How much is that a week?",
        "Ida has $50. She buys 3 books for $8 each. How much more does she need to have left for 2 weeks?",
    ],
)
def test_what_may_be_exceeded_limits_no_spending(text: str) -> None:
    """Debts, incomes and needs have no such limit."""
    assert limits(SPENT, text) == {}


def test_shares_of_one_whole_are_at_most_all_of_it() -> None:
    """Two shares and a rest make one; the step that adds them is not of the solution."""
    text = "Ida has 40 pens. 20% are red, 30% are blue, and the rest are black. How many are black?"
    assert limits(SHARES, text) == dict.fromkeys(("red", "blue"), "at-most-all:shares_together")
    (first, second) = bound_violations(VariantSubject(example_source(SHARES, text)))
    assert first.steps == second.steps
    assert min(first.breaking) > 1 - Fraction(3, 10)


@pytest.mark.parametrize(
    "text",
    [
        "Ida has 40 pens. 20% are red, 30% of the rest are blue, and the rest are black. How many are black?",
        "Ida has 40 pens. 20% are red, 30% are thin. How many are neither?",
        "Of 40 pens 20% of the pens are red, 30% of the pencils are blue, and the rest is black. How many are black?",
    ],
)
def test_shares_of_several_wholes_are_not_added(text: str) -> None:
    """A share of the rest, shares that may overlap, and shares of different things."""
    assert limits(SHARES, text) == {}


def test_a_part_is_no_more_than_its_whole() -> None:
    """`12 of them` are at most as many as they are; `12 of the boxes` are of something else, and `12% of them` are no number of things."""
    assert limits(PART, "Ida has 30 pens. 12 of them are red. Blue pens cost $2. What do the blue ones cost?") == {
        "red": "part:red"
    }
    for said in ("12 of the boxes", "12% of them", "12 percent of them", "12 per cent of the pens"):
        assert limits(PART, f"Ida has 30 pens. {said} are red. Blue pens cost $2. What do they cost?") == {}
