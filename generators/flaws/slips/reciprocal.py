"""Slip: a fraction or a quotient is written upside down, as its reciprocal."""

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.slip import ComputedResult, examples, is_power_of_ten, slip
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
        *examples("1/3: 3", form=NumberForm(NumberKind.FRACTION, denominator=3)),
        *examples("15 / 60 = 1/4: 4", "50 / 25 = 2:", "250 / 100 = 2.5:", "1/2 * 1/2 = 1/4:"),
        *examples("50 / 25 = 2: 1/2", unit=Quantity.TIME),
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
        plausible = computed.operator == "/" and (value.denominator > 1 or computed.unit.quantity in _DIVISIBLE)
        plausible = plausible and computed.operands[0] not in {0, 1} and not is_power_of_ten(computed.operands[1])
    if value and plausible and 1 <= LARGEST_FACTOR * value**2 <= LARGEST_FACTOR**2:
        yield 1 / value
