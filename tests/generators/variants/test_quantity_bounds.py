"""Tests of quantity bounds: which values each kind of quantity allows, and which words of the problem say so."""

import pytest
from hypothesis import given, strategies as st

from generators.flaws.solution.example_solutions import example_source
from generators.variants.values.bound_violations import bound_violations
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, BoundKind
from tests.cases import cases

BARN = """
# L1
goats = 20 # 20 goats
sold = 8 # 8 of them are sold
goats_left = goats - sold
# L2
pails = 3 # 3 pails of milk
milk = goats_left * pails
"""
TEXT = "A barn has 20 goats, and 8 of them are sold. Each goat gives 3 pails of milk. How many pails are there?"


def bounds(code: str, text: str) -> dict[str, Bound]:
    """The bounds of a problem by name."""
    subject = VariantSubject(example_source(code, text))
    assert subject.system.violated(subject.values) is None
    return {bound.name: bound for bound in subject.system.bounds}


def test_a_part_is_at_most_its_whole() -> None:
    """What is taken away is at most what was there; the clause of the taking is quoted."""
    found = bounds(BARN, TEXT)["part:goats_left"]
    assert (found.kind, found.variable, found.limit) == (BoundKind.AT_MOST, "sold", "goats")
    assert found.words == "and 8 of them are sold"


def test_counts_are_whole_and_not_negative() -> None:
    """Goats are counted one by one; pails of milk may be filled by half."""
    found = bounds(BARN, TEXT)
    assert found["whole:goats"].words == "A barn has 20 goats"
    assert found["not-negative:pails"].words == "Each goat gives 3 pails of milk"
    assert "whole:milk" not in found


@pytest.mark.parametrize(
    ("result", "line"),
    [
        ("more_than_bob", "more_than_bob"),
        ("difference", "difference"),
        ("profit", "profit"),
        ("hats_needed", "hats_needed"),
    ],
)
def test_differences_may_be_the_other_way_round(result: str, line: str) -> None:
    """Who has more, what is gained and what is still needed is not bounded."""
    code = f"""
# L1
left_hand = 20 # 20 hats
right_hand = 8 # 8 hats
{result} = left_hand - right_hand
# L2
price = 3 # $3 each
answered = {result} * price
"""
    found = bounds(code, f"There are 20 hats and 8 hats at $3 each. What is the {line}?")
    assert not {f"part:{result}", f"not-negative:{result}"} & found.keys()


SHARE = """
# L1
nuts = 40 # 40 nuts
share = Fraction(1, 4) # {comment}
eaten = nuts * share
# L2
nuts_left = nuts - eaten
"""


@cases(
    ("comment", "bounded"),
    [
        ("25% of them", True),
        ("25% of the nuts", True),
        ("25% off", True),
        ("25% more nuts", False),
        ("25% of what he had", False),
        ("25% of the price of figs", False),
        ("25% of the nuts that Bob has", False),
        ("25% of Bob's nuts", False),
        ("25% interest", False),
    ],
)
def test_shares_of_a_whole(comment: str, bounded: bool) -> None:
    """A share of a whole is at most all of it; a rise, or a share of another's, may be more."""
    found = bounds(SHARE.format(comment=comment), f"Of 40 nuts he saw {comment} there. How many are left?")
    assert ("at-most-all:share" in found) is bounded
    assert found["not-negative:share"].kind is BoundKind.NOT_NEGATIVE


def test_percentages_count_hundredths() -> None:
    """A share that is given in hundredths is at most 100."""
    code = """
# L1
nuts = 40 # 40 nuts
percent_eaten = 25 # 25% of them
eaten = nuts * percent_eaten / 100
# L2
nuts_left = nuts - eaten
"""
    assert (
        bounds(code, "Of 40 nuts, 25% of them are eaten. How many are left?")["at-most-all:percent_eaten"].limit == 100
    )


@pytest.mark.parametrize(
    ("unit", "every", "most"), [("hours", "a day", 24), ("days", "per week", 7), ("months", "each year", 12)]
)
def test_days_have_24_hours(unit: str, every: str, most: int) -> None:
    """What recurs fits into what it recurs in."""
    code = f"""
# L1
worked = 5 # 5 {unit} {every}
paid = 9 # $9
earned = worked * paid
# L2
spent = 2 # $2
left = earned - spent
"""
    found = bounds(code, f"She works 5 {unit} {every} for $9 and spends $2. How much is left?")
    assert found["at-most-all:worked"].limit == most


@pytest.mark.parametrize("words", ["an average of 12 goats", "12 goats per barn", "12 goats a day"])
def test_means_and_rates_need_not_be_whole(words: str) -> None:
    """Of a mean or a rate there are halves."""
    code = f"""
# L1
goats = 12 # {words}
barns = 4 # 4 barns
every_goat = goats * barns
# L2
sold = 5 # 5 goats
rest = every_goat - sold
"""
    assert "whole:goats" not in bounds(code, f"He sees {words} in 4 barns and 5 goats go. How many stay?")


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 9))
def test_bounds_hold_and_quote_the_problem(whole: int, part: int, price: int) -> None:
    """Every bound holds of the problem itself, and its words stand in the question or the solution."""
    code = f"""
# L1
pens = {whole} # {whole} pens
lost = {part} # lost {part} pens
pens_left = pens - lost
# L2
price = {price} # ${price}
worth = pens_left * price
"""
    text = f"Ada has {whole} pens and lost {part} pens. Each is worth ${price}. What are the others worth?"
    subject = VariantSubject(example_source(code, text))
    assert subject.system.violated(subject.values) is None
    said = f"{text}\n{subject.source.problem.solution}"
    for bound in subject.system.bounds:
        assert bound.words
        assert all(word in said for word in bound.words.split())
    assert ("part:pens_left" in subject.system.constraints) == (part <= whole)


@cases("owned", ["bank account holds", "budget is", "credit on the card is"])
@cases("spent", ["spends $8", "pays $8", "uses $8"])
def test_an_account_may_be_overdrawn(owned: str, spent: str) -> None:
    """More than there is can be taken from an account or a budget, not from a purse."""
    code = """
# L1
money = 20 # $20
paid = 8 # $8
money_left = money - paid
# L2
weeks = 2 # 2 weeks
weekly = money_left / weeks
"""
    rest = f"She {spent}. The rest is for 2 weeks. How much is it a week?"
    assert "part:money_left" in bounds(code, f"What Ida has in her purse is $20. {rest}")
    assert not {"part:money_left", "not-negative:money_left"} & set(bounds(code, f"Ida's {owned} $20. {rest}"))


HOURS: dict[str, bool] = {
    "Ida works 20 hours a day.": True,
    "Each of the crews works 20 hours a day.": True,
    "The crews work a total of 20 hours a day.": False,
    "Together the crews work 20 hours a day.": False,
    "Combined, they work 20 hours per day.": False,
    "There are 20 hours in a day on that moon.": False,
    "A day has 20 hours.": False,
}


@cases("told", HOURS)
def test_a_day_has_24_hours_for_each_alone(told: str) -> None:
    """Several together work more than 24 hours a day, and a problem may say itself how many hours a day has."""
    code = """
# L1
hours = 20 # 20 hours
days = 3 # 3 days
worked = hours * days
# L2
pay = 9 # $9
earned = worked * pay
"""
    subject = VariantSubject(example_source(code, f"{told} It goes on for 3 days. The pay is $9. What is earned?"))
    limits = {bound.name for bound in subject.system.bounds} | {found.bound.name for found in bound_violations(subject)}
    assert bool(limits & {"at-most-all:hours", "at-most-24:hours"}) is HOURS[told]
