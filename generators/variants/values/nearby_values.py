"""Other values of a number: as round as its own, of its size, and written alike."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction
from random import Random

from generators.flaws.plausibility import absurdity
from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.question.input_places import NumberPlace
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.text.number_forms import NumberForm, NumberKind
from harness.text.numbers import mentions, whole_as_int

FURTHEST = Fraction(1, 2)
"""By how much of itself a neighbour of a value may differ from it."""
LARGEST_IN_WORDS = 20
SMALL = 12
"""Below this, numbers are taken from a few around the old one, whatever the factor."""
MOST_PERCENT = 95
SIMPLE_PARTS = tuple(
    Fraction(top, bottom)
    for bottom in (2, 3, 4, 5, 6, 8, 10)
    for top in range(1, bottom)
    if Fraction(top, bottom).denominator == bottom
)
"""The shares that problems speak of as fractions."""


def mentioned_values(subject: VariantSubject) -> frozenset[Exact]:
    """Return every value of a problem: those of its trace and all that the numbers of its question can mean."""
    read = {reading for mention in subject.question.mentions for reading in mention.readings}
    return frozenset({*subject.values.values(), *read})


def neighbors_of(
    value: Exact, form: NumberForm, unit: Unit, avoided: Collection[Exact], *, same_length: bool = True
) -> list[Exact]:
    """Return other values of a quantity, in order of size, that are written in digits with as many characters.

    They are at most half as much away, small numbers one or two; none of them is avoided, zero, or absurd for the unit.
    """
    written = form.write(value)
    if written is None:
        return []
    neighbors = set()
    for other in _around(value, form):
        text = form.write(other)
        if other in avoided or other <= 0 or text is None or absurdity(unit, value, other) is not None:
            continue
        if same_length and form.kind in {NumberKind.NUMERAL, NumberKind.FRACTION} and len(text) != len(written):
            continue
        read = mentions(text)
        if len(read) == 1 and other in read[0].readings:
            neighbors.add(other)
    return sorted(neighbors)


def _around(value: Exact, form: NumberForm) -> Iterator[Exact]:
    number = Fraction(value) * form.scale
    grains = [Fraction(1, number.denominator)] if form.kind is NumberKind.FRACTION else _grains(number)
    for grain in grains:
        reach = max(abs(number) * FURTHEST, 2 * grain if grain <= 1 else 0)
        for count in range(1, 6):
            if grain * count <= reach:
                yield whole_as_int((number + grain * count) / form.scale)
                yield whole_as_int((number - grain * count) / form.scale)


def _grains(number: Fraction) -> list[Fraction]:
    """Return the steps in which a person would miss a number: 1500 by hundreds or fifties, 349 by ones or tens, 12.5 by ones."""
    if number.denominator != 1:
        return [Fraction(1), Fraction(1, 2)] if number > 3 else [Fraction(1, number.denominator)]
    size = 1
    while number and number % (size * 10) == 0:
        size *= 10
    if number == size:
        return [Fraction(size, 2), Fraction(size, 10)] if size > 1 else [Fraction(1)]
    if size > 1:
        return [Fraction(size), Fraction(size, 2)]
    return [Fraction(1), Fraction(10)] if number > 100 else [Fraction(1)]


def candidates(place: NumberPlace, unit: Unit, random: Random, most: int) -> list[Exact]:
    """Return at most `most` values for a place, in random order: on the grid of the old one, half to twice its size."""
    old, scale = place.value, place.form.scale
    if place.form.kind is NumberKind.NAMED or place.form.rounded or old <= 0:
        return []
    number = Fraction(old) * scale
    if place.form.kind is NumberKind.FRACTION:
        whole, over = old // 1, place.form.denominator
        values: list[Exact] = [
            whole + part for part in SIMPLE_PARTS if part.denominator == over or over % part.denominator
        ]
    else:
        values = [whole_as_int(value / scale) for value in _on_grid(number, place, unit)]
    # One more than asked for, since the old value may be among them.
    chosen = random.sample(values, min(most + 1, len(values)))
    return [value for value in chosen if value != old][:most]


def _on_grid(number: Fraction, place: NumberPlace, unit: Unit) -> list[Fraction]:
    percent = place.form.scale == 100 or place.form.after.strip() in {"%", "percent"} or unit.noun == "percent"
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
    values = [grid * count for count in range(-int(-low // grid), int(high // grid) + 1)]
    if place.form.kind is NumberKind.WORDS:
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
