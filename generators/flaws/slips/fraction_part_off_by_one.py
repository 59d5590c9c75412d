"""Slip: the numerator or the denominator of a written fraction is off by one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.slip import ComputedResult, SlipExample, example, slip
from harness.domain import Exact
from harness.text.number_forms import NumberForm, NumberKind


@slip(
    "fraction_part_off_by_one",
    rank=40,
    cause="A part of the fraction is off by one",
    examples=(
        SlipExample(
            ComputedResult(Fraction(3, 8), NumberForm(NumberKind.FRACTION, denominator=8)),
            (Fraction(4, 8), Fraction(2, 8), Fraction(3, 7)),
        ),
        SlipExample(ComputedResult(Fraction(1, 2), NumberForm(NumberKind.FRACTION, denominator=2)), (Fraction(1, 3),)),
        example(Fraction(3, 8), None),
    ),
)
def fraction_part_off_by_one(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the fraction with its numerator, then its denominator off by one, over the denominator it was written with.

    A proper fraction stays one; a fraction that comes out whole or would be written with other parts is none.
    """
    form, value = computed.form, Fraction(computed.value) * computed.form.scale
    if form.kind is not NumberKind.FRACTION or form.joint or not form.denominator:
        return
    top, bottom = abs(value) * form.denominator, form.denominator
    if f"{top}/{bottom}" not in (form.write(computed.value) or "").replace(" ", ""):
        return
    for upper, lower in ((top + 1, bottom), (top - 1, bottom), (top, bottom + 1), (top, bottom - 1)):
        if upper < 1 or lower < 2 or (top < bottom and upper >= lower):
            continue
        wrong = (-1 if value < 0 else 1) * Fraction(upper, lower) / form.scale
        if f"{upper}/{lower}" in (form.write(wrong) or "").replace(" ", ""):
            yield wrong
