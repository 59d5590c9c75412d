"""Slip: the decimal point is misplaced by one digit, to the right or to the left."""

from collections.abc import Iterator

from generators.flaws.slip import ComputedResult, digits_of, examples, exceeds_whole, slip
from generators.flaws.solution.quantity_units import Quantity
from harness.domain import Exact


@slip(
    "decimal_shift",
    rank=70,
    cause="The decimal point is in the wrong place",
    examples=(
        *examples("2.5: 25 0.25", "9 - 1.5 = 7.5: 0.75", unit=Quantity.MEASURE),
        *examples("24.25: 242.5", "24:", unit=Quantity.MONEY),
    ),
)
def decimal_shift(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the value with its point moved by one place to the right, then to the left; money keeps to cents, a part below its whole."""
    digits = digits_of(computed)
    if digits is None or digits.whole is not None:
        return
    most = 2 if computed.unit.quantity is Quantity.MONEY else 3
    for change in (-1, 1):
        value = digits.value(digits.number, digits.places + change)
        if (value * abs(digits.scale) * 10**most).denominator == 1 and not exceeds_whole(computed, value):
            yield value
