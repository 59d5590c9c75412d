"""Slip: the decimal point is misplaced by one digit, to the right or to the left."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.knowledge.written_digits import digits_of, exceeds_whole, likeliest_values
from generators.flaws.slip import ComputedResult, SlipExample, slip
from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.domain import Exact
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.number_forms import PLAIN, NumberForm, NumberKind

_LITERS = Unit(Quantity.MEASURE, "liter")
_MONEY = Unit(Quantity.MONEY, "dollar")
_DOLLARS = NumberForm(NumberKind.NUMERAL, before="$", places=2, padded=True, money=True)
_CENTS = 2
MOST_DECIMALS = 3


@slip(
    "decimal_shift",
    rank=70,
    phrases=explanation_phrases("decimal_shift")["phrases"],
    examples=(
        SlipExample(ComputedResult(Fraction(5, 2), PLAIN, _LITERS), (25, Fraction(1, 4))),
        SlipExample(ComputedResult(Fraction(97, 4), PLAIN, _MONEY), (Fraction(485, 2),)),
        SlipExample(ComputedResult(Fraction(49, 2), _DOLLARS, _MONEY), (245, Fraction(49, 20))),
        SlipExample(ComputedResult(Fraction(3, 4), PLAIN, _LITERS), (Fraction(15, 2), Fraction(3, 40))),
        SlipExample(ComputedResult(Fraction(15, 2), PLAIN, _LITERS, "-", (9, Fraction(3, 2))), (Fraction(3, 4),)),
        SlipExample(ComputedResult(24, _DOLLARS, _MONEY), ()),
        SlipExample(ComputedResult(24, PLAIN, _LITERS), ()),
    ),
)
def decimal_shift(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the value with its point moved by one place to the right, then to the left; money keeps to cents, a part below its whole."""
    digits = digits_of(computed)
    if digits is None or digits.whole is not None:
        return
    most = _CENTS if computed.unit.quantity is Quantity.MONEY else MOST_DECIMALS
    moved = (digits.say(digits.number, digits.places + change) for change in (-1, 1))
    values = (value for value in moved if (value * abs(digits.scale) * 10**most).denominator == 1)
    yield from likeliest_values(computed, (value for value in values if not exceeds_whole(computed, value)))
