"""Slip: the last decimal of a decimal number is off by one or two."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.slip import ComputedResult, digits_of, example, plausible_values, slip
from harness.domain import Exact


@slip(
    "float_off_by_n",
    rank=100,
    cause="The last decimal is wrong",
    examples=(
        example(
            Fraction(97, 4), None, Fraction(2426, 100), Fraction(2424, 100), Fraction(2427, 100), Fraction(2423, 100)
        ),
        example(Fraction(1, 10), None, Fraction(2, 10), Fraction(3, 10)),
        example(24, None),
    ),
)
def float_off_by_n(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the value with its last decimal that is not zero off by one, then by two, still positive and not whole."""
    digits = digits_of(computed)
    if digits is None or digits.whole is not None:
        return
    number, places = digits.number, digits.places
    while number % 10 == 0:
        number, places = number // 10, places - 1
    numbers = (number + sign * amount for amount in (1, 2) for sign in (1, -1))
    values = (digits.value(wrong, places) for wrong in numbers if wrong > 0 and wrong % 10**places)
    yield from plausible_values(computed, values)
