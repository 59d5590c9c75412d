"""Explanations of flaws: sentences filled from a choice of phrases, with equations in numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from harness.text.names import with_names


def explain(
    phrases: tuple[str, ...],
    random: Random,
    facts: Mapping[str, Callable[[], str]],
    names: frozenset[str] = frozenset(),
) -> str:
    """Fill one of the phrases with the facts that it names; other facts are not put into words.

    `names` are proper names in lower case, as variables have them; they are written as names.
    """
    text = random.choice(phrases).format_map(_Told(facts))
    text = with_names(text, names)
    return text[0].upper() + text[1:]


class _Told(dict[str, str]):
    def __init__(self, facts: Mapping[str, Callable[[], str]]) -> None:
        self.facts = facts

    def __missing__(self, name: str) -> str:
        return self.facts[name]()
