"""Slip: a fraction or a quotient is written upside down, as its reciprocal."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.knowledge.written_digits import is_power_of_ten, likeliest_values
from generators.flaws.slip import ComputedResult, SlipExample, slip
from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.domain import Exact
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.number_forms import PLAIN, NumberForm, NumberKind

_HOURS = Unit(Quantity.TIME, "hour")
_COUNT = Unit(Quantity.COUNT, "apple")
LARGEST_FACTOR = 100
LARGEST_PART = 20


@slip(
    "reciprocal",
    rank=50,
    phrases=explanation_phrases("reciprocal")["phrases"],
    examples=(
        SlipExample(
            ComputedResult(Fraction(2, 3), NumberForm(NumberKind.FRACTION, denominator=3), _HOURS, "/", (2, 3)),
            (Fraction(3, 2),),
        ),
        SlipExample(ComputedResult(Fraction(1, 3), NumberForm(NumberKind.FRACTION, denominator=3), _HOURS), (3,)),
        SlipExample(ComputedResult(Fraction(1, 4), PLAIN, _HOURS, "/", (15, 60)), (4,)),
        SlipExample(ComputedResult(Fraction(5, 2), PLAIN, _HOURS, "/", (50, 20)), (Fraction(2, 5),)),
        SlipExample(ComputedResult(2, PLAIN, _HOURS, "/", (50, 25)), (Fraction(1, 2),)),
        SlipExample(ComputedResult(2, PLAIN, _COUNT, "/", (50, 25)), ()),
        SlipExample(ComputedResult(2, NumberForm(NumberKind.FRACTION, denominator=3), _HOURS), ()),
        SlipExample(ComputedResult(Fraction(5, 2), PLAIN, _HOURS, "/", (250, 100)), ()),
        SlipExample(ComputedResult(Fraction(3, 4), PLAIN, _HOURS, "/", (3, 4)), ()),
        SlipExample(ComputedResult(Fraction(1, 4), PLAIN, _HOURS, "*", (Fraction(1, 2), Fraction(1, 2))), ()),
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
        yield from likeliest_values(computed, (1 / value,))


_DIVISIBLE = frozenset({Quantity.MONEY, Quantity.TIME, Quantity.MEASURE})


def _is_quotient(computed: ComputedResult) -> bool:
    if computed.operator != "/":
        return False
    left, right = computed.operands
    return not is_power_of_ten(right) and left not in {0, 1} and left == computed.value * right
