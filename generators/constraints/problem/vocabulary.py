"""The people, things and settings of constraint problems, from the word tables in `words/`, and the mask of them in a text."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from generators.constraints.problem.english import ORDINALS, capitalized, number
from harness.text.nouns import listed
from harness.text.numbers import TEENS, UNITS

WORDS = Path(__file__).with_name("words")
_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
_NUMBERS = frozenset({*UNITS, *TEENS, *ORDINALS, "last", "twice", "twenty"})
_JOINING = frozenset(("of", "the", "and", "in", "a", "at", "on", "first", "people"))


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A person, thing or number as a text says it, its symbol in a program, and `more` that templates may say of it."""

    said: str
    symbol: str
    more: Mapping[str, str] = field(default_factory=dict)

    @property
    def value(self) -> str:
        """Return its name as a value of an enumeration."""
        return capitalized(self.symbol)


def names_of(things: Sequence[NamedThing]) -> str:
    """Return the things as a text lists them."""
    return listed([thing.said for thing in things])


def symbols_of(things: Sequence[NamedThing]) -> tuple[str, ...]:
    """Return the symbols of things."""
    return tuple(thing.symbol for thing in things)


def numbers_from(first: int, last: int) -> list[NamedThing]:
    """Return whole numbers from one to another, as words."""
    return [NamedThing(number(value), str(value)) for value in range(first, last + 1)]


def figures(values: Iterable[int]) -> list[NamedThing]:
    """Return numbers in digits."""
    return [NamedThing(str(value), str(value)) for value in values]


@cache
def words(name: str) -> dict[str, Any]:
    """Return a table of words."""
    return tomllib.loads((WORDS / f"{name}.toml").read_text(encoding="utf-8"))


def people(rng: Random, count: int) -> list[NamedThing]:
    """Return drawn people of different names."""
    return [NamedThing(name, name.lower()) for name in rng.sample(words("names")["names"], count)]


def things_of(rng: Random, count: int, setting: Mapping[str, Any]) -> list[NamedThing]:
    """Return drawn things of those that a setting speaks of, all different."""
    match setting["things"]:
        case "people":
            return people(rng, count)
        case "coloured":
            colours = rng.sample(words("names")["colours"], count)
            return [NamedThing(f"the {colour} {setting['noun']}", colour) for colour in colours]
        case "subjects":
            subjects = rng.sample(words("names")["subjects"], count)
            return [NamedThing(f"the {subject} {setting['noun']}", subject.lower()) for subject in subjects]
        case kind:
            return [NamedThing(name, name) for name in rng.sample(words("names")[kind], count)]


def masked_text(text: str) -> str:
    """Return a text with `@` for each word of our lists of people and things, and `#` for each number, in digits or words."""
    return _WORD.sub(_mask, text)


def _mask(match: re.Match[str]) -> str:
    word = match[0].lower()
    if word[0].isdigit() or word in _NUMBERS:
        return "#"
    return "@" if word in _things() else word


@cache
def _things() -> frozenset[str]:
    """Return the words of all lists of names, which have neither a slot nor the end of a sentence."""
    texts = (text for path in WORDS.glob("*.toml") for text in _entries(words(path.stem)) if not set(text) & set("{.?"))
    return frozenset(word for text in texts for word in _WORD.findall(text.lower())) - _JOINING


def _entries(table: Any) -> Iterator[str]:
    """Yield the texts of all lists in a table."""
    if isinstance(table, dict):
        for value in table.values():
            yield from _entries(value) if not isinstance(value, str) else ()
    elif isinstance(table, list):
        for value in table:
            yield from [value] if isinstance(value, str) else _entries(value)
