"""Slip: a fraction or a quotient is written upside down, as its reciprocal."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.slip import ComputedResult, SlipExample, example, is_power_of_ten, slip
from generators.flaws.solution.quantity_units import Quantity
from harness.domain import Exact
from harness.text.number_forms import NumberForm, NumberKind

LARGEST_FACTOR = 100
LARGEST_PART = 20
_DIVISIBLE = frozenset({Quantity.MONEY, Quantity.TIME, Quantity.MEASURE})


@slip(
    "reciprocal",
    rank=50,
    cause="The result is upside down",
    examples=(
        SlipExample(ComputedResult(Fraction(1, 3), NumberForm(NumberKind.FRACTION, denominator=3)), (3,)),
        example(Fraction(1, 4), (15, "/", 60), 4),
        example(2, (50, "/", 25), Fraction(1, 2), unit=Quantity.TIME),
        example(2, (50, "/", 25)),
        example(Fraction(5, 2), (250, "/", 100)),
        example(Fraction(1, 4), (Fraction(1, 2), "*", Fraction(1, 2))),
    ),
)
def reciprocal(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the reciprocal of a written fraction with small parts, or of a quotient it can be written for.

    A quotient and its reciprocal are at most a hundredfold apart; whole quotients are inverted where the quantity is
    divisible.
    """
    value = Fraction(computed.value)
    if computed.form.kind is NumberKind.FRACTION:
        plausible = value.denominator > 1 and max(abs(value.numerator), value.denominator) <= LARGEST_PART
    else:
        plausible = _is_quotient(computed) and (value.denominator > 1 or computed.unit.quantity in _DIVISIBLE)
    if value and plausible and 1 <= LARGEST_FACTOR * value**2 <= LARGEST_FACTOR**2:
        yield 1 / value


def _is_quotient(computed: ComputedResult) -> bool:
    if computed.operator != "/":
        return False
    left, right = computed.operands
    return not is_power_of_ten(right) and left not in {0, 1} and left == computed.value * right
