"""The people, things and settings of constraint problems, from the word tables in `words/`."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from generators.constraints.problem.english import capitalized, number
from harness.text.nouns import listed

WORDS = Path(__file__).with_name("words")


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
