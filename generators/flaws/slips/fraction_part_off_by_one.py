"""Slip: the numerator or the denominator of a written fraction is off by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.knowledge.written_digits import likeliest_values
from generators.flaws.slip import ComputedResult, SlipExample, slip
from generators.flaws.solution.quantity_units import Quantity, Unit
from harness.domain import Exact
from harness.solution.phrases.explanation_phrases import explanation_phrases
from harness.text.number_forms import PLAIN, NumberForm, NumberKind

_SHARE = Unit(Quantity.SHARE)
_WRITTEN = re.compile(r"(\D*)(?:(\d+)([ -]))?(\d+)( ?/ ?)(\d+)", re.ASCII)


@slip(
    "fraction_part_off_by_one",
    rank=40,
    phrases=explanation_phrases("fraction_part_off_by_one")["phrases"],
    examples=(
        SlipExample(
            ComputedResult(Fraction(3, 8), NumberForm(NumberKind.FRACTION, denominator=8), _SHARE),
            (Fraction(4, 8), Fraction(2, 8), Fraction(3, 7)),
        ),
        SlipExample(
            ComputedResult(Fraction(1, 10), NumberForm(NumberKind.FRACTION, denominator=150), _SHARE),
            (Fraction(16, 150), Fraction(14, 150), Fraction(15, 151), Fraction(15, 149)),
        ),
        SlipExample(
            ComputedResult(Fraction(1, 2), NumberForm(NumberKind.FRACTION, denominator=2), _SHARE), (Fraction(1, 3),)
        ),
        SlipExample(
            ComputedResult(Fraction(5, 2), NumberForm(NumberKind.FRACTION, denominator=2, joint=" "), _SHARE),
            (Fraction(7, 3),),
        ),
        SlipExample(ComputedResult(Fraction(3, 8), PLAIN, _SHARE), ()),
    ),
)
def fraction_part_off_by_one(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the fraction with its numerator, then its denominator off by one, over the denominator it was written with.

    A proper fraction stays one, a fraction that comes out whole or would be written over another denominator is none.
    """
    form = computed.form
    text = form.write(computed.value) if form.kind is NumberKind.FRACTION else None
    match = None if text is None else _WRITTEN.fullmatch(text)
    if match is None:
        return
    sign = -1 if computed.value < 0 else 1
    whole, top, bottom = int(match[2] or 0), int(match[4]), int(match[6])
    values: list[Exact] = []
    for upper, lower in ((top + 1, bottom), (top - 1, bottom), (top, bottom + 1), (top, bottom - 1)):
        if upper < 1 or lower < 2 or (top < bottom and upper >= lower):
            continue
        value = sign * (whole + Fraction(upper, lower)) / form.scale
        joint = f"{match[2]}{match[3]}" if match[2] else ""
        if form.write(value) == f"{match[1]}{joint}{upper}{match[5]}{lower}{form.after}":
            values.append(value)
    yield from likeliest_values(computed, values)
