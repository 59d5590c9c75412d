"""Slip: a zero is added or left out, so that a whole number is off by a factor of ten."""

from collections.abc import Iterator

from generators.flaws.slip import ComputedResult, digits_of, examples, exceeds_whole, is_round, slip, trailing_zeros
from harness.domain import Exact


@slip(
    "off_by_factor_of_ten",
    rank=80,
    cause="A zero too many or too few was written",
    examples=examples(
        *("5 * 600 = 3000: 30000 300", "1200 / 30 = 40: 400 4", "120 / 10 = 12:", "1500 + 3000 = 4500: 45000 450"),
        *("900 - 400 = 500: 50", "12 * 3 = 36:", "50 + 40 = 90:"),
    ),
)
def off_by_factor_of_ten(computed: ComputedResult) -> Iterator[Exact]:
    """Yield a tenfold and a tenth of a whole number, in products and quotients where zeros are counted or decimals take part.

    In sums and differences only hundreds are lost or added, when every number is round; no part is larger than its whole.
    """
    digits = digits_of(computed)
    number = None if digits is None else digits.whole
    if digits is None or not number:
        return
    zeros, operands = trailing_zeros(number), computed.operands
    counts = {
        "": zeros > 0,
        "+": zeros > 1 and all(map(is_round, operands)),
        "-": zeros > 1 and all(map(is_round, operands)),
        "*": zeros > 0 or any(map(_counts_places, operands)),
        "/": zeros > 0 or any(map(_counts_places, operands)),
    }
    if counts.get(computed.operator):
        if not exceeds_whole(computed, digits.value(number * 10, 0)):
            yield digits.value(number * 10, 0)
        if zeros and number >= 20:
            yield digits.value(number // 10, 0)


def _counts_places(operand: Exact) -> bool:
    """Tell whether a number is round or a decimal fraction below one."""
    return is_round(operand) or (0 < operand < 1 and 1000 % operand.denominator == 0)
