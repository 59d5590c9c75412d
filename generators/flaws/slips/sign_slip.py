"""Slip: a minus sign is lost, or a minus is read as a plus or the reverse."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.knowledge.written_digits import likeliest_values
from generators.flaws.slip import ComputedResult, SlipExample, slip
from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.domain import Exact
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.number_forms import PLAIN, NumberForm, NumberKind

_COUNT = Unit(Quantity.COUNT, "apple")
_DEGREES = Unit(Quantity.MEASURE, "degree")
LARGEST_FACTOR = 5


@slip(
    "sign_slip",
    rank=90,
    phrases=explanation_phrases("sign_slip")["phrases"],
    examples=(
        SlipExample(ComputedResult(18, PLAIN, _COUNT, "-", (24, 6)), (30,)),
        SlipExample(ComputedResult(-18, PLAIN, _DEGREES, "-", (6, 24)), (18, 30)),
        SlipExample(ComputedResult(30, PLAIN, _DEGREES, "-", (24, -6)), (18, -30)),
        SlipExample(ComputedResult(18, PLAIN, _DEGREES, "+", (24, -6)), (30, -18)),
        SlipExample(ComputedResult(-18, PLAIN, _DEGREES, "*", (6, -3)), (18,)),
        SlipExample(ComputedResult(30, PLAIN, _COUNT, "+", (24, 6)), ()),
        SlipExample(ComputedResult(10, PLAIN, _COUNT, "-", (100, 90)), ()),
        SlipExample(
            ComputedResult(
                Fraction(1, 4), NumberForm(NumberKind.FRACTION, denominator=4), _COUNT, "-", (1, Fraction(3, 4))
            ),
            (),
        ),
    ),
)
def sign_slip(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the results with the sign of an operand or of the result reversed, where there is a minus to be misread.

    Where no number is negative that is a difference worked out as a sum; the parts of a whole do not add up to more.
    """
    value, operands = computed.value, computed.operands
    negative = value < 0 or any(operand < 0 for operand in operands)
    values: list[Exact] = []
    if negative and value < 0:
        values.append(-value)
    if computed.operator == "-" and (negative or _plausible_sum(*operands)):
        values.append(operands[0] + operands[1])
    elif computed.operator == "+" and negative:
        values.append(operands[0] - operands[1])
    if negative and value > 0:
        values.append(-value)
    yield from likeliest_values(computed, values)


def _plausible_sum(left: Exact, right: Exact) -> bool:
    """Tell whether the sum is not far more than the difference, and no whole is exceeded by its parts."""
    return left > 1 and left + right <= LARGEST_FACTOR * (left - right)
