"""Slip: the result is miscounted by one, two or three, depending on its size."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.knowledge.written_digits import (
    digits_of,
    is_plausible_value,
    is_power_of_ten,
    is_round,
    likeliest_values,
)
from generators.flaws.slip import ComputedResult, SlipExample, slip
from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.domain import Exact
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.number_forms import PLAIN

_COUNT = Unit(Quantity.COUNT, "apple")
_MONEY = Unit(Quantity.MONEY, "dollar")
KNOWN_BY_HEART = 10
LARGE = 20


@slip(
    "off_by_n",
    rank=110,
    phrases=explanation_phrases("off_by_n")["phrases"],
    examples=(
        SlipExample(ComputedResult(16, PLAIN, _COUNT, "+", (9, 7)), (17, 15, 18, 14)),
        SlipExample(ComputedResult(56, PLAIN, _COUNT, "*", (7, 8)), (57, 55, 58, 54, 59, 53)),
        SlipExample(ComputedResult(7, PLAIN, _COUNT, "-", (15, 8)), (8, 6)),
        SlipExample(ComputedResult(4, PLAIN, _COUNT, "/", (12, 3)), (5, 3)),
        SlipExample(ComputedResult(Fraction(51, 4), PLAIN, _MONEY), (Fraction(55, 4), Fraction(47, 4))),
        SlipExample(ComputedResult(38, PLAIN, _COUNT, "-", (40, 2)), (39, 37, 36)),
        SlipExample(ComputedResult(5, PLAIN, _COUNT, "+", (3, 2)), ()),
        SlipExample(ComputedResult(170, PLAIN, _COUNT, "+", (120, 50)), ()),
        SlipExample(ComputedResult(45, PLAIN, _COUNT, "+", (25, 20)), ()),
        SlipExample(ComputedResult(28, PLAIN, _COUNT, "-", (80, 52)), (29, 27, 30, 26, 31, 25)),
        SlipExample(ComputedResult(120, PLAIN, _COUNT, "*", (40, 3)), ()),
        SlipExample(ComputedResult(800, PLAIN, _COUNT, "/", (3200, 4)), ()),
        SlipExample(ComputedResult(2, PLAIN, _COUNT), ()),
    ),
)
def off_by_n(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the number off by one, by two from eight on, by three above twenty; with decimals its whole part off by one.

    The error is at most the number added or taken away, and not where the result is known by heart or can only be
    round.
    """
    digits = digits_of(computed)
    if digits is None or _known(computed):
        return
    number, unit = digits.number, 10**digits.places
    if digits.whole is None:
        amounts = [1] if number >= 5 * unit else []
    else:
        amounts = [amount for amount, least in ((1, 3), (2, 8), (3, LARGE + 1)) if number >= least * unit]
    most = min(computed.operands, default=LARGE) if computed.operator in {"+", "-"} else LARGE
    values = (digits.say(number + sign * amount * unit) for amount in amounts if amount <= most for sign in (1, -1))
    yield from likeliest_values(computed, (value for value in values if is_plausible_value(computed, value)))


def _known(computed: ComputedResult) -> bool:
    """Tell whether the last digit is no question: 3 + 2, 48 + 50, 40 * 3, 3200 / 4."""
    operator, operands = computed.operator, computed.operands
    match operator:
        case "+":
            return computed.value <= KNOWN_BY_HEART or any(map(is_round, operands))
        case "-":
            return operands[0] <= KNOWN_BY_HEART or is_round(operands[1])
        case "*":
            return computed.value <= KNOWN_BY_HEART or any(
                is_round(factor) or is_power_of_ten(factor) for factor in operands
            )
        case "/":
            both_round = is_round(operands[0]) and is_round(computed.value)
            return operands[0] <= KNOWN_BY_HEART or is_power_of_ten(operands[1]) or both_round
    return False
