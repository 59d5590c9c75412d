"""Slips that take one operation for another: a product for a quotient, a plus for a minus."""

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.slip import ComputedResult, is_power_of_ten, slip
from harness.domain import Exact
from harness.text.number_forms import NumberKind

LARGEST_DIVISOR = 12
LARGEST_SHARE = 3
LARGEST_FACTOR = 400
LARGEST_SUM = 5


@slip(
    "reciprocal_multiplication",
    "3/5 * 15 = 9: 25",
    "8 / 1/2 = 16: 4",
    "24 / 3 = 8: 72",
    "24 * 3 = 72:",
    "1200 / 30 = 40:",
    rank=60,
    cause="Multiplying and dividing were mixed up",
)
def reciprocal_multiplication(computed: ComputedResult) -> Iterator[Exact]:
    """Yield a * f as a / f for a fraction f, and a / b as a * b for a fraction or a small whole number b.

    The wrong value is at most a few hundred times the right one, or that part of it, to the hundredth.
    """
    for wrong in _inverse_results(computed):
        factor = Fraction(wrong) / computed.value if computed.value > 0 else Fraction(0)
        if 1 <= factor * LARGEST_FACTOR <= LARGEST_FACTOR**2 and 100 % wrong.denominator == 0:
            yield wrong


def _inverse_results(computed: ComputedResult) -> Iterator[Exact]:
    if computed.operator == "*" and all(computed.operands):
        left, right = computed.operands
        for other, factor in ((left, right), (right, left)):
            if factor.denominator != 1 and factor <= LARGEST_SHARE:
                yield Fraction(other) / factor
    elif computed.operator == "/" and computed.form.kind is not NumberKind.FRACTION:
        left, right = computed.operands
        small = right.denominator == 1 and right <= LARGEST_DIVISOR and not is_power_of_ten(right)
        if right.denominator != 1 or (small and computed.value.denominator == 1):
            yield left * right


@slip(
    "sign_slip",
    "24 - 6 = 18: 30",
    "6 - 24 = -18: 18 30",
    "6 * -3 = -18: 18",
    "24 + 6 = 30:",
    "100 - 90 = 10:",
    rank=90,
    cause="Plus and minus were mixed up",
)
def sign_slip(computed: ComputedResult) -> Iterator[Exact]:
    """Yield a negative result without its sign, and a difference worked out as a sum.

    The sum is left out where it is many times the rest: the parts of a whole do not add up to more.
    """
    if computed.value < 0:
        yield -computed.value
    if computed.operator == "-":
        left, right = computed.operands
        if computed.value < 0 or (left > 1 and left + right <= LARGEST_SUM * (left - right)):
            yield left + right
