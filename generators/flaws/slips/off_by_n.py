"""Slip: the result is miscounted by one, two or three, depending on its size."""

from collections.abc import Iterator

from generators.flaws.slip import ComputedResult, digits_of, examples, is_power_of_ten, is_round, plausible_values, slip
from harness.domain import Exact

KNOWN_BY_HEART = 10
LARGE = 20


@slip(
    "off_by_n",
    rank=110,
    cause="The result is miscounted",
    examples=examples(
        *("9 + 7 = 16: 17 15 18 14", "7 * 8 = 56: 57 55 58 54 59 53", "15 - 8 = 7: 8 6", "12.75: 13.75 11.75"),
        *("80 - 52 = 28: 29 27 30 26 31 25", "3 + 2 = 5:", "120 + 50 = 170:", "40 * 3 = 120:", "3200 / 4 = 800:", "2:"),
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
    steps = ((1, 5),) if digits.whole is None else ((1, 3), (2, 8), (3, LARGE + 1))
    most = min(computed.operands, default=LARGE) if computed.operator in {"+", "-"} else LARGE
    amounts = [amount for amount, least in steps if number >= least * unit and amount <= most]
    values = (digits.value(number + sign * amount * unit) for amount in amounts for sign in (1, -1))
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
