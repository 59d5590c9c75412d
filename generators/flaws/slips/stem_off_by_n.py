"""Slip: in a calculation with round numbers, the digits before the zeros are off by one or two."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.written_digits import (
    digits_of,
    is_plausible_value,
    is_power_of_ten,
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
SMALLEST_STEM = 4


@slip(
    "stem_off_by_n",
    rank=30,
    phrases=explanation_phrases("stem_off_by_n")["phrases"],
    examples=(
        SlipExample(ComputedResult(170, PLAIN, _COUNT, "+", (120, 50)), (180, 160, 190, 150)),
        SlipExample(ComputedResult(50, PLAIN, _COUNT, "-", (80, 30)), (60, 40)),
        SlipExample(ComputedResult(70, PLAIN, _COUNT, "-", (80, 10)), (60,)),
        SlipExample(ComputedResult(100, PLAIN, _COUNT, "+", (60, 40)), (110, 90, 120, 80)),
        SlipExample(ComputedResult(2000, PLAIN, _COUNT, "*", (40, 50)), (2100, 1900, 2200, 1800)),
        SlipExample(ComputedResult(20, PLAIN, _COUNT, "+", (10, 10)), ()),
        SlipExample(ComputedResult(100, PLAIN, _COUNT, "+", (75, 25)), ()),
        SlipExample(ComputedResult(300, PLAIN, _COUNT, "*", (3, 100)), ()),
        SlipExample(ComputedResult(170, PLAIN, _COUNT), (180, 160, 190, 150)),
    ),
)
def stem_off_by_n(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the round number with its stem off by one, then by two where that is at most a fifth of it.

    The stem of 170 is 17, of 50 it is 5; a stem below four takes a zero along, 10 of 100. An operand must be round, and
    multiplication by a power of ten needs no calculation.
    """
    digits = digits_of(computed)
    number = None if digits is None else digits.whole
    if digits is None or not number or not _calculated_round(computed):
        return
    unit = 10 ** trailing_zeros(number)
    if number // unit < SMALLEST_STEM:
        unit //= 10
    stem = number // unit if unit > 1 else 0
    amounts = [amount for amount in (1, 2) if amount * 5 <= stem or (amount == 1 and stem)]
    stems = [stem + sign * amount for amount in amounts for sign in (1, -1)]
    values = (digits.say(wrong * unit, 0) for wrong in stems)
    yield from likeliest_values(computed, (value for value in values if is_plausible_value(computed, value)))


def _calculated_round(computed: ComputedResult) -> bool:
    if not computed.operator:
        return True
    if computed.operator in {"*", "/"} and any(is_power_of_ten(value) for value in computed.operands):
        return False
    return any(is_round(value) for value in computed.operands)
