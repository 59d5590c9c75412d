"""In which words of the problem does a person speak of its quantities?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generators.flaws.units import MEASURES, TIMES, Quantity, singular
from generators.problems.question import sentences_of
from harness.text.mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from generators.flaws.units import Unit
    from generators.problems.subject import Subject
    from harness.domain import Exact

LONGEST_QUOTE = 160
MOST_WORDS = 9


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WORD = re.compile(r"[ -]([A-Za-z][\w'’-]*)")
_BREAKS = _set(
    "and or but if then so because when while after before who which that he it she they we you i is are was were has have "
    "had can could will would should does did do with than until from to at into by how what where there for on in"
)
_LOOSE_ENDS = _set(
    "a an the of in on for his her their its my your our more less fewer each every all both as only also"
)
_COMPARED = _set("more fewer less times older younger taller shorter longer heavier lighter")
_SHORT = {
    "amt": "amount",
    "avg": "average",
    "diff": "difference",
    "dist": "distance",
    "ft": "feet",
    "hrs": "hours",
    "init": "initial",
    "lbs": "pounds",
    "max": "maximum",
    "min": "minimum",
    "mins": "minutes",
    "num": "number of",
    "orig": "original",
    "pct": "percentage",
    "perc": "percentage",
    "qty": "quantity",
    "sqft": "square feet",
    "temp": "temperature",
    "tot": "total",
}
_READS_BADLY = _set("answer calc factor multiplier result tmp val value var")
_TAIL = re.compile(r" (?:of|per|for|in|after|left|each|from|with|on|at|by|needed|sold|made|earned|spent)\b")


def fragment(text: str, start: int, end: int) -> str:
    """Return a number of a text with the words after it up to where its clause turns: `6 rows of tomato seedlings`."""
    words: list[str] = []
    place = end
    while len(words) < MOST_WORDS and (match := _WORD.match(text, place)) is not None:
        if match[1].lower() in _BREAKS:
            break
        words.append(text[place : match.end()])
        place = match.end()
    while words and words[-1].strip().lower() in _LOOSE_ENDS:
        words.pop()
    return text[start:end] + "".join(words)


def claim_of(text: str, span: tuple[int, int] | None, allowed: Collection[Exact]) -> str | None:
    """Return the sentence that a number stands in, without its stop, or the words from the number on; `None` where neither can be quoted."""
    if span is None:
        return None
    whole = next((one.text for one in sentences_of(text) if one.start <= span[0] < one.end), "")
    for quote in (whole.rstrip("."), fragment(text, *span)):
        if " " in quote and len(quote) <= LONGEST_QUOTE and '"' not in quote and not foreign(quote, allowed):
            return quote
    return None


def foreign(text: str, allowed: Collection[Exact]) -> list[str]:
    """Return the numbers of a text that mean none of the allowed values."""
    return [one.text for one in mentions(text) if not any(value in allowed for value in one.readings)]


def named(variable: str, unit: Unit, names: Collection[str]) -> str | None:
    """Return a variable's name as a noun phrase, `the number of red apples`; `None` where it reads badly.

    `names` are the proper names of the problem in lower case: `tom_apples` are `Tom's apples`.
    """
    words = [part for word in variable.lower().split("_") for part in _SHORT.get(word, word).split()]
    if words[:1] == ["number"] and words[1:2] not in ([], ["of"]):
        words[:1] = ["number", "of"]
    text = " ".join(words)
    if not words or not _READS_BADLY.isdisjoint(words) or any(len(word) < 2 and word != "a" for word in words):
        return None
    if not text.isascii() or any(letter.isdigit() for letter in text) or mentions(text):
        return None
    first, *rest = [word.capitalize() if word in names else word for word in words]
    if first.lower() in names:
        return f"{first}'s {' '.join(rest)}" if rest else None
    if first in {"the", "a", "an"}:
        return f"the {' '.join(rest)}" if rest else None
    if counted(unit) and first in {"total", "remaining"} and rest and rest[0].endswith("s") and "per" not in rest:
        first = f"{first} number of"
    return " ".join(["the", first, *rest])


def counted(unit: Unit) -> bool:
    """Tell whether a quantity is a number of things."""
    return unit.quantity is Quantity.COUNT and bool(unit.noun) and unit.noun not in TIMES | MEASURES


def plural_head(phrase: str) -> bool:
    """Tell whether a noun phrase takes `are`: `the apples left`, not `the number of apples`."""
    words = _TAIL.split(phrase)[0].split()
    last = words[-1].lower() if words else ""
    return last.endswith("s") and singular(last) != last and not last.endswith("'s")


def unknown(subject: Subject, variable: str) -> str | None:
    """Return what an edited problem no longer says, in the words its number stood in: `how many boxes of pens there are`."""
    place = subject.question.place_of.get(variable)
    if place is None:
        return None
    words = fragment(subject.question.text, place.end, place.end).strip(" -")
    first = words.split()[0] if words else ""
    if place.form.before or place.form.after or not first.islower() or mentions(words) or '"' in words:
        return None
    if first in _COMPARED:
        return f"how many {words}" if first in {"more", "fewer", "times"} else None
    if singular(first) == first and subject.units[variable].noun not in map(singular, words.split()):
        return None
    if place.value == 1 or not any(singular(word) != word for word in words.split(" of ")[0].split()):
        return None
    return f"how many {words} there are" if counted(subject.units[variable]) else f"the number of {words}"


def kinds_of(words: str) -> str:
    """Return the things a bound speaks of: `apples` of `apples are counted`."""
    noun = words.partition(" are counted")[0]
    return noun if noun.isalpha() and noun.isascii() else "things"


def joined(parts: Sequence[str]) -> str:
    """Return `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def sentence(text: str) -> str:
    """Return words as a sentence: a capital in front, a stop at the end."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
