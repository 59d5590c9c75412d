"""Slip: the result is miscounted by one, two or three, depending on its size."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.slip import ComputedResult, digits_of, example, is_power_of_ten, is_round, plausible_values, slip
from harness.domain import Exact

KNOWN_BY_HEART = 10
LARGE = 20


@slip(
    "off_by_n",
    rank=110,
    cause="The result is miscounted",
    examples=(
        example(16, (9, "+", 7), 17, 15, 18, 14),
        example(56, (7, "*", 8), 57, 55, 58, 54, 59, 53),
        example(7, (15, "-", 8), 8, 6),
        example(Fraction(51, 4), None, Fraction(55, 4), Fraction(47, 4)),
        example(5, (3, "+", 2)),
        example(170, (120, "+", 50)),
        example(28, (80, "-", 52), 29, 27, 30, 26, 31, 25),
        example(120, (40, "*", 3)),
        example(800, (3200, "/", 4)),
        example(2, None),
    ),
)
def off_by_n(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the number off by one, by two from eight on, by three above twenty; with decimals its whole part off by one.

    The error is at most the number added or taken away, and not where the result is known by heart or can only be
    round.
    """
    digits = digits_of(computed)
    if digits is None or _is_known(computed):
        return
    number, unit = digits.number, 10**digits.places
    if digits.whole is None:
        amounts = [1] if number >= 5 * unit else []
    else:
        amounts = [amount for amount, least in ((1, 3), (2, 8), (3, LARGE + 1)) if number >= least * unit]
    most = min(computed.operands, default=LARGE) if computed.operator in {"+", "-"} else LARGE
    values = (digits.value(number + sign * amount * unit) for amount in amounts if amount <= most for sign in (1, -1))
    yield from plausible_values(computed, values)


def _is_known(computed: ComputedResult) -> bool:
    """Tell whether the last digit is no question: 3 + 2, 48 + 50, 40 * 3, 3200 / 4."""
    operands, value = computed.operands, computed.value
    match computed.operator:
        case "+":
            return value <= KNOWN_BY_HEART or any(map(is_round, operands))
        case "-":
            return operands[0] <= KNOWN_BY_HEART or is_round(operands[1])
        case "*":
            return value <= KNOWN_BY_HEART or any(is_round(factor) or is_power_of_ten(factor) for factor in operands)
        case "/":
            both_round = is_round(operands[0]) and is_round(value)
            return operands[0] <= KNOWN_BY_HEART or is_power_of_ten(operands[1]) or both_round
    return False
