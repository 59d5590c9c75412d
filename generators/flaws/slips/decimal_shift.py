"""Slip: the decimal point is misplaced by one digit, to the right or to the left."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.slip import ComputedResult, digits_of, example, exceeds_whole, slip
from generators.flaws.solution.quantity_units import Quantity
from harness.domain import Exact


@slip(
    "decimal_shift",
    rank=70,
    cause="The decimal point is in the wrong place",
    examples=(
        example(Fraction(5, 2), None, 25, Fraction(1, 4), unit=Quantity.MEASURE),
        example(Fraction(97, 4), None, Fraction(485, 2), unit=Quantity.MONEY),
        example(Fraction(15, 2), (9, "-", Fraction(3, 2)), Fraction(3, 4), unit=Quantity.MEASURE),
        example(24, None),
    ),
)
def decimal_shift(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the value with its point moved by one place to the right, then to the left; money keeps to cents, a part below its whole."""
    digits = digits_of(computed)
    if digits is None or digits.whole is not None:
        return
    most = 2 if computed.unit.quantity is Quantity.MONEY else 3
    for change in (-1, 1):
        value = digits.value(digits.number, digits.places + change)
        if (value * abs(digits.scale) * 10**most).denominator == 1 and not exceeds_whole(computed, value):
            yield value
