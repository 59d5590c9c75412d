"""The noun phrase after a number, found by spelling and lists of common words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.text.lexicon import word_lists
from harness.text.noun_forms import is_plural, singular_noun

_LISTS = word_lists(__file__)

MOST_MODIFIERS = 3
FUNCTION_WORDS = _LISTS.words("function")
_STOP = re.compile(r"\s*(?:[,.;:?!)]|$)|\s+(?P<word>[A-Za-z]+)")
_BEHIND_PHRASES = FUNCTION_WORDS - _LISTS.words("behind_phrases")
_WORD = re.compile(r" ([A-Za-z][\w’'-]*)")


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase after a number: its first plural noun in the singular, and where that ends.

    The phrase is `closed` if it surely ends there, `plain` if nothing stands between the number and the noun.
    """

    noun: str
    end: int
    closed: bool
    plain: bool


def phrase_at(text: str, start: int) -> NounPhrase | None:
    """Return the plural noun phrase that begins right after a number, `None` where no plural noun is found."""
    place, modifiers = start, 0
    while (match := _WORD.match(text, place)) is not None and modifiers <= MOST_MODIFIERS:
        lower = match[1].lower()
        if not (modifiers == 0 and lower in {"more", "less", "fewer"}):
            if lower in FUNCTION_WORDS or match[1][0].isupper():
                return None
            if is_plural(lower):
                return NounPhrase(singular_noun(lower), match.end(), ends_phrase(text, match.end()), modifiers == 0)
        place, modifiers = match.end(), modifiers + 1
    return None


def ends_phrase(text: str, end: int) -> bool:
    """Tell whether a noun phrase that reaches `end` certainly ends there."""
    stop = _STOP.match(text, end)
    return stop is not None and (stop["word"] is None or stop["word"].lower() in _BEHIND_PHRASES)
