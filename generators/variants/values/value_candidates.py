"""Candidate values for a number of the question: as round as the old value and of similar size."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.question.input_places import NumberPlace
from harness.domain import Exact
from harness.text.number_forms import NumberKind
from harness.text.numbers import whole_as_int

SIMPLE_PARTS = tuple(
    Fraction(top, bottom)
    for bottom in (2, 3, 4, 5, 6, 8, 10)
    for top in range(1, bottom)
    if Fraction(top, bottom).denominator == bottom
)
"""The shares that problems speak of as fractions."""
LARGEST_IN_WORDS = 20
WIDE = Fraction(1, 2), Fraction(2)
NARROW = Fraction(3, 5), Fraction(3, 2)
"""The factor by which a value may shrink or grow; measures, in hours or in feet, less than counts."""
MEASURED = frozenset([Quantity.TIME, Quantity.MEASURE])
SMALL = 12
"""Below this, numbers are taken from a few around the old one, whatever the factor."""
CENTS = (50, 25, 10, 5, 1)
MOST_NUMBERS = 400
MOST_PERCENT = 95


def candidates(place: NumberPlace, unit: Unit, random: Random, most: int) -> list[Exact]:
    """Return at most `most` values for a place, in random order: on the grid of the old one, of its size."""
    old, scale = place.value, place.form.scale
    if place.form.kind is NumberKind.NAMED or place.form.rounded or old <= 0:
        return []
    written_value = whole_as_int(old * scale)
    values: Sequence[Exact]
    if place.form.kind is NumberKind.FRACTION:
        values = _fractions(place)
    elif written_value.denominator != 1:
        values = _decimals(written_value, unit, _spread(place, unit))
    else:
        values = _whole(int(written_value), place, unit)
    # One more than asked for, since the old value may be among them.
    chosen = random.sample(values, min(most + 1, len(values)))
    written = chosen if scale == 1 else [whole_as_int(Fraction(value) / scale) for value in chosen]
    return [value for value in written if value != old][:most]


def _fractions(place: NumberPlace) -> list[Exact]:
    """Return other simple fractions, all in lowest terms where they are written over the denominator of the old one."""
    whole, part = divmod(place.value, 1)
    over = place.form.denominator
    if part.denominator not in {fraction.denominator for fraction in SIMPLE_PARTS}:
        return []
    return [
        whole + fraction for fraction in SIMPLE_PARTS if fraction.denominator == over or over % fraction.denominator
    ]


def _is_percentage(place: NumberPlace, unit: Unit) -> bool:
    return place.form.scale == 100 or place.form.after.strip() in {"%", "percent"} or unit.noun == "percent"


def _spread(place: NumberPlace, unit: Unit) -> tuple[Fraction, Fraction]:
    return NARROW if unit.quantity in MEASURED and not _is_percentage(place, unit) else WIDE


def _whole(count: int, place: NumberPlace, unit: Unit) -> Sequence[int]:
    """Return the value that could be shown as a whole number instead: in percent where hundredths are counted."""
    percent = _is_percentage(place, unit)
    grid = _percent_grid(count) if percent else grid_of(count)
    low, high = _range(count, grid, _spread(place, unit))
    if percent and count <= 100:
        high = min(high, MOST_PERCENT)
    numbers = range(-(-low // grid) * grid, high + 1, grid)
    if place.form.kind is not NumberKind.WORDS:
        return numbers
    return [
        number
        for number in numbers[:MOST_NUMBERS]
        if number <= LARGEST_IN_WORDS or (number % grid == 0 and number % 10 == 0)
    ]


def _decimals(shown: Exact, unit: Unit, spread: tuple[Fraction, Fraction]) -> list[Exact]:
    """Return decimals as fine as one: dollars on its grid of cents, others of its own denominator."""
    places = decimals_of(shown)
    if places is None:
        return []
    low, high = shown * spread[0], max(shown * spread[1], shown + (2 if shown > 1 else 0))
    if unit.quantity is Quantity.MONEY and places <= 2:
        cents = int(shown * 100)
        grid = 100 if cents % 100 in {99, 95, 49} else next(cent for cent in CENTS if cents % cent == 0)
        first = -(-int(low * 100) // grid) * grid + (cents % 100 if grid == 100 else 0)
        numbers = range(first, int(high * 100) + 1, grid)[:MOST_NUMBERS]
        return [Fraction(number, 100) for number in numbers if number % 100]
    finest = shown.denominator
    tops = range(max(1, int(low * finest)), int(high * finest) + 1)[:MOST_NUMBERS]
    return [Fraction(top, finest) for top in tops if top % finest]


def _percent_grid(count: int) -> int:
    return next(grid for grid in (10, 5, 1) if count % grid == 0)


def grid_of(count: int) -> int:
    """Return the step between numbers that are as round as this one: 1 for 37, 5 for 45, 10 for 120, 500 for 4500."""
    scale = 1
    while count >= 1000 * scale and count % (10 * scale) == 0:
        scale *= 10
    rest = count // scale
    if rest < SMALL or count % scale:
        return scale
    return scale * next(grid for grid in (100, 50, 10, 5, 1) if (rest % grid == 0 and rest >= 4 * grid) or grid == 1)


def _range(count: int, grid: int, spread: tuple[Fraction, Fraction]) -> tuple[int, int]:
    low, high = spread
    if count < SMALL:
        away = 3 if spread is NARROW else 6
        return max(2, count - away), min(count + away, 2 * count + 3)
    return max(2, -int(-count * low)), max(int(count * high), count + 2 * grid)


def decimals_of(value: Exact) -> int | None:
    """Return how many decimals a value takes, `None` where they are more than four or do not end."""
    return next((places for places in range(5) if 10**places % value.denominator == 0), None)
