"""The mask of names, things and numbers in a text, to find problems that differ in nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from generators.constraints.problem.english import ORDINALS
from generators.constraints.problem.vocabulary import WORDS, words
from harness.text.numbers import TEENS, UNITS

_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
_NUMBERS = frozenset({*UNITS, *TEENS, *ORDINALS, "last", "twice", "twenty"})
_JOINING = frozenset(("of", "the", "and", "in", "a", "at", "on", "first", "people"))


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
    texts = (text for path in WORDS.glob("*.toml") for text in _listed(words(path.stem)) if not set(text) & set("{.?"))
    return frozenset(word for text in texts for word in _WORD.findall(text.lower())) - _JOINING


def _listed(table: Any) -> Iterator[str]:
    """Yield the texts of all lists in a table."""
    if isinstance(table, dict):
        for value in table.values():
            yield from _listed(value) if not isinstance(value, str) else ()
    elif isinstance(table, list):
        for value in table:
            yield from [value] if isinstance(value, str) else _listed(value)
