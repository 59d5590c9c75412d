"""The values that a stated number could have had and still read naturally: as round as its own, of its size, and written alike."""

from collections.abc import Collection
from fractions import Fraction

from generators.flaws.plausibility import absurdity
from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.text.number_forms import NumberForm, NumberKind
from harness.text.numbers import mentions, whole_as_int

LARGEST_IN_WORDS = 20
SMALL = 12
"""Below this, numbers are taken from a few around the old one, whatever the factor."""
MOST_PERCENT = 95
STEPS_AROUND = 50
MOST_NEIGHBORS = 10
SIMPLE_PARTS = frozenset(Fraction(top, bottom) for bottom in (2, 3, 4, 5, 6, 8, 10) for top in range(1, bottom))
"""The shares that problems speak of as fractions."""


def mentioned_values(subject: VariantSubject) -> frozenset[Exact]:
    """Return every value of a problem: those of its trace and all that the numbers of its question can mean."""
    read = {reading for mention in subject.question.mentions for reading in mention.readings}
    return frozenset({*subject.values.values(), *read})


def values_like(value: Exact, form: NumberForm, unit: Unit) -> list[Exact]:
    """Return the values that can be written where a number stands, in order: on the grid of the old one, half to twice its size."""
    if form.kind is NumberKind.NAMED or form.rounded or value <= 0:
        return []
    if form.kind is NumberKind.FRACTION:
        own, whole = form.denominator, value // 1
        fine = (part for part in SIMPLE_PARTS if part.denominator == own or own % part.denominator)
        return [whole + part for part in sorted(fine) if whole + part != value]
    number = Fraction(value) * form.scale
    values = _on_grid(number, form, unit)
    return [whole_as_int(other / form.scale) for other in values if other != number]


def neighbors_of(value: Exact, form: NumberForm, unit: Unit, avoided: Collection[Exact]) -> list[Exact]:
    """Return the values nearest to one that could stand for it by mistake, in order of size, in digits with as many characters.

    They are at most half as much away, small numbers one or two; none of them is avoided or absurd for the unit.
    """
    written, reach = form.write(value) or "", max(Fraction(value) / 2, Fraction(2))
    neighbors = []
    for other in sorted(values_like(value, form, unit), key=lambda other: abs(Fraction(other - value))):
        text = form.write(other)
        near = abs(Fraction(other - value)) <= reach and other not in avoided
        if not near or text is None or absurdity(unit, value, other) is not None:
            continue
        if form.kind in {NumberKind.NUMERAL, NumberKind.FRACTION} and len(text) != len(written):
            continue
        read = mentions(text)
        if len(read) == 1 and other in read[0].readings:
            neighbors.append(other)
    return sorted(neighbors[:MOST_NEIGHBORS])


def _on_grid(number: Fraction, form: NumberForm, unit: Unit) -> list[Fraction]:
    percent = form.scale == 100 or form.after.strip() in {"%", "percent"} or unit.noun == "percent"
    wide = percent or unit.quantity not in {Quantity.TIME, Quantity.MEASURE}
    finest = 1 if number.denominator == 1 else 100 if unit.quantity is Quantity.MONEY else number.denominator
    grid = Fraction(grid_of(int(number * finest)), finest)
    low, high = (number / 2, number * 2) if wide else (number * Fraction(3, 5), number * Fraction(3, 2))
    if number < SMALL and number.denominator == 1:
        low, high = max(Fraction(2), number - 6), min(number + 6, 2 * number + 3)
    if number > 1 and number.denominator != 1:
        high = max(high, number + 2)
    if percent and number <= 100:
        high = min(high, Fraction(MOST_PERCENT))
    low, high = max(low, number - STEPS_AROUND * grid), min(high, number + STEPS_AROUND * grid)
    values = [grid * count for count in range(-int(-low // grid), int(high // grid) + 1)]
    if form.kind is NumberKind.WORDS:
        values = [value for value in values if value <= LARGEST_IN_WORDS or value % 10 == 0]
    return [value for value in values if value > 0 and (value.denominator == 1) == (number.denominator == 1)]


def grid_of(count: int) -> int:
    """Return the step between numbers that are as round as this one: 1 for 37, 5 for 45, 10 for 120, 500 for 4500."""
    scale = 1
    while count >= 1000 * scale and count % (10 * scale) == 0:
        scale *= 10
    rest = count // scale
    if rest < SMALL or count % scale:
        return scale
    return scale * next(grid for grid in (100, 50, 10, 5, 1) if (rest % grid == 0 and rest >= 4 * grid) or grid == 1)
