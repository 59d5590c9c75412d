"""Slip: two neighbouring digits of the result are swapped when it is written down."""

from collections.abc import Iterator

from generators.flaws.slip import ComputedResult, digits_of, examples, plausible_values, slip, trailing_zeros
from harness.domain import Exact

LONGEST = 9


@slip(
    "digit_transposition",
    rank=20,
    cause="Two digits changed places",
    examples=examples(
        *("12 * 3 = 36: 63", "1375: 1357 1735 3175", "60 * 2 = 120: 210 102", "1500: 5100", "12.5: 21.5 15.2"),
        *("32 - 16 = 16:", "55:", "7:"),
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
    zeros, point = trailing_zeros(digits.number), len(text) - digits.places - 1
    pairs = reversed(range(len(text) - 1 - (zeros if zeros > 1 else 0)))
    places = [at for at in pairs if text[at] != text[at + 1] and (at > 0 or text[1] != "0")]
    places.sort(key=lambda at: ("0" in text[at : at + 2]) + 2 * (at == point))
    swapped = (int(f"{text[:at]}{text[at + 1]}{text[at]}{text[at + 2 :]}") for at in places)
    yield from plausible_values(computed, map(digits.value, swapped))
