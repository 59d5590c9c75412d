"""Tests of quantity bounds: which values each kind of quantity allows, and which words of the problem say so."""

import pytest
from hypothesis import given, strategies as st

from generators.flaws.solution.example_solutions import example_source
from generators.variants.values.bound_violations import bound_violations
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, BoundKind
from tests.cases import cases

BARN = (
    "# L1\ngoats = 20 # 20 goats\nsold = 8 # 8 of them are sold\ngoats_left = goats - sold\n"
    "# L2\npails = 3 # 3 pails of milk\nmilk = goats_left * pails"
)
BARN_TEXT = "A barn has 20 goats, and 8 of them are sold. Each goat gives 3 pails of milk. How many pails are there?"
DIFFERENCE = (
    "# L1\nleft_hand = 20 # 20 hats\nright_hand = 8 # 8 hats\n{0} = left_hand - right_hand\n"
    "# L2\nprice = 3 # $3 each\nanswered = {0} * price"
)
SHARE = "# L1\nnuts = 40 # 40 nuts\nshare = {} # {}\neaten = nuts * share{}\n# L2\nnuts_left = nuts - eaten"
WORKED = (
    "# L1\nworked = {0} # {0} {1}\npaid = 9 # $9\nearned = worked * paid\n# L2\nspent = 2 # $2\nleft = earned - spent"
)
PURSE = "# L1\nmoney = 20 # $20\npaid = 8 # $8\nmoney_left = money - paid\n# L2\nweeks = 2 # 2 weeks\nweekly = money_left / weeks"


def bounds(code: str, text: str) -> dict[str, Bound]:
    """Return the bounds of a problem by name; the problem itself meets them."""
    subject = VariantSubject(example_source(code, text))
    assert subject.system.violated(subject.values) is None
    return {bound.name: bound for bound in subject.system.bounds}


def test_counts_and_parts_are_bounded_in_the_words_of_the_problem() -> None:
    """What is taken away is at most what was there; goats are whole and not negative, pails of milk may be half full."""
    found = bounds(BARN, BARN_TEXT)
    part = found["part:goats_left"]
    assert (part.kind, part.variable, part.limit) == (BoundKind.AT_MOST, "sold", "goats")
    assert part.words == "and 8 of them are sold"
    assert found["whole:goats"].words == "A barn has 20 goats"
    assert found["not-negative:pails"].words == "Each goat gives 3 pails of milk"
    assert "whole:milk" not in found


@pytest.mark.parametrize("result", ["more_than_bob", "difference", "profit", "hats_needed"])
def test_differences_may_be_the_other_way_round(result: str) -> None:
    """Who has more, what is gained and what is still needed is not bounded."""
    found = bounds(DIFFERENCE.format(result), f"There are 20 hats and 8 hats at $3 each. What is the {result}?")
    assert not {f"part:{result}", f"not-negative:{result}"} & found.keys()


@cases(
    ("comment", "bounded"),
    [
        ("25% of them", True),
        ("25% of the nuts", True),
        ("25% off", True),
        ("25% more nuts", False),
        ("25% of the price of figs", False),
        ("25% of the nuts that Bob has", False),
        ("25% of Bob's nuts", False),
        ("25% interest", False),
    ],
)
def test_shares_of_a_whole(comment: str, bounded: bool) -> None:
    """A share of a whole is at most all of it, one or 100; a rise, or a share of another's, may be more."""
    text = f"Of 40 nuts he saw {comment} there. How many are left?"
    found = bounds(SHARE.format("Fraction(1, 4)", comment, ""), text)
    assert ("at-most-all:share" in found) is bounded
    hundredths = bounds(SHARE.format("25", comment, " / 100"), text).get("at-most-all:share")
    assert hundredths is None or hundredths.limit == 100


@cases(
    ("worked", "text", "most"),
    [
        ("5 hours", "She works 5 hours a day for $9 and spends $2. How much is left?", 24),
        ("5 days", "She works 5 days per week for $9 and spends $2. How much is left?", 7),
        ("5 months", "She works 5 months each year for $9 and spends $2. How much is left?", 12),
        ("20 hours", "Each of the crews works 20 hours a day for $9 and spends $2. How much is left?", 24),
        ("20 hours", "The crews work a total of 20 hours a day for $9 and spend $2. How much is left?", None),
        ("20 hours", "Together the crews work 20 hours a day for $9 and spend $2. How much is left?", None),
        ("20 hours", "There are 20 hours in a day on that moon. She gets $9 and spends $2. How much is left?", None),
    ],
)
def test_a_day_has_24_hours_for_each_alone(worked: str, text: str, most: int | None) -> None:
    """What recurs fits into what it recurs in; several together may do more, and a problem may say it otherwise."""
    every = "a day" if "hours" in worked else "per week" if "days" in worked else "each year"
    subject = VariantSubject(
        example_source(WORKED.format(*worked.split()).replace(f"# {worked}", f"# {worked} {every}"), text)
    )
    limits = [*subject.system.bounds, *(violation.bound for violation in bound_violations(subject))]
    found = {bound.limit for bound in limits if bound.variable == "worked" and bound.kind is BoundKind.AT_MOST}
    assert found == ({most} if most else set())


@pytest.mark.parametrize("words", ["an average of 12 goats", "12 goats per barn", "12 goats a day"])
def test_means_and_rates_need_not_be_whole(words: str) -> None:
    """Of a mean or a rate there are halves."""
    code = BARN.replace("20 # 20 goats", f"12 # {words}")
    assert "whole:goats" not in bounds(code, f"He sees {words}, and 8 of them are sold. 3 pails are there. How many?")


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 9))
def test_bounds_hold_and_quote_the_problem(whole: int, part: int, price: int) -> None:
    """Every bound holds of the problem itself, and its words stand in the question or the solution."""
    code = (
        f"# L1\npens = {whole} # {whole} pens\nlost = {part} # lost {part} pens\npens_left = pens - lost\n"
        f"# L2\nprice = {price} # ${price}\nworth = pens_left * price"
    )
    text = f"Ada has {whole} pens and lost {part} pens. Each is worth ${price}. What are the others worth?"
    subject = VariantSubject(example_source(code, text))
    assert subject.system.violated(subject.values) is None
    said = f"{text}\n{subject.source.problem.solution}"
    assert all(bound.words and all(word in said for word in bound.words.split()) for bound in subject.system.bounds)
    assert ("part:pens_left" in subject.system.constraints) == (part <= whole)


@cases("owned", ["bank account holds", "budget is", "credit on the card is"])
def test_an_account_may_be_overdrawn(owned: str) -> None:
    """More than there is can be taken from an account or a budget, not from a purse."""
    rest = "She spends $8. The rest is for 2 weeks. How much is it a week?"
    assert "part:money_left" in bounds(PURSE, f"What Ida has in her purse is $20. {rest}")
    assert not {"part:money_left", "not-negative:money_left"} & set(bounds(PURSE, f"Ida's {owned} $20. {rest}"))
