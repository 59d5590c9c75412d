"""Slip: a minus is read as a plus, or a minus sign is lost."""

from collections.abc import Iterator

from generators.flaws.slip import ComputedResult, examples, slip
from harness.domain import Exact

LARGEST_FACTOR = 5


@slip(
    "sign_slip",
    rank=90,
    cause="Plus and minus were mixed up",
    examples=examples("24 - 6 = 18: 30", "6 - 24 = -18: 18 30", "6 * -3 = -18: 18", "24 + 6 = 30:", "100 - 90 = 10:"),
)
def sign_slip(computed: ComputedResult) -> Iterator[Exact]:
    """Yield a negative result without its sign, and a difference worked out as a sum.

    The sum is left out where it is many times the rest: the parts of a whole do not add up to more.
    """
    if computed.value < 0:
        yield -computed.value
    if computed.operator == "-":
        left, right = computed.operands
        if computed.value < 0 or (left > 1 and left + right <= LARGEST_FACTOR * (left - right)):
            yield left + right
