"""Slip: a minus sign is lost, or a minus is read as a plus or the reverse."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.slip import ComputedResult, example, slip
from harness.domain import Exact

LARGEST_FACTOR = 5


@slip(
    "sign_slip",
    rank=90,
    cause="Plus and minus were mixed up",
    examples=(
        example(18, (24, "-", 6), 30),
        example(-18, (6, "-", 24), 18, 30),
        example(18, (24, "+", -6), 30, -18),
        example(-18, (6, "*", -3), 18),
        example(30, (24, "+", 6)),
        example(10, (100, "-", 90)),
    ),
)
def sign_slip(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the results with the sign of an operand or of the result reversed, where there is a minus to be misread.

    Where no number is negative that is a difference worked out as a sum; the parts of a whole do not add up to more.
    """
    value, operands = computed.value, computed.operands
    negative = value < 0 or any(operand < 0 for operand in operands)
    if value < 0:
        yield -value
    if computed.operator == "-":
        left, right = operands
        if negative or (left > 1 and left + right <= LARGEST_FACTOR * (left - right)):
            yield left + right
    elif computed.operator == "+" and negative:
        yield operands[0] - operands[1]
    if negative and value > 0:
        yield -value
