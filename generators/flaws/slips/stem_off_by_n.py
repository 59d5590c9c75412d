"""Slip: in a calculation with round numbers, the digits before the zeros are off by one or two."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.slip import (
    ComputedResult,
    digits_of,
    example,
    is_power_of_ten,
    is_round,
    plausible_values,
    slip,
    trailing_zeros,
)
from harness.domain import Exact

SMALLEST_STEM = 4


@slip(
    "stem_off_by_n",
    rank=30,
    cause="A digit before the zeros is wrong",
    examples=(
        example(170, (120, "+", 50), 180, 160, 190, 150),
        example(70, (80, "-", 10), 60),
        example(100, (60, "+", 40), 110, 90, 120, 80),
        example(2000, (40, "*", 50), 2100, 1900, 2200, 1800),
        example(100, (75, "+", 25)),
        example(300, (3, "*", 100)),
    ),
)
def stem_off_by_n(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the round number with its stem off by one, then by two where that is at most a fifth of it.

    The stem of 170 is 17, of 50 it is 5; a stem below four takes a zero along, 10 of 100. An operand must be round, and
    multiplication by a power of ten needs no calculation.
    """
    digits = digits_of(computed)
    number = None if digits is None else digits.whole
    if digits is None or not number or not _is_calculated(computed):
        return
    unit = 10 ** trailing_zeros(number)
    if number // unit < SMALLEST_STEM:
        unit //= 10
    stem = number // unit if unit > 1 else 0
    amounts = [amount for amount in (1, 2) if amount * 5 <= stem or (amount == 1 and stem)]
    values = (digits.value((stem + sign * amount) * unit, 0) for amount in amounts for sign in (1, -1))
    yield from plausible_values(computed, values)


def _is_calculated(computed: ComputedResult) -> bool:
    if computed.operator in {"*", "/"} and any(map(is_power_of_ten, computed.operands)):
        return False
    return not computed.operator or any(map(is_round, computed.operands))
