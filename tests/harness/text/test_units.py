"""Tests of units: their sizes, and the agreement of world knowledge facts with them."""

import pytest

from harness.text.units import FACTS, KNOWN_CONSTANTS, factor


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


def test_facts_state_their_values() -> None:
    """In one place of the sentence, and the known ones are the constants."""
    assert [fact.says for fact in FACTS if fact.says.count("{}") != 1] == []
    assert {fact.value for fact in FACTS if fact.known} == KNOWN_CONSTANTS.keys()
