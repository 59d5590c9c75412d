"""The unit in which each value of a solution is counted, and the values that are absurd for it."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from fractions import Fraction

from harness.domain import Exact
from harness.solution.rendering import PlacedVariable
from harness.solution.solution_text import SolutionText
from harness.solution.trace import Trace, TraceEntry
from harness.text.lexicon import word_lists
from harness.text.noun_forms import singular_noun
from harness.text.units import MEASURES, TIMES

_LISTS = word_lists(__file__)


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


DOLLARS = Unit(Quantity.MONEY, "dollar")
_MONEY = re.compile(rf"\b(?:{_LISTS.either('money')})\b")
_NOT_MONEY = re.compile(rf"\b(?:{_LISTS.either('not_money')})\b")
_SHARE = re.compile(r"\b(?:percent\w*|fraction|ratio|rate|share|proportion|probability|chance|pct|portion|discount)\b")
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
                # `$<<6*3=` opens an annotation: the sign belongs to the result behind it.
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
    """Return the variable right behind an annotation that opens with a dollar sign."""
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


def absurdity(unit: Unit, before: Exact, after: Exact) -> str | None:
    """Say why a value cannot stand for a quantity where another one did; `None` where it can.

    What was whole stays whole unless its quantity is divisible at sight: money, times and measures to the
    hundredth. What was not negative stays so; zero of something is no result anyone carries on with. A share stays at most one.
    """
    if after < 0 <= before:
        return "negative"
    if after == 0 != before:
        return "zero"
    if before.denominator == 1 != after.denominator:
        finest = {Quantity.MONEY: 100, Quantity.TIME: 100, Quantity.MEASURE: 100}.get(unit.quantity, 1)
        if finest % after.denominator:
            return "not whole"
    if unit.quantity is Quantity.SHARE and before <= 1 < after:
        return "more than all"
    if before and abs(Fraction(after) / before) > LARGEST_RATIO:
        return "out of scale"
    return None


LARGEST_RATIO = 100_000
