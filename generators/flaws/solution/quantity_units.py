"""The unit in which each value of a solution is counted, and the values that are absurd for it."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from harness.domain import Exact
from harness.solution.solution_text import PlacedVariable, SolutionText
from harness.solution.trace import Trace, TraceEntry
from harness.text.lexicon import english
from harness.text.nouns import singular_noun
from harness.text.units import MEASURES, TIMES, largest_factor

_LISTS = english("quantities")


class Quantity(enum.StrEnum):
    """What kind of quantity a value is."""

    COUNT = "count"
    MONEY = "money"
    SHARE = "share"
    TIME = "time"
    MEASURE = "measure"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Unit:
    """The kind of a quantity and the noun it is counted in, in the singular, empty where none was found."""

    quantity: Quantity
    noun: str = ""

    def fits(self, other: Unit) -> bool:
        """Tell whether a person could take the one for the other: same kind, and same noun where both have one."""
        return self.quantity is other.quantity and (not self.noun or not other.noun or self.noun == other.noun)


_MONEY = _LISTS.pattern("money", r"\b", r"\b")
_NOT_MONEY = _LISTS.pattern("not_money", r"\b", r"\b")
_SHARE = _LISTS.pattern("share", r"\b", r"\b")
_NOUN = re.compile(r"[ -]((?:[a-z]+ )?)([a-z]{2,})")
_SKIPPED = _LISTS.words("skipped")


def unit_of(entry: TraceEntry, followed_by: str, *, dollar: bool) -> Unit:
    """Guess the unit of a variable from how it is written, what follows it in the text, its name and comment."""
    words = f"{entry.variable.replace('_', ' ')} {entry.comment}".lower()
    name = entry.variable.replace("_", " ").lower()
    if dollar:
        return Unit(Quantity.MONEY, "dollar")
    noun = _noun_in(followed_by)
    if 0 < entry.value < 1 and _SHARE.search(words):
        return Unit(Quantity.SHARE)
    if noun in {"dollar", "cent"} or (_MONEY.search(name) and not _NOT_MONEY.search(name)):
        return Unit(Quantity.MONEY, noun if noun in {"dollar", "cent"} else "dollar")
    for quantity, known in ((Quantity.TIME, TIMES), (Quantity.MEASURE, MEASURES)):
        if noun in known:
            return Unit(quantity, noun)
        if not noun:
            named = next((word for word in map(singular_noun, reversed(name.split())) if word in known), None)
            if named is not None:
                return Unit(quantity, named)
    if noun and entry.value.denominator == 1:
        return Unit(Quantity.COUNT, noun)
    return Unit(Quantity.NUMBER, noun)


def _noun_in(text: str) -> str:
    """Return the noun right after a number, in the singular; `red apples` are apples."""
    match = _NOUN.match(text)
    if match is None:
        return ""
    first, second = match[1].strip(), match[2]
    if first in _SKIPPED or (not first and second in _SKIPPED):
        return ""
    if first and (second in _SKIPPED or not second.endswith("s") or first.endswith("s")):
        return singular_noun(first)
    return singular_noun(second)


def units_of(trace: Trace, text: SolutionText) -> dict[str, Unit]:
    """Return the unit of each variable of a trace, as far as its text, names and comments tell."""
    followed: dict[str, str] = {}
    dollars: set[str] = set()
    for line in text.lines:
        before = ""
        for place, part in enumerate(line.parts):
            if isinstance(part, PlacedVariable):
                if part.form.before == "$" or before.endswith("$"):
                    dollars.add(part.variable)
                after = line.parts[place + 1] if place + 1 < len(line.parts) else ""
                if isinstance(after, str) and _noun_in(after) and part.variable not in followed:
                    followed[part.variable] = after
                before = ""
            else:
                # `$<<6*3=` opens an annotation: the sign belongs to the result after it.
                before = part if not part.endswith("$<<") else ""
                result = _dollar_result(line.parts, place)
                if result is not None:
                    dollars.add(result)
    units: dict[str, Unit] = {}
    for entry in trace.entries:
        name = entry.variable
        copied = units.get(entry.reads[0]) if name in trace.copies and entry.reads else None
        units[name] = copied or unit_of(entry, followed.get(name, _comment_tail(entry)), dollar=name in dollars)
    return units


def _dollar_result(parts: tuple[str | PlacedVariable, ...], place: int) -> str | None:
    """Return the variable right after an annotation that opens with a dollar sign."""
    part = parts[place]
    if not (isinstance(part, str) and part.endswith("$<<")):
        return None
    for at in range(place + 1, len(parts)):
        between = parts[at]
        if isinstance(between, str) and between.startswith(">>"):
            after = parts[at + 1] if between == ">>" and at + 1 < len(parts) else None
            return after.variable if isinstance(after, PlacedVariable) else None
    return None


_IN_COMMENT = re.compile(r"\b\d[\d,.]*((?:[ -][a-z]+){1,3})", re.IGNORECASE)


def _comment_tail(entry: TraceEntry) -> str:
    match = _IN_COMMENT.search(entry.comment)
    return match[1].lower() if match is not None else ""


class Absurdity(enum.StrEnum):
    """Why a value is outside the range of its quantity."""

    NEGATIVE = "negative"
    ZERO = "zero"
    NOT_WHOLE = "not whole"
    OVER_WHOLE = "more than all"
    PART_OVER_WHOLE = "more than the whole it is a part of"
    TOO_OLD = "older than anybody gets"
    TOO_MUCH_TIME = "more time than there is"
    OUT_OF_SCALE = "out of scale"


LARGEST_RATIO = 10_000
LARGEST_AGE = 125
_FINEST = {Quantity.MONEY: 100, Quantity.TIME: 100, Quantity.MEASURE: 1_000}
"""The smallest part of a unit that a result of whole units can still have, as a denominator."""
_SIGNED = _LISTS.pattern("signed", r"\b", r"\b")
_AVERAGED = _LISTS.pattern("averaged", r"\b", r"\b")
_PERCENT = _LISTS.pattern("percent", r"\b", r"\b")
_GROWTH = _LISTS.pattern("growth", r"\b", r"\b")
_AGE = _LISTS.pattern("age", r"\b", r"\b")
_CLOCK = _LISTS.either("clock")
_TIME_IN_TIME = re.compile(rf"\b(?P<small>{_CLOCK})s? (?:an?|per|each|every|in an?|in one) (?P<large>{_CLOCK})\b")


def absurdity(unit: Unit, before: Exact, after: Exact, words: str = "") -> Absurdity | None:
    """Return why a value cannot replace another one of a quantity; `None` where it can.

    `words` describe the quantity in lower case, such as its name. An amount, a count, a length or a time is not negative, unless
    the words are of a debt, a temperature, a change or the like. Nobody continues with a result of zero things. What is
    counted stays whole unless it is an average; money is whole cents, a measure whole thousandths. A share and a percentage stay
    at most the whole, unless the words are of growth. Nobody gets older than `LARGEST_AGE`; a day has 24 hours.
    """
    if after < 0 <= before:
        return None if _SIGNED.search(words) and not _is_change_of_money(unit, words) else Absurdity.NEGATIVE
    if after == 0 != before:
        return Absurdity.ZERO
    if before.denominator == 1 != after.denominator and _finest(unit, words) % after.denominator:
        return Absurdity.NOT_WHOLE
    if _over_whole(unit, before, after, words):
        return Absurdity.OVER_WHOLE
    if before <= LARGEST_AGE < after and unit.noun in {"", "year"} and _AGE.search(words):
        return Absurdity.TOO_OLD
    if any(before <= most < after for most in _most_in_time(words)):
        return Absurdity.TOO_MUCH_TIME
    if before and abs(Fraction(after) / before) > LARGEST_RATIO:
        return Absurdity.OUT_OF_SCALE
    return None


def _is_change_of_money(unit: Unit, words: str) -> bool:
    """Tell whether the words call the quantity a change in the sense of money that is given back."""
    return unit.quantity is Quantity.MONEY and _SIGNED.search(words.replace("change", "")) is None


def _finest(unit: Unit, words: str) -> int:
    """Return the largest denominator that a result of whole units can have; all of its divisors are possible."""
    finest = _FINEST.get(unit.quantity, 1)
    return finest if finest > 1 or not (_AVERAGED.search(words) or _PERCENT.search(words)) else 100


def _over_whole(unit: Unit, before: Exact, after: Exact, words: str) -> bool:
    if unit.quantity is Quantity.SHARE:
        return before <= 1 < after
    return before <= 100 < after and _PERCENT.search(words) is not None and _GROWTH.search(words) is None


@lru_cache(maxsize=8192)
def _most_in_time(words: str) -> tuple[int, ...]:
    """Return how much of a time fits into another one, for each such rate in the words: 24 for `hours per day`."""
    rates = [(match["small"], match["large"]) for match in _TIME_IN_TIME.finditer(words)]
    return tuple(most for small, large in rates if (most := largest_factor(small, large)) is not None)
