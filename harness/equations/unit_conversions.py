"""Conversion factors between units of money, time, length, weight, volume, count and turn."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.domain import Exact

# In each row, sizes in the smallest unit; a month has 30 days, 4 weeks or a twelfth of a year, as authors please.
_DIMENSIONS: dict[str, dict[str, tuple[Exact, ...]]] = {
    "money": {"$": (100,), "dollar": (100,), "cent": (1,), "¢": (1,), "buck": (100,)},
    "time": {
        "second": (1,), "sec": (1,), "minute": (60,), "min": (60,), "hour": (3_600,), "hr": (3_600,), "day": (86_400,),
        "week": (604_800,), "fortnight": (1_209_600,), "month": (2_592_000, 2_419_200, 2_628_000, 2_678_400),
        "year": (31_536_000, 31_104_000, 31_449_600, 29_030_400), "decade": (315_360_000,), "century": (3_153_600_000,),
    },
    "length": {
        "mm": (Fraction(1, 10),), "millimeter": (Fraction(1, 10),), "cm": (1,), "centimeter": (1,), "m": (100,), "meter": (100,),
        "metre": (100,), "km": (100_000,), "kilometer": (100_000,), "kilometre": (100_000,),
    },
    "imperial length": {"inch": (1,), "in": (1,), "foot": (12,), "ft": (12,), "yard": (36,), "mile": (63_360,)},
    "weight": {"mg": (Fraction(1, 1_000),), "milligram": (Fraction(1, 1_000),), "g": (1,), "gram": (1,), "kg": (1_000,), "kilogram": (1_000,), "kilo": (1_000,), "ton": (1_000_000,), "tonne": (1_000_000,)},
    "imperial weight": {"ounce": (1,), "oz": (1,), "pound": (16,), "lb": (16,), "ton": (32_000,)},
    "volume": {"ml": (1,), "milliliter": (1,), "cl": (10,), "l": (1_000,), "liter": (1_000,), "litre": (1_000,)},
    "imperial volume": {"teaspoon": (1,), "tsp": (1,), "tablespoon": (3,), "tbsp": (3,), "ounce": (6,), "oz": (6,), "cup": (48,), "pint": (96,), "quart": (192,), "gallon": (768,)},
    "count": {"piece": (1,), "egg": (1,), "dozen": (12,), "pair": (2,), "score": (20,), "gross": (144,)},
    "turn": {"degree": (1,), "turn": (360,), "rotation": (360,)},
}  # fmt: skip
_IRREGULAR = {"feet": "foot", "inches": "inch", "centuries": "century", "mins": "min", "hrs": "hr", "US$": "$"}  # fmt: skip
_SIZES: dict[str, dict[str, tuple[Exact, ...]]] = {}
for _dimension, _units in _DIMENSIONS.items():
    for _unit, _sizes in _units.items():
        _SIZES.setdefault(_unit, {})[_dimension] = _sizes


@lru_cache(maxsize=4_096)
def singular_unit(word: str) -> str:
    """Return the unit a word names, singular and in lower case: `minutes` and `minute` are one."""
    if word.endswith("$"):
        return "$"
    word = word.lower()
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    return word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word


def sizes(unit: str) -> dict[str, tuple[Exact, ...]]:
    """Return, by dimension, how many of the smallest units one unit is; nothing for `apple`."""
    return _SIZES.get(unit, {})


UNIT_WORDS = frozenset({*_SIZES, *(f"{unit}s" for unit in _SIZES), *_IRREGULAR})
"""The words that name units, most in both numbers."""
