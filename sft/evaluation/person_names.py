"""The names of people in a text, and their replacement by other first names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from harness.text.lexicon import word_lists

if TYPE_CHECKING:
    from random import Random

_LISTS = word_lists(__file__)

WOMEN, MEN = _LISTS.words("women"), _LISTS.words("men")
_WORD = re.compile(r"(?<![\w'’-])[A-Z][a-z]+(?![\w-])")


def people(text: str) -> list[str]:
    """Return the names of people in a text in the order they come, each once."""
    return list({word: None for word in _WORD.findall(text) if word in WOMEN or word in MEN})


def renaming(text: str, draw: Random) -> dict[str, str]:
    """Return for each name another of the same sex that the text does not hold, no two the same."""
    words = {word.lower() for word in re.findall(r"\w+", text)}
    taken: set[str] = set()
    chosen = {}
    for name in people(text):
        pool = sorted((WOMEN if name in WOMEN else MEN) - taken)
        free = [other for other in pool if other.lower() not in words]
        chosen[name] = draw.choice(free)
        taken.add(chosen[name])
    return chosen


def renamed(text: str, names: dict[str, str]) -> str:
    """Return a text with the names exchanged wherever they stand as words, all at once."""
    return _WORD.sub(lambda word: names.get(word[0], word[0]), text)
