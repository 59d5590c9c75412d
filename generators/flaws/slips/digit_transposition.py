"""Slip: two neighbouring digits of the result are swapped when it is written down."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.knowledge.written_digits import (
    Digits,
    digits_of,
    is_plausible_value,
    likeliest_values,
    trailing_zeros,
)
from generators.flaws.slip import ComputedResult, SlipExample, slip
from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.domain import Exact
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.number_forms import PLAIN, NumberForm, NumberKind

_COUNT = Unit(Quantity.COUNT, "apple")
_MONEY = Unit(Quantity.MONEY, "dollar")
_DOLLARS = NumberForm(NumberKind.NUMERAL, before="$", places=2, padded=True, money=True)
LONGEST = 9


@slip(
    "digit_transposition",
    rank=20,
    phrases=explanation_phrases("digit_transposition")["phrases"],
    examples=(
        SlipExample(ComputedResult(36, PLAIN, _COUNT, "*", (12, 3)), (63,)),
        SlipExample(ComputedResult(1375, PLAIN, _COUNT), (1357, 1735, 3175)),
        SlipExample(ComputedResult(120, PLAIN, _COUNT, "*", (60, 2)), (210, 102)),
        SlipExample(ComputedResult(1500, PLAIN, _COUNT), (5100,)),
        SlipExample(
            ComputedResult(Fraction(25, 2), _DOLLARS, _MONEY), (Fraction(43, 2), Fraction(241, 20), Fraction(76, 5))
        ),
        SlipExample(
            ComputedResult(Fraction(1, 4), NumberForm(NumberKind.NUMERAL, after="%", scale=100), _COUNT),
            (Fraction(52, 100),),
        ),
        SlipExample(ComputedResult(210, PLAIN, _COUNT, "+", (120, 90)), (201,)),
        SlipExample(ComputedResult(16, PLAIN, _COUNT, "-", (32, 16)), ()),
        SlipExample(ComputedResult(55, PLAIN, _COUNT), ()),
        SlipExample(ComputedResult(20, PLAIN, _COUNT), ()),
        SlipExample(ComputedResult(7, PLAIN, _COUNT), ()),
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
    last = len(text) - (trailing_zeros(digits.number) if trailing_zeros(digits.number) > 1 else 0)
    places = [at for at in reversed(range(last - 1)) if _swappable(text, at)]
    places.sort(key=lambda at: ("0" in text[at : at + 2]) + 2 * _crosses_point(text, at, digits))
    values = (digits.say(_swapped(text, at)) for at in places)
    yield from likeliest_values(computed, (value for value in values if is_plausible_value(computed, value)))


def _swappable(text: str, at: int) -> bool:
    return text[at] != text[at + 1] and (at > 0 or text[1] != "0")


def _crosses_point(text: str, at: int, digits: Digits) -> bool:
    return at == len(text) - digits.places - 1


def _swapped(text: str, at: int) -> int:
    return int(f"{text[:at]}{text[at + 1]}{text[at]}{text[at + 2 :]}")
