"""The units of money, time, length, weight, volume, count and turn, with their sizes and conversion factors, the calendar, and numbers of world knowledge."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.nouns import is_plural
from harness.text.number_forms import format_value
from harness.text.numbers import whole_as_int

_LISTS = english("units")
_DIMENSIONS: dict[str, dict[str, int | str | list[str]]] = _LISTS.mapping("dimensions")
_IRREGULAR: dict[str, str] = _LISTS.mapping("irregular")
CONVERSIONS = tuple(map(Fraction, _LISTS.ordered("conversions")))
"""The factors between the units in which one fact is most often stated, such as 100 percent and 7 days a week."""
LARGE_FACTORS = tuple(map(Fraction, _LISTS.ordered("large_factors")))
"""The factors between units that are seldom counts of things, as 3 and 12 often are."""
_MEASURED, _COUNTED = _LISTS.words("measured"), _LISTS.words("counted")
_HOUR = 3_600
_UNIT_WORD = re.compile(r"[^\W\d_]+|\$")
TIMES = _LISTS.words("times")
MEASURES = _LISTS.words("measures")
MONTHS = _LISTS.ordered("months")
WEEKDAYS = _LISTS.ordered("weekdays")
CALENDAR_NAMES = frozenset(name.lower() for name in (*MONTHS, *WEEKDAYS))
"""The names of the months and of the days of the week, in lower case."""
DAYS: dict[str, tuple[int, ...]] = {unit: tuple(days) for unit, days in _LISTS.mapping("days").items()}
"""The numbers of days that a month or a year can have, the usual one first."""


def _sizes_in(dimension: str, unit: str) -> tuple[Exact, ...]:
    stated = _DIMENSIONS[dimension][unit]
    if isinstance(stated, int):
        return (stated,)
    parts = [size.split() for size in ([stated] if isinstance(stated, str) else stated)]
    return tuple(whole_as_int(Fraction(count) * _sizes_in(dimension, smaller)[0]) for count, smaller in parts)


_SIZES: dict[str, dict[str, tuple[Exact, ...]]] = {}
for _dimension, _units in _DIMENSIONS.items():
    for _unit in _units:
        _SIZES.setdefault(_unit, {})[_dimension] = _sizes_in(_dimension, _unit)
_COINS: dict[str, dict[str, tuple[Exact, ...]]] = {
    coin: {"money": (cents,)} for coin, cents in _LISTS.mapping("coins").items()
}


def is_measured(words: Sequence[str]) -> bool:
    """Tell whether the lower-case words of a name speak of what is measured, such as money or length, and not counted."""
    if not _COUNTED.isdisjoint(words):
        return False
    units = [unit for word in words for unit in sizes(singular_unit(word)).items()]
    return any(
        dimension not in {"count", "time"} or (dimension == "time" and values[0] <= _HOUR)
        for dimension, values in units
    ) or not _MEASURED.isdisjoint(map(singular_unit, words))


def is_counted(words: Sequence[str]) -> bool:
    """Tell whether the lower-case words of a name speak of what is counted: they say so, or their last noun is a plural."""
    return not is_measured(words) and (not _COUNTED.isdisjoint(words) or (bool(words) and is_plural(words[-1])))


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
    """Return the size of a unit in the smallest units, by dimension; empty for a word that is no unit."""
    return _SIZES.get(unit, {})


def units_in(text: str) -> frozenset[str]:
    """Return the units that a text mentions, as `singular_unit` gives them."""
    return frozenset(unit for word in _UNIT_WORD.findall(text) if sizes(unit := singular_unit(word)))


def sizes_in(dimension: str) -> frozenset[Exact]:
    """Return the sizes of all units of a dimension."""
    return frozenset(size for dimensions in _SIZES.values() for size in dimensions.get(dimension, ()))


def factor(small: str, large: str) -> int:
    """Return how many of a smaller unit or coin make a larger one: 24 hours a day, 12 months a year.

    Raises:
        KeyError: no size of the larger unit is a whole number of the smaller one.
    """
    smaller, larger = (_SIZES | _COINS)[small], (_SIZES | _COINS)[large]
    for dimension in (dimension for dimension in smaller if dimension in larger):
        for whole in larger[dimension]:
            for part in smaller[dimension]:
                quotient = Fraction(whole) / part
                if quotient.denominator == 1:
                    return int(quotient)
    raise KeyError(small, large)


@dataclass(frozen=True, slots=True)
class WorldFact:
    """A number of common knowledge, with alternative sets of words that identify it and the wrong values taken for it.

    `says` is a sentence with one place for the number; the words are singular. A fact that is not `known` counts as world
    knowledge only where no question states its number.
    """

    value: Exact
    alternatives: tuple[frozenset[str], ...]
    says: str
    wrong: tuple[Exact, ...]
    known: bool = True

    def said(self, value: Exact) -> str:
        """State the fact with a value."""
        return self.says.format(format_value(value))


def _fact_value(stated: int | str) -> Exact:
    if isinstance(stated, int):
        return stated
    first, _, second = stated.partition("/")
    return factor(first, second) if first.isalpha() else whole_as_int(Fraction(stated))


def _fact(entry: dict[str, Any]) -> WorldFact:
    alternatives = tuple(frozenset(words.split()) for words in entry.get("words", "").split(" | ") if words)
    wrong = tuple(_fact_value(value) for value in entry.get("wrong", ()))
    return WorldFact(_fact_value(entry["value"]), alternatives, entry["says"], wrong, entry.get("known", True))


FACTS: tuple[WorldFact, ...] = tuple(_fact(entry) for entry in english("world_facts").records("facts"))
KNOWN_CONSTANTS: dict[Exact, str] = {fact.value: fact.said(fact.value) for fact in FACTS if fact.known}
"""Numbers that a solution may take from world knowledge although the question has the same number, with their meaning."""
