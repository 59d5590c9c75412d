"""Conversion factors between units, each with the nouns that follow it, such as 60 with `minute`.

A line may use such a number as world knowledge although the question has the same number for something else.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.domain import Exact

_UNITS: dict[Exact, str] = {
    2: "half halve pint",
    3: "feet foot teaspoon",
    4: "quarter quart week leg",
    7: "day",
    8: "ounce oz pint",
    10: "dime millimeter",
    12: "month inch inche dozen",
    16: "ounce oz cup",
    24: "hour",
    30: "day minute",
    31: "day",
    36: "inch inche",
    52: "week card",
    60: "second minute",
    100: "cent penny pennie percent centimeter cm year",
    365: "day",
    1000: "gram kilogram meter kilometer milliliter liter ml",
    2000: "pound",
    3600: "second",
    5280: "feet foot",
    Fraction(1, 2): "half",
}
CONVERSIONS: dict[Exact, frozenset[str]] = {value: frozenset(units.split()) for value, units in _UNITS.items()}
"""By value, the nouns, without a plural s, that stand right after a number which converts units: 60 seconds, 24 hours."""
