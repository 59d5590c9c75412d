"""The words of a text: as they are written, in small letters, with their places, or with numbers and names masked."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from dataclasses import dataclass

from harness.text.lexicon import english
from harness.text.numbers import GROUPS, MULTIPLES, PARTS, PLURAL_PARTS, SCALES, TEENS, TENS, UNITS

_LISTS = english("words")
FARTHEST = 12
"""The number of words before and after a place that its context has."""
LIGHT = _LISTS.words("light")
"""Words that do not name the counted thing."""
_NO_NOUN = _LISTS.words("no_noun")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d[\d,.]*\d|\d|[$%€£.?!;]")
_PLAIN = re.compile(r"[a-z]+")
_LETTERS = re.compile(r"[^\W\d_]+")
_HYPHENATED = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")
_WORDING = re.compile(r"[^\W\d_]+(?:['’]s)?|[$%?,.;]")
_NUMBER_WORDS = frozenset({*UNITS, *TEENS, *TENS, *SCALES, *PARTS, *PLURAL_PARTS, *MULTIPLES, *GROUPS})
_NUMBER, _NAME = "#", "@"


def words_of(text: str) -> list[str]:
    """Return the words and numerals of a text as they are written: `don't` and `1,200` are one each."""
    return [token for token in _TOKEN.findall(text) if token[0].isalnum()]


def plain_words(text: str) -> list[str]:
    """Return the runs of the letters a to z in a text, in small letters."""
    return _PLAIN.findall(text.lower())


def letter_runs(text: str) -> list[str]:
    """Return the runs of letters of any script in a text."""
    return _LETTERS.findall(text)


def hyphenated_words(text: str) -> list[str]:
    """Return the words of a text in small letters with the hyphens and apostrophes in them."""
    return [word.lower() for word in _HYPHENATED.findall(text)]


def wording_of(text: str) -> list[str]:
    """Return the words of a text in small letters without its numerals, contractions but for `'s` in two, and its signs of amounts and clauses."""
    return [word.lower() for word in _WORDING.findall(text)]


@dataclass(frozen=True)
class WordContext:
    """A text by its words, numerals and signs, in lower case without plural `s`, and where each starts and ends."""

    text: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def before(self, start: int) -> tuple[str, ...]:
        """Return the words before a place, the nearest first."""
        at = bisect_right(self.ends, start)
        return self.words[max(0, at - FARTHEST) : at][::-1]

    def after(self, end: int) -> tuple[str, ...]:
        """Return the words after a place."""
        at = bisect_left(self.starts, end)
        return self.words[at : at + FARTHEST]

    def same_noun(self, start: int, end: int, other_start: int, other_end: int) -> bool:
        """Tell whether two numbers of the text are followed by the same noun, and both or neither by a dollar sign."""
        own, other = self._noun(end), self._noun(other_end)
        signs = [start > 0 and self.text[start - 1] == "$" for start in (start, other_start)]
        return signs[0] == signs[1] and bool(own) and own == other

    def _noun(self, place: int) -> str:
        """Return the word after a number, empty where it is no noun."""
        word = next(iter(self.after(place)), "")
        return "" if word in LIGHT or not word.isalpha() or word in _NO_NOUN else word


def word_context(text: str) -> WordContext:
    """Read a text by its words."""
    matches = list(_TOKEN.finditer(text))
    words = tuple(without_s(match.group().lower()) for match in matches)
    return WordContext(text, words, tuple(match.start() for match in matches), tuple(match.end() for match in matches))


def content_words(text: str) -> frozenset[str]:
    """Return the words of a text that carry meaning."""
    words = (match.group().lower() for match in _TOKEN.finditer(text))
    return frozenset(plain for word in words if word not in LIGHT and (plain := without_s(word)).isalpha()) - LIGHT


def without_s(word: str) -> str:
    """Return a word without its plural or possessive `s`, enough to compare words."""
    if word[-1] != "s" or len(word) < 4:
        return word
    return word[:-2] if word[-2] in "'’" else word[:-1] if word[-2] != "s" else word


def masked_words(text: str, *, names: bool) -> list[str]:
    """Return the words of a text in small letters, with one mark for numbers in a row and, with `names`, one for capitalised words in a row."""
    masked: list[str] = []
    for word in words_of(unicodedata.normalize("NFKC", text)):
        lower = word.casefold()
        if word[0].isdigit() or lower in _NUMBER_WORDS:
            lower = _NUMBER
        elif names and word[0].isupper():
            lower = _NAME
        if lower not in {_NUMBER, _NAME} or not masked or masked[-1] != lower:
            masked.append(lower)
    return masked
