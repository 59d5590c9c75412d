"""Slip: a zero is added or left out, so that a whole number is off by a factor of ten."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.written_digits import (
    digits_of,
    exceeds_whole,
    is_round,
    likeliest_values,
    trailing_zeros,
)
from generators.flaws.slip import ComputedResult, SlipExample, slip
from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.domain import Exact
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.number_forms import PLAIN

_COUNT = Unit(Quantity.COUNT, "apple")


@slip(
    "off_by_factor_of_ten",
    rank=80,
    phrases=explanation_phrases("off_by_factor_of_ten")["phrases"],
    examples=(
        SlipExample(ComputedResult(3000, PLAIN, _COUNT, "*", (5, 600)), (30000, 300)),
        SlipExample(ComputedResult(40, PLAIN, _COUNT, "/", (1200, 30)), (400, 4)),
        SlipExample(ComputedResult(12, PLAIN, _COUNT, "/", (120, 10)), ()),
        SlipExample(ComputedResult(20, PLAIN, _COUNT, "/", (100, 5)), (2,)),
        SlipExample(ComputedResult(4500, PLAIN, _COUNT, "+", (1500, 3000)), (450, 45000)),
        SlipExample(ComputedResult(500, PLAIN, _COUNT, "-", (900, 400)), (50,)),
        SlipExample(ComputedResult(36, PLAIN, _COUNT, "*", (12, 3)), ()),
        SlipExample(ComputedResult(90, PLAIN, _COUNT, "+", (50, 40)), ()),
        SlipExample(ComputedResult(10, PLAIN, _COUNT, "*", (5, 2)), (100,)),
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
            numbers = (less,) if exceeds_whole(computed, digits.say(more, 0)) else (more, less)
        case "" if trailing_zeros(number):
            numbers = (more, less)
    yield from likeliest_values(computed, (digits.say(number, 0) for number in numbers))


def _counts_places(operand: Exact) -> bool:
    """Tell whether a number is round or a decimal fraction below one."""
    return is_round(operand) or (0 < operand < 1 and 1000 % operand.denominator == 0)
