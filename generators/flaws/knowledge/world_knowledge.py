"""Facts of world knowledge, such as 60 minutes in an hour, and the wrong values that people remember for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.text.number_forms import format_value
from harness.text.unit_nouns import singular_noun

if TYPE_CHECKING:
    from harness.domain import Exact
    from harness.solution.trace import TraceEntry

_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Fact:
    """A number that everybody knows, where it is told by the words of one alternative, and what it is taken for.

    `says` has one place for the number; the words are in the singular.
    """

    value: Exact
    alternatives: tuple[frozenset[str], ...]
    says: str
    wrong: tuple[Exact, ...]

    def said(self, value: Exact) -> str:
        """State the fact with a value."""
        return self.says.format(format_value(value))


def _fact(value: Exact, words: str, says: str, *wrong: Exact) -> Fact:
    return Fact(value, tuple(frozenset(one.split()) for one in words.split(" | ")), says, wrong)


FACTS: tuple[Fact, ...] = (
    _fact(12, "dozen", "a dozen is {}", 10, 13),
    _fact(60, "minute hour", "an hour has {} minutes", 30, 100),
    _fact(60, "second minute", "a minute has {} seconds", 100, 30),
    _fact(3600, "second hour", "an hour has {} seconds", 360, 6000),
    _fact(24, "hour day", "a day has {} hours", 12, 20),
    _fact(7, "day week", "a week has {} days", 5, 6),
    _fact(5, "weekday week | weeknight week | weekday | weeknight | workday", "a week has {} working days", 7, 6),
    _fact(2, "weekend day", "a weekend has {} days", 3),
    _fact(365, "day year", "a year has {} days", 360, 356),
    _fact(52, "week year", "a year has {} weeks", 50, 48),
    _fact(4, "week month", "a month has about {} weeks", 5),
    _fact(12, "month year", "a year has {} months", 10),
    _fact(6, "month half year", "half a year has {} months", 5),
    _fact(3, "month quarter", "a quarter of a year has {} months", 4),
    _fact(4, "quarter year | season year", "a year has {} quarters", 3),
    _fact(10, "year decade | decade", "a decade has {} years", 12),
    _fact(100, "year century | century", "a century has {} years", 1000),
    _fact(30, "april | june | september | november", "this month has {} days", 31),
    _fact(31, "january | march | july | august | october | december", "this month has {} days", 30),
    _fact(31, "may day", "the month of May has {} days", 30),
    _fact(28, "february", "February has {} days", 30, 29),
    _fact(29, "february", "February has {} days in a leap year", 28, 30),
    _fact(30, "day month", "a month has about {} days", 31, 28),
    _fact(12, "inch foot | inch feet", "a foot has {} inches", 10),
    _fact(3, "foot yard | feet yard", "a yard has {} feet", 2, 4),
    _fact(36, "inch yard", "a yard has {} inches", 30, 24),
    _fact(5280, "foot mile | feet mile", "a mile has {} feet", 5000, 5208),
    _fact(16, "ounce pound", "a pound has {} ounces", 12, 10),
    _fact(2000, "pound ton", "a ton has {} pounds", 1000),
    _fact(1000, "gram kilogram | g kg | gram kg", "a kilogram has {} grams", 10),
    _fact(1000, "meter kilometer | m km | meter km", "a kilometer has {} meters", 10),
    _fact(1000, "milliliter liter | ml liter | ml l", "a liter has {} milliliters", 10),
    _fact(1000, "mg gram | milligram gram", "a gram has {} milligrams", 10),
    _fact(8, "ounce cup", "a cup has {} ounces", 10, 12),
    _fact(32, "ounce quart", "a quart has {} ounces", 24),
    _fact(128, "ounce gallon", "a gallon has {} ounces", 100, 64),
    _fact(4, "quart gallon", "a gallon has {} quarts", 3, 5),
    _fact(8, "pint gallon", "a gallon has {} pints", 6),
    _fact(16, "cup gallon", "a gallon has {} cups", 12),
    _fact(2, "cup pint", "a pint has {} cups", 3),
    _fact(3, "teaspoon tablespoon", "a tablespoon has {} teaspoons", 2, 4),
    _fact(25, "cent quarter | quarter value", "a quarter is {} cents", 20, 15),
    _fact(Fraction(1, 4), "quarter value | quarter dollar", "a quarter is {} dollars", Fraction(1, 5)),
    _fact(Fraction(1, 10), "dime value | dime dollar", "a dime is {} dollars", Fraction(1, 5), Fraction(1, 20)),
    _fact(Fraction(1, 20), "nickel value | nickel dollar", "a nickel is {} dollars", Fraction(1, 10), Fraction(1, 4)),
    _fact(Fraction(1, 100), "penny value | pennie value | cent dollar", "a cent is {} dollars", Fraction(1, 10)),
    _fact(4, "quarter dollar", "a dollar has {} quarters", 3, 5),
    _fact(16, "ounce pint", "a pint has {} ounces", 12, 10),
    _fact(10, "dime value", "a dime is {} cents", 5, 20),
    _fact(5, "nickel value", "a nickel is {} cents", 10),
    _fact(100, "percent | percentage", "the whole is {} percent", 10, 1000),
    _fact(Fraction(1, 100), "percent | percentage", "one percent is {}", Fraction(1, 10), Fraction(1, 1000)),
    _fact(Fraction(157, 50), "pi", "pi is about {}", 3, Fraction(341, 100)),
    _fact(Fraction(22, 7), "pi", "pi is about {}", 3, Fraction(7, 22)),
    _fact(360, "degree circle | circle | degree", "a full turn has {} degrees", 180, 365),
    _fact(180, "degree triangle | degree | triangle", "the angles of a triangle make {} degrees", 360, 100),
    _fact(90, "degree | right angle", "a right angle has {} degrees", 100, 45),
    _fact(3, "triangle side | triangle", "a triangle has {} sides", 4),
    _fact(4, "square side | rectangle side | square | rectangle", "a square has {} sides", 3, 2),
    _fact(5, "pentagon", "a pentagon has {} sides", 6),
    _fact(6, "hexagon", "a hexagon has {} sides", 5, 8),
    _fact(8, "octagon", "an octagon has {} sides", 6, 10),
    _fact(6, "cube face | cube side", "a cube has {} faces", 4, 8),
    _fact(12, "cube edge", "a cube has {} edges", 8, 6),
    _fact(8, "spider leg | octopus arm | octopus leg", "it has {} legs", 6),
    _fact(6, "insect leg | ant leg | bee leg | beetle leg", "an insect has {} legs", 8, 4),
    _fact(2, "chicken leg | bird leg | duck leg | person leg | human leg", "it has {} legs", 4),
    _fact(4, "leg", "it has {} legs", 2),
    _fact(2, "bicycle | bike | motorcycle", "it has {} wheels", 4),
    _fact(3, "tricycle", "a tricycle has {} wheels", 2, 4),
    _fact(4, "car wheel | car tire | truck tire | wheel car", "a car has {} wheels", 5, 2),
    _fact(52, "deck card | deck", "a deck has {} cards", 54, 50),
    _fact(26, "letter alphabet | alphabet", "the alphabet has {} letters", 24, 25),
    _fact(5, "basketball player", "a basketball team has {} players", 6),
    _fact(11, "soccer player | football player", "the team has {} players", 10, 12),
    _fact(1760, "yard mile", "a mile has {} yards", 1670, 1000),
    _fact(1000, "thousand", "a thousand is {}", 100, 10_000),
    _fact(1_000_000, "million", "a million is {}", 100_000, 10_000_000),
    _fact(20, "score", "a score is {}", 12, 10),
    _fact(144, "gross", "a gross is {}", 100, 120),
)  # fmt: skip


_BY_VALUE: dict[Exact, list[Fact]] = {}
for _one in FACTS:
    _BY_VALUE.setdefault(_one.value, []).append(_one)


def fact_of(entry: TraceEntry) -> Fact | None:
    """Return the fact that an input states, by its value and the words of its name and comment; the first that fits."""
    facts = _BY_VALUE.get(entry.value, ())
    words = (
        {singular_noun(word) for word in _WORD.findall(f"{entry.variable} {entry.comment}".lower())} if facts else set()
    )
    return next((fact for fact in facts if any(one <= words for one in fact.alternatives)), None)
