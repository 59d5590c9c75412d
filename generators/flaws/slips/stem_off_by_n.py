"""Slip: in a calculation with round numbers, the digits before the zeros are off by one or two."""

from collections.abc import Iterator

from generators.flaws.slip import (
    ComputedResult,
    digits_of,
    examples,
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
    examples=examples(
        *("120 + 50 = 170: 180 160 190 150", "80 - 10 = 70: 60", "60 + 40 = 100: 110 90 120 80"),
        *("40 * 50 = 2000: 2100 1900 2200 1800", "75 + 25 = 100:", "3 * 100 = 300:"),
    ),
)
def stem_off_by_n(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the round number with its stem off by one, then by two where that is at most a fifth of it.

    The stem of 170 is 17, of 50 it is 5; a stem below four takes a zero along, 10 of 100. An operand must be round, and
    multiplication by a power of ten needs no calculation.
    """
    digits = digits_of(computed)
    number = None if digits is None else digits.whole
    if digits is None or not number or (computed.operands and not any(map(is_round, computed.operands))):
        return
    if computed.operator in {"*", "/"} and any(map(is_power_of_ten, computed.operands)):
        return
    unit = 10 ** trailing_zeros(number)
    if number // unit < SMALLEST_STEM:
        unit //= 10
    stem = number // unit if unit > 1 else 0
    amounts = [amount for amount in (1, 2) if amount * 5 <= stem or (amount == 1 and stem)]
    values = (digits.value((stem + sign * amount) * unit, 0) for amount in amounts for sign in (1, -1))
    yield from plausible_values(computed, values)
