"""Slip: the last decimal of a decimal number is off by one or two."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.knowledge.written_digits import digits_of, is_plausible_value, likeliest_values
from generators.flaws.slip import ComputedResult, SlipExample, slip
from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.domain import Exact
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.number_forms import PLAIN, NumberForm, NumberKind

_LITERS = Unit(Quantity.MEASURE, "liter")
_MONEY = Unit(Quantity.MONEY, "dollar")
_DOLLARS = NumberForm(NumberKind.NUMERAL, before="$", places=2, padded=True, money=True)


@slip(
    "float_off_by_n",
    rank=100,
    phrases=explanation_phrases("float_off_by_n")["phrases"],
    examples=(
        SlipExample(
            ComputedResult(Fraction(97, 4), PLAIN, _MONEY),
            (Fraction(2426, 100), Fraction(2424, 100), Fraction(2427, 100), Fraction(2423, 100)),
        ),
        SlipExample(
            ComputedResult(Fraction(25, 2), _DOLLARS, _MONEY),
            (Fraction(126, 10), Fraction(124, 10), Fraction(127, 10), Fraction(123, 10)),
        ),
        SlipExample(
            ComputedResult(Fraction(10, 3), NumberForm(NumberKind.NUMERAL, places=1, rounded=True), _LITERS),
            (Fraction(34, 10), Fraction(32, 10), Fraction(35, 10), Fraction(31, 10)),
        ),
        SlipExample(ComputedResult(Fraction(1, 10), PLAIN, _LITERS), (Fraction(2, 10), Fraction(3, 10))),
        SlipExample(ComputedResult(24, _DOLLARS, _MONEY), ()),
    ),
)
def float_off_by_n(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the value with its last decimal that is not zero off by one, then by two, still positive and not whole."""
    digits = digits_of(computed)
    if digits is None or digits.whole is not None:
        return
    number, places = digits.number, digits.places
    while number % 10 == 0:
        number, places = number // 10, places - 1
    numbers = (number + sign * amount for amount in (1, 2) for sign in (1, -1))
    values = (digits.say(wrong, places) for wrong in numbers if wrong > 0 and wrong % 10**places)
    yield from likeliest_values(computed, (value for value in values if is_plausible_value(computed, value)))
