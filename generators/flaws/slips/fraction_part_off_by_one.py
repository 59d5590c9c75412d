"""Slip: the numerator or the denominator of a written fraction is off by one."""

from collections.abc import Iterator
from fractions import Fraction

from generators.flaws.slip import ComputedResult, examples, slip
from harness.domain import Exact
from harness.text.number_forms import NumberForm, NumberKind


@slip(
    "fraction_part_off_by_one",
    rank=40,
    cause="A part of the fraction is off by one",
    examples=(
        *examples("3/8: 4/8 2/8 3/7", form=NumberForm(NumberKind.FRACTION, denominator=8)),
        *examples("1/2: 1/3", form=NumberForm(NumberKind.FRACTION, denominator=2)),
        *examples("3/8:"),
    ),
)
def fraction_part_off_by_one(computed: ComputedResult) -> Iterator[Exact]:
    """Yield the fraction with its numerator, then its denominator off by one, over the denominator it was written with.

    A proper fraction stays one; a value that would be written with other parts is left out.
    """
    form, value = computed.form, Fraction(computed.value) * computed.form.scale
    if form.kind is not NumberKind.FRACTION or form.joint or not form.denominator:
        return
    top, bottom = abs(value) * form.denominator, form.denominator
    for upper, lower in ((top + 1, bottom), (top - 1, bottom), (top, bottom + 1), (top, bottom - 1)):
        if upper >= 1 and lower > 1 and (upper < lower or top >= bottom):
            wrong = (-1 if value < 0 else 1) * Fraction(upper, lower) / form.scale
            if f"{upper}/{lower}" in (form.write(wrong) or "").replace(" ", ""):
                yield wrong
