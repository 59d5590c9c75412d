"""Tests of units: their sizes, and the agreement of world knowledge facts with them."""

from fractions import Fraction

import pytest

from harness.text.units import DAYS, factor, singular_unit, sizes
from harness.text.world_facts import FACTS, KNOWN_CONSTANTS


@pytest.mark.parametrize(
    ("small", "large", "expected"),
    [
        ("hour", "day", 24), ("second", "hour", 3600), ("week", "month", 4), ("month", "year", 12), ("day", "year", 365),
        ("week", "year", 52), ("ounce", "pound", 16), ("ounce", "gallon", 128), ("foot", "mile", 5280), ("dime", "dollar", 10),
    ],
)  # fmt: skip
def test_factors_follow_from_sizes(small: str, large: str, expected: int) -> None:
    """Factors follow from sizes; where authors use several, the usual one is taken."""
    assert factor(small, large) == expected


def test_units_of_different_dimensions_have_no_factor() -> None:
    """Nor has a smaller unit as many of a larger."""
    for small, large in (("hour", "meter"), ("day", "hour"), ("apple", "day")):
        with pytest.raises(KeyError):
            factor(small, large)


def test_a_unit_has_a_size_in_each_of_its_dimensions() -> None:
    """An ounce is a weight or a volume; a coin is no unit of an equation."""
    assert sizes("oz") == {"imperial weight": (1,), "imperial volume": (6,)}
    assert sizes("mg") == {"weight": (Fraction(1, 1000),)}
    assert (sizes("quarter"), sizes(singular_unit("Feet"))) == ({}, {"imperial length": (12,)})


def test_the_usual_days_are_the_usual_size() -> None:
    """A month and a year have their usual number of days."""
    assert [(unit, factor("day", unit)) for unit in DAYS] == [(unit, days[0]) for unit, days in DAYS.items()]


def test_facts_state_their_values() -> None:
    """In one place of the sentence, and the known ones are the constants."""
    assert [fact.says for fact in FACTS if fact.says.count("{}") != 1] == []
    assert {fact.value for fact in FACTS if fact.known} == KNOWN_CONSTANTS.keys()
