"""Numbers of world knowledge, such as 60 minutes in an hour, and the wrong values that people remember for them."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.number_forms import format_value
from harness.text.numbers import whole_as_int
from harness.text.units import factor


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
