"""The words around the numbers of a text, in lower case and without plural endings."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from harness.text.lexicon import word_lists
from harness.text.numbers import NumberMention

_LISTS = word_lists(__file__)

FARTHEST = 12
"""The number of words before and after a number that are compared."""
STOPS = frozenset([".", "?", "!", ";"])
LIGHT = _LISTS.words("light")
"""Words that do not name the counted thing."""
_NO_NOUN = _LISTS.words("no_noun")  # as above
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d[\d,.]*\d|\d|[$%€£.?!;]")


@dataclass(frozen=True)
class WordContext:
    """A text by its words, numerals and signs, in lower case without plural `s`, and where each starts and ends."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def before(self, mention: NumberMention) -> tuple[str, ...]:
        """Return the words before a number, the nearest first."""
        at = bisect_right(self.ends, mention.start)
        return self.words[max(0, at - FARTHEST) : at][::-1]

    def after(self, mention: NumberMention) -> tuple[str, ...]:
        """Return the words after a number."""
        at = bisect_left(self.starts, mention.end)
        return self.words[at : at + FARTHEST]

    def same_noun(self, start: int, end: int, other_start: int, other_end: int) -> bool:
        """Tell whether two numbers of the text are followed by the same noun, and both or neither by a dollar sign."""
        own, other = self._noun(end), self._noun(other_end)
        signs = [start > 0 and self.text[start - 1] == "$" for start in (start, other_start)]
        return signs[0] == signs[1] and bool(own) and own == other

    def _noun(self, place: int) -> str:
        """Return the word after a number, empty where it is no noun."""
        at = bisect_left(self.starts, place)
        word = self.words[at] if at < len(self.words) else ""
        return "" if word in LIGHT or not word.isalpha() or word in _NO_NOUN else word


def word_context(text: str) -> WordContext:
    """Read a text by its words."""
    matches = list(_TOKEN.finditer(text))
    words = tuple(stem(match.group().lower()) for match in matches)
    return WordContext(text, words, tuple(match.start() for match in matches), tuple(match.end() for match in matches))


def stem(word: str) -> str:
    """Return a word without its plural or possessive `s`, enough to compare words."""
    if word[-1] != "s" or len(word) < 4:
        return word
    if word[-2] in "'’":
        return word[:-2]
    return word[:-1] if word[-2] != "s" else word
