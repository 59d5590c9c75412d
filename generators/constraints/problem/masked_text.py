"""The mask of names, things and numbers in a text, to find problems that differ in nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from generators.constraints.problem.english import ORDINALS
from generators.constraints.problem.vocabulary import words
from harness.text.numbers import TEENS, UNITS

_WORD = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
_NUMBERS = frozenset({*UNITS, *TEENS, *ORDINALS, "last", "twice", "twenty"})
_JOINING = frozenset(("of", "the", "and", "in", "a", "at", "on", "first", "people"))
_THINGS = {
    "names": (),
    "grids": ("values",),
    "rows": ("noun",),
    "comparisons": ("noun",),
    "groups": ("groups", "noun"),
    "choices": ("things",),
    "jobs": ("things", "noun"),
    "shares": ("things",),
    "projects": ("steps",),
    "purchases": ("one", "two", "things", "subjects"),
    "limits": ("many", "needs", "thing"),
}
"""The tables of words and the lists in them that name people and things; of `names` all are."""


def masked_text(text: str) -> str:
    """Return a text with `@` for each word of the names of people and things in our lists, and `#` for each number, in digits or words."""
    return _WORD.sub(_mask, text)


def _mask(match: re.Match[str]) -> str:
    word = match[0].lower()
    if word[0].isdigit() or word in _NUMBERS:
        return "#"
    return "@" if word in _things() else word


@cache
def _things() -> frozenset[str]:
    texts = [text for name, keys in _THINGS.items() for text in _listed(words(name), keys, everything=not keys)]
    return frozenset(word for text in texts for word in _WORD.findall(text.lower())) - _JOINING


def _listed(table: Any, keys: tuple[str, ...], *, everything: bool) -> Iterator[str]:
    """Yield the texts of all lists in a table that stand under one of some keys."""
    if isinstance(table, dict):
        for key, value in table.items():
            yield from _listed(value, keys, everything=everything or key in keys)
    elif isinstance(table, list):
        for value in table:
            yield from _listed(value, keys, everything=everything)
    elif isinstance(table, str) and everything:
        yield table
