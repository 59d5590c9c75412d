"""Slip: two neighbouring digits of the result are swapped when it is written down."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.slip import ComputedResult, digits_of, example, plausible_values, slip, trailing_zeros
from harness.domain import Exact

LONGEST = 9


@slip(
    "digit_transposition",
    rank=20,
    cause="Two digits changed places",
    examples=(
        example(36, (12, "*", 3), 63),
        example(1375, None, 1357, 1735, 3175),
        example(120, (60, "*", 2), 210, 102),
        example(1500, None, 5100),
        example(Fraction(25, 2), None, Fraction(43, 2), Fraction(76, 5)),
        example(16, (32, "-", 16)),
        example(55, None),
        example(7, None),
    ),
)
def digit_transposition(computed: ComputedResult) -> Iterator[Exact]:
    """Yield each swap of two different neighbours, from the right: the first digit is the one a person looks at.

    Swaps with a zero and across the decimal point come last; no swap leaves a zero in front or breaks up the zeros of
    a round number, only the single one of 120.
    """
    digits = digits_of(computed)
    if digits is None or not 10 <= digits.number < 10**LONGEST:
        return
    text = str(digits.number)
    point = len(text) - digits.places - 1
    last = len(text) - (trailing_zeros(digits.number) if trailing_zeros(digits.number) > 1 else 0)
    places = [at for at in reversed(range(last - 1)) if text[at] != text[at + 1] and (at > 0 or text[1] != "0")]
    places.sort(key=lambda at: ("0" in text[at : at + 2]) + 2 * (at == point))
    swapped = (int(f"{text[:at]}{text[at + 1]}{text[at]}{text[at + 2 :]}") for at in places)
    yield from plausible_values(computed, map(digits.value, swapped))
