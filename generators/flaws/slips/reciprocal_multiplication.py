"""Slip: the calculation multiplies by the reciprocal of the number that it should use."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.knowledge.written_digits import is_power_of_ten, likeliest_values
from generators.flaws.slip import ComputedResult, SlipExample, slip
from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.domain import Exact
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.number_forms import PLAIN, NumberForm, NumberKind

_COUNT = Unit(Quantity.COUNT, "apple")
_MONEY = Unit(Quantity.MONEY, "dollar")
LARGEST_DIVISOR = 12
LARGEST_SHARE = 3
LARGEST_FACTOR = 400


@slip(
    "reciprocal_multiplication",
    rank=60,
    phrases=explanation_phrases("reciprocal_multiplication")["phrases"],
    examples=(
        SlipExample(ComputedResult(9, PLAIN, _COUNT, "*", (Fraction(3, 5), 15)), (25,)),
        SlipExample(ComputedResult(10, PLAIN, _MONEY, "*", (50, Fraction(1, 5))), (250,)),
        SlipExample(ComputedResult(16, PLAIN, _COUNT, "/", (8, Fraction(1, 2))), (4,)),
        SlipExample(ComputedResult(8, PLAIN, _COUNT, "/", (24, 3)), (72,)),
        SlipExample(ComputedResult(72, PLAIN, _COUNT, "*", (24, 3)), ()),
        SlipExample(ComputedResult(40, PLAIN, _COUNT, "/", (1200, 30)), ()),
        SlipExample(ComputedResult(25, PLAIN, _MONEY, "*", (2, Fraction(25, 2))), ()),
        SlipExample(
            ComputedResult(Fraction(2, 3), NumberForm(NumberKind.FRACTION, denominator=3), _COUNT, "/", (2, 3)), ()
        ),
        SlipExample(ComputedResult(4, PLAIN, _COUNT, "*", (20, Fraction(1, 5))), (100,)),
    ),
)
def reciprocal_multiplication(computed: ComputedResult) -> Iterator[Exact]:
    """Yield a * f as a / f for a fraction f, and a / b as a * b for a fraction or a small whole number b.

    The wrong value is at most a few hundred times the right one, or that part of it, to the hundredth.
    """
    yield from likeliest_values(
        computed, (value for value in _inverted(computed) if _within_reach(computed.value, value))
    )


def _inverted(computed: ComputedResult) -> Iterator[Exact]:
    if computed.operator == "*" and all(computed.operands):
        left, right = computed.operands
        for other, factor in ((left, right), (right, left)):
            if factor.denominator != 1 and factor <= LARGEST_SHARE:
                yield Fraction(other) / factor
    elif computed.operator == "/" and computed.form.kind is not NumberKind.FRACTION:
        left, right = computed.operands
        small = right.denominator == 1 and right <= LARGEST_DIVISOR and not is_power_of_ten(right)
        if right.denominator != 1 or (small and computed.value.denominator == 1):
            yield left * right


def _within_reach(value: Exact, wrong: Exact) -> bool:
    factor = Fraction(wrong) / value if value > 0 else Fraction(0)
    return 1 <= factor * LARGEST_FACTOR <= LARGEST_FACTOR**2 and 100 % wrong.denominator == 0
