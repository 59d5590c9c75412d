"""Slips in the digits of a result: two of them change places, zeros are added or lost, the last ones are miscounted."""

from collections.abc import Iterator

from generators.flaws.slip import (
    ComputedResult,
    exceeds_whole,
    is_power_of_ten,
    is_round,
    plausible_values,
    slip,
    trailing_zeros,
)
from harness.domain import Exact

LONGEST = 9
SMALLEST_STEM = 4
KNOWN_BY_HEART = 10
LARGE = 20


@slip(
    "digit_transposition",
    *("12 * 3 = 36: 63", "1375: 1357 1735 3175", "60 * 2 = 120: 210 102", "1500: 5100", "12.5: 21.5 15.2"),
    *("32 - 16 = 16:", "55:", "7:"),
    rank=20,
    cause="Two digits changed places",
)
def digit_transposition(computed: ComputedResult) -> Iterator[Exact]:
    """Yield each swap of two different neighbours, from the right: the first digit is the one a person looks at.

    Swaps with a zero and across the decimal point come last; no swap leaves a zero in front or breaks up the zeros of
    a round number, only the single one of 120.
    """
    digits = computed.digits
    if not 10 <= digits.number < 10**LONGEST:
        return
    text = str(digits.number)
    zeros, point = trailing_zeros(digits.number), len(text) - digits.places - 1
    pairs = reversed(range(len(text) - 1 - (zeros if zeros > 1 else 0)))
    places = [at for at in pairs if text[at] != text[at + 1] and (at > 0 or text[1] != "0")]
    places.sort(key=lambda at: ("0" in text[at : at + 2]) + 2 * (at == point))
    swapped = (int(f"{text[:at]}{text[at + 1]}{text[at]}{text[at + 2 :]}") for at in places)
    yield from plausible_values(computed, map(digits.value, swapped))


@slip(
    "stem_off_by_n",
    *("120 + 50 = 170: 180 160 190 150", "80 - 10 = 70: 60", "60 + 40 = 100: 110 90 120 80"),
    *("40 * 50 = 2000: 2100 1900 2200 1800", "75 + 25 = 100:", "3 * 100 = 300:"),
    rank=30,
    cause="A digit before the zeros is wrong",
)
def stem_off_by_n(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the round number with its stem off by one, then by two where that is at most a fifth of it.

    The stem of 170 is 17, of 50 it is 5; a stem below four takes a zero along, 10 of 100. An operand must be round, and
    multiplication by a power of ten needs no calculation.
    """
    digits, number = computed.digits, computed.digits.whole
    if not number or (computed.operands and not any(map(is_round, computed.operands))):
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


@slip(
    "off_by_factor_of_ten",
    *("5 * 600 = 3000: 30000 300", "1200 / 30 = 40: 400 4", "120 / 10 = 12:", "1500 + 3000 = 4500: 45000 450"),
    *("900 - 400 = 500: 50", "12 * 3 = 36:", "50 + 40 = 90:"),
    rank=80,
    cause="A zero too many or too few was written",
)
def off_by_factor_of_ten(computed: ComputedResult) -> Iterator[Exact]:
    """Yield a tenfold and a tenth of a whole number, in products and quotients where zeros are counted or decimals take part.

    In sums and differences only hundreds are lost or added, when every number is round; no part is larger than its whole.
    """
    digits, number, operands = computed.digits, computed.digits.whole, computed.operands
    if not number:
        return
    zeros = trailing_zeros(number)
    match computed.operator:
        case "+" | "-":
            counted = zeros > 1 and all(map(is_round, operands))
        case "*" | "/" | "":
            decimals = any(0 < operand < 1 and 1000 % operand.denominator == 0 for operand in operands)
            counted = zeros > 0 or decimals or any(map(is_round, operands))
        case _:
            counted = False
    if counted:
        if not exceeds_whole(computed, digits.value(number * 10, 0)):
            yield digits.value(number * 10, 0)
        if zeros and number >= 20:
            yield digits.value(number // 10, 0)


@slip(
    "float_off_by_n",
    "24.25: 24.26 24.24 24.27 24.23",
    "0.1: 0.2 0.3",
    "24:",
    rank=100,
    cause="The last decimal is wrong",
)
def float_off_by_n(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the value with its last decimal that is not zero off by one, then by two, still positive and not whole."""
    digits = computed.digits
    if digits.whole is not None:
        return
    zeros = trailing_zeros(digits.number)
    number, places = digits.number // 10**zeros, digits.places - zeros
    numbers = (number + sign * amount for amount in (1, 2) for sign in (1, -1))
    values = (digits.value(wrong, places) for wrong in numbers if wrong > 0 and wrong % 10**places)
    yield from plausible_values(computed, values)


@slip(
    "off_by_n",
    *("9 + 7 = 16: 17 15 18 14", "7 * 8 = 56: 57 55 58 54 59 53", "15 - 8 = 7: 8 6", "12.75: 13.75 11.75"),
    *("80 - 52 = 28: 29 27 30 26 31 25", "3 + 2 = 5:", "120 + 50 = 170:", "40 * 3 = 120:", "3200 / 4 = 800:", "2:"),
    rank=110,
    cause="The result is miscounted",
)
def off_by_n(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the number off by one, by two from eight on, by three above twenty; with decimals its whole part off by one.

    The error is at most the number added or taken away, and not where the result is known by heart or can only be
    round.
    """
    digits = computed.digits
    if _is_known(computed):
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
