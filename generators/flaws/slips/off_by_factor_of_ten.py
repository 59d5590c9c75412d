"""Slip: a zero is added or left out, so that a whole number is off by a factor of ten."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.slip import ComputedResult, digits_of, example, exceeds_whole, is_round, slip, trailing_zeros
from harness.domain import Exact


@slip(
    "off_by_factor_of_ten",
    rank=80,
    cause="A zero too many or too few was written",
    examples=(
        example(3000, (5, "*", 600), 30000, 300),
        example(40, (1200, "/", 30), 400, 4),
        example(12, (120, "/", 10)),
        example(4500, (1500, "+", 3000), 450, 45000),
        example(500, (900, "-", 400), 50),
        example(36, (12, "*", 3)),
        example(90, (50, "+", 40)),
    ),
)
def off_by_factor_of_ten(computed: ComputedResult) -> Iterator[Exact]:
    """Yield a tenfold and a tenth of a whole number, in products and quotients where zeros are counted or decimals take part, but no part larger than its whole.

    In sums and differences only hundreds are lost or, in sums, added, and only when every number is round.
    """
    digits = digits_of(computed)
    number = None if digits is None else digits.whole
    if digits is None or not number:
        return
    more, less = number * 10, number // 10 if number % 10 == 0 and number >= 20 else number
    numbers: tuple[int, ...] = ()
    match computed.operator:
        case "+" if trailing_zeros(number) >= 2 and all(map(is_round, computed.operands)):
            numbers = (less, more)
        case "-" if trailing_zeros(number) >= 2 and all(map(is_round, computed.operands)):
            numbers = (less,)
        case "*" | "/" if trailing_zeros(number) or any(map(_counts_places, computed.operands)):
            numbers = (less,) if exceeds_whole(computed, digits.value(more, 0)) else (more, less)
        case "" if trailing_zeros(number):
            numbers = (more, less)
    yield from (digits.value(wrong, 0) for wrong in numbers if wrong != number)


def _counts_places(operand: Exact) -> bool:
    """Tell whether a number is round or a decimal fraction below one."""
    return is_round(operand) or (0 < operand < 1 and 1000 % operand.denominator == 0)
