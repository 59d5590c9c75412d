"""Slip: the last decimal of a decimal number is off by one or two."""

from collections.abc import Iterator

from generators.flaws.slip import ComputedResult, digits_of, examples, plausible_values, slip, trailing_zeros
from harness.domain import Exact


@slip(
    "float_off_by_n",
    rank=100,
    cause="The last decimal is wrong",
    examples=examples("24.25: 24.26 24.24 24.27 24.23", "0.1: 0.2 0.3", "24:"),
)
def float_off_by_n(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the value with its last decimal that is not zero off by one, then by two, still positive and not whole."""
    digits = digits_of(computed)
    if digits is None or digits.whole is not None:
        return
    zeros = trailing_zeros(digits.number)
    number, places = digits.number // 10**zeros, digits.places - zeros
    numbers = (number + sign * amount for amount in (1, 2) for sign in (1, -1))
    values = (digits.value(wrong, places) for wrong in numbers if wrong > 0 and wrong % 10**places)
    yield from plausible_values(computed, values)
