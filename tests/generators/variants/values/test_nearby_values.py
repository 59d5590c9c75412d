"""Tests of nearby values: a wrong value is close to the right one, of the same kind and in the same notation."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.values.nearby_values import FURTHEST, neighbors_of
from harness.text.number_forms import PLAIN, NumberForm, NumberKind

PENS = Unit(Quantity.COUNT, "pen")


@given(st.integers(1, 10**6), st.frozensets(st.integers(1, 60)))
def test_wrong_values_are_close_and_as_long(value: int, avoided: frozenset[int]) -> None:
    """They are whole, positive, at most half as much away, none of those avoided, and have as many digits."""
    found = neighbors_of(value, PLAIN, PENS, avoided)
    assert found == sorted(set(found))
    for other in found:
        assert other != value
        assert other not in avoided
        assert other > 0
        assert other.denominator == 1
        assert len(str(other)) == len(str(value))
        assert abs(Fraction(other) - value) <= max(value * FURTHEST, Fraction(2))


@pytest.mark.parametrize(
    ("value", "others"),
    [
        (7, [5, 6, 8, 9]),
        (40, [20, 30, 35, 45, 50, 60]),
        (100, [110, 120, 130, 140, 150]),
    ],
)
def test_round_numbers_have_round_neighbours(value: int, others: list[int]) -> None:
    """Nobody takes 40 for 41."""
    assert [neighbor for neighbor in neighbors_of(value, PLAIN, PENS, {value}) if neighbor in others] == others


def test_fractions_and_money_keep_their_form() -> None:
    """A third stays a number of thirds, $12.50 a price with two decimals, a word is any other word."""
    thirds = NumberForm(NumberKind.FRACTION, denominator=3)
    assert Fraction(1, 3) in neighbors_of(Fraction(2, 3), thirds, Unit(Quantity.SHARE), {1})
    assert neighbors_of(Fraction(2, 3), thirds, Unit(Quantity.SHARE), {1}) == [Fraction(1, 3)]
    price = NumberForm(NumberKind.NUMERAL, places=2, padded=True, money=True)
    assert all(
        len(price.write(neighbor) or "") == 5
        for neighbor in neighbors_of(Fraction(25, 2), price, Unit(Quantity.MONEY, "dollar"), set())
    )
    assert 12 in neighbors_of(11, NumberForm(NumberKind.WORDS), PENS, {11})
