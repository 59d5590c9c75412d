"""The unit in which each value of a solution is counted."""

import enum
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from harness.solution.solution_text import PlacedVariable, SolutionText
from harness.solution.trace import Trace, TraceEntry
from harness.text.lexicon import english
from harness.text.nouns import FUNCTION_WORDS, phrase_at, singular_noun
from harness.text.numbers import mentions
from harness.text.units import MEASURES, TIMES
from harness.text.words import plain_words

_LISTS = english("quantities")
_MONEY, _NOT_MONEY, _SHARE = (_LISTS.pattern(name, r"\b", r"\b") for name in ("money", "not_money", "share"))
_IN_COMMENT = re.compile(r"\b\d[\d,.]*((?:[ -][a-z]+){1,3})", re.IGNORECASE)


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

    def fits(self, other: Self) -> bool:
        """Tell whether a person could take the one for the other: same kind, and same noun where both have one."""
        return self.quantity is other.quantity and (not self.noun or not other.noun or self.noun == other.noun)

    def clashes(self, other: Self) -> bool:
        """Tell whether two quantities are known to be counted in different units."""
        return not self.fits(other) and Unit(Quantity.NUMBER) not in {self, other}


def _noun_after(text: str, *, one: bool = False) -> str:
    """Return the plural noun after a number, or the unit, or what one is of, right after it, in the singular; empty where there is none."""
    phrase, word = phrase_at(text, 0), next(iter(plain_words(text[:24])), "")
    if phrase is not None:
        return phrase.noun
    return word if word in TIMES | MEASURES or (one and word not in FUNCTION_WORDS) else ""


def unit_of(entry: TraceEntry, followed_by: str, *, dollar: bool) -> Unit:
    """Guess the unit of a variable from how it is written, what follows it in the text, its name and comment."""
    name = entry.variable.replace("_", " ").lower()
    if dollar:
        return Unit(Quantity.MONEY, "dollar")
    noun = _noun_after(followed_by, one=entry.value == 1)
    if 0 < entry.value < 1 and _SHARE.search(f"{name} {entry.comment}"):
        return Unit(Quantity.SHARE)
    if noun in {"dollar", "cent"} or (_MONEY.search(name) and not _NOT_MONEY.search(name)):
        return Unit(Quantity.MONEY, noun if noun in {"dollar", "cent"} else "dollar")
    nouns = [noun] if noun else [singular_noun(word) for word in reversed(name.split())]
    for quantity, known in ((Quantity.TIME, TIMES), (Quantity.MEASURE, MEASURES)):
        for word in nouns:
            if word in known:
                return Unit(quantity, word)
    return Unit(Quantity.COUNT if noun and entry.value.denominator == 1 else Quantity.NUMBER, noun)


def units_of(trace: Trace, text: SolutionText) -> dict[str, Unit]:
    """Return the unit of each variable of a trace, as far as its text, names and comments tell."""
    followed: dict[str, str] = {}
    dollars: set[str] = set()
    for line in text.lines:
        before, opened = "", False
        for part, after in pairwise((*line.parts, "")):
            if isinstance(part, PlacedVariable):
                if part.form.before == "$" or before.endswith("$"):
                    dollars.add(part.variable)
                if isinstance(after, str) and _noun_after(after):
                    followed.setdefault(part.variable, after)
                before = ""
            else:
                # `$<<6*3=` opens an annotation: the sign belongs to the result after it.
                before = "$" if opened and part == ">>" else part.removesuffix("$<<")
                opened = part.endswith("$<<") or (opened and not part.startswith(">>"))
    units: dict[str, Unit] = {}
    for entry in trace.entries:
        name = entry.variable
        copied = units.get(entry.reads[0]) if name in trace.copies and entry.reads else None
        comment = _IN_COMMENT.search(entry.comment)
        words = followed.get(name, "" if comment is None else comment[1].lower())
        amounts = (mention for mention in mentions(entry.comment) if entry.value in mention.readings)
        priced = any(entry.comment.endswith("$", 0, mention.start) for mention in amounts)
        units[name] = copied or unit_of(entry, words, dollar=priced or name in dollars)
    return units
