"""Which values could a writer have chosen where a number of the question stands, written as simply and of its size?"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from generators.flaws.units import Quantity
from harness.text.forms import Kind
from harness.text.mentions import plain

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from generators.flaws.units import Unit
    from generators.problems.question import Place
    from harness.domain import Exact

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
"""By which factor a value may shrink or grow; what is measured, in hours or in feet, less than what is counted."""
MEASURED = frozenset([Quantity.TIME, Quantity.MEASURE])
SMALL = 12
"""Below this, numbers are taken from a few around the old one, whatever the factor."""
GRIDS = (100, 50, 25, 20, 10, 5, 2, 1)


def candidates(place: Place, unit: Unit, random: Random, most: int) -> Sequence[Exact]:
    """Return values to stand in a place, at most so many, in random order: on the grid of the old one, of its size."""
    old, scale = place.value, place.form.scale
    if place.form.kind is Kind.NAMED or place.form.rounded or old <= 0:
        return []
    found: Sequence[Exact]
    if place.form.kind is Kind.FRACTION:
        found = _fractions(place, random)
    else:
        found = _numerals(plain(old * scale), place, unit, random)
    chosen = found[: most + 1]
    written = chosen if scale == 1 else [plain(Fraction(value) / scale) for value in chosen]
    return [value for value in dict.fromkeys(written) if value != old][:most]


def _fractions(place: Place, random: Random) -> list[Exact]:
    whole, part = divmod(place.value, 1)
    parts = list(SIMPLE_PARTS) if part.denominator in {one.denominator for one in SIMPLE_PARTS} else []
    random.shuffle(parts)
    return [whole + one for one in parts]


def _numerals(shown: Exact, place: Place, unit: Unit, random: Random) -> Sequence[Exact]:
    """Return what could be shown as a numeral or in words instead: a number of per cent where hundredths are counted."""
    places = decimals_of(shown)
    if places is None:
        return []
    percent = place.form.scale == 100 or place.form.after.strip() in {"%", "percent"} or unit.noun == "percent"
    unit_of_place = 10**places
    count = int(shown * unit_of_place)
    grid = _percent_grid(count) if percent and not places else grid_of(count)
    if unit.quantity is Quantity.MONEY and places == 2 and count % 100 in {99, 95, 49}:
        low, high = _range(count, 100, WIDE)
        found = [number + count % 100 for number in range(low // 100 * 100, high, 100)]
    else:
        low, high = _range(count, grid, NARROW if unit.quantity in MEASURED and not percent else WIDE)
        if percent and not places and count <= 100:
            high = min(high, 95)
        found = _on_grid(low, high, grid, random)
    if place.form.kind is Kind.WORDS:
        found = [one for one in found if one <= LARGEST_IN_WORDS or (one % grid_of(count) == 0 and one % 10 == 0)]
    finest = 100 if unit.quantity is Quantity.MONEY and places == 2 else shown.denominator
    found = [one for one in found if one > 1 and (places == 0 or _as_fine(Fraction(one, unit_of_place), finest))]
    random.shuffle(found)
    return [one if places == 0 else Fraction(one, unit_of_place) for one in found]


def _as_fine(value: Fraction, finest: int) -> bool:
    return value.denominator > 1 and finest % value.denominator == 0


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


def _on_grid(low: int, high: int, grid: int, random: Random) -> list[int]:
    start = -(-low // grid) * grid
    span = range(start, high + 1, grid)
    return list(span) if len(span) <= 100 else random.sample(span, 40)


def decimals_of(value: Exact) -> int | None:
    """Return how many decimals a value takes, `None` where they are more than four or do not end."""
    return next((places for places in range(5) if 10**places % value.denominator == 0), None)
