"""Nouns: singular and plural forms, the phrase after a number, and the agreement of a noun with its number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from harness.domain import Exact
from harness.text.lexicon import english

if TYPE_CHECKING:
    import inflect

_LISTS = english("nouns")

_SINGULAR: dict[str, str] = _LISTS.mapping("singular")
_IRREGULAR = _LISTS.words("irregular")
_NO_PLURAL = _LISTS.words("no_plural")
_DIGITS = re.compile(r"\d[\d,]*")
_ARTICLE = re.compile(r"\b([Aa]n?) \$?$")
_ENDINGS = re.compile(r"(?:['’]s?|ies|ied|ying|es|ed|ing|ers|er|s|y|e)$")
MOST_MODIFIERS = 3
SHORT_NOUN, LONGEST_NOUN = 4, 30
FUNCTION_WORDS = _LISTS.words("function")
_STOP = re.compile(r"\s*(?:[,.;:?!)]|$)|\s+(?P<word>[A-Za-z]+)")
_BEHIND_PHRASES = FUNCTION_WORDS - _LISTS.words("behind_phrases")
_WORD = re.compile(r" ([A-Za-z][\w’'-]*)")
_NEXT_WORD = re.compile(r" ([a-z]+)(?![\w'’])")
_NOT_PLURAL = re.compile(_LISTS.either("not_plural"))
_PLURAL = re.compile(r".*s|children|feet|geese|men|mice|people|teeth|women")
# The library would turn them into `as`, `they`, `them` and the like.
_NOT_SINGULAR = re.compile(_LISTS.either("not_singular"))


@lru_cache(maxsize=16_384)
def singular_noun(noun: str) -> str:
    """Return a noun without its plural ending; enough to compare nouns, not to print them."""
    place = max(noun.rfind(" "), noun.rfind("-")) + 1
    before, last = noun[:place], noun[place:]
    if last in _SINGULAR:
        return before + _SINGULAR[last]
    if last.endswith("es") and last.isalpha() and SHORT_NOUN < len(last) < LONGEST_NOUN:
        return before + _singular(last)
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def stem(word: str) -> str:
    """Return a word without its ending, enough to find it again in other sentences."""
    bare = _ENDINGS.sub("", re.sub(r"['’]s?$", "", word)) if len(word) > 3 else word
    return bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] else bare


def is_plural(word: str) -> bool:
    """Tell whether a lower-case word is a plural noun, as far as its ending tells."""
    if word in _IRREGULAR:
        return True
    regular = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "'s", "’s"))
    return regular and word not in _NO_PLURAL


def article_of(words: str) -> str:
    """Return the indefinite article before words or a number as they are read aloud: `an hour`, `a one-way trip`, `an 8`, `an 18,000`."""
    lower = words.lstrip("$").lower()
    digits = _DIGITS.match(lower)
    if digits is None:
        return "an" if lower.startswith(("a", "e", "i", "o", "u", "hour")) and not lower.startswith("one") else "a"
    digit_count = len(digits[0].replace(",", ""))
    number = int(digits[0].replace(",", "")[: digit_count % 3 or 3])
    return "an" if number in {8, 11, 18, *range(80, 90), *range(800, 900)} else "a"


def article_agrees(before: str, words: str) -> bool:
    """Tell whether the article at the end of a text, where there is one, agrees with words or a number after it."""
    article = _ARTICLE.search(before)
    return article is None or article[1].lower() == article_of(words)


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return `a`, `a and b` or `a, b and c`."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def counted(count: int, noun: str) -> str:
    """Return `1 problem` or `1,200 problems`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


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


def agree_with_number(words: str, before: Exact, after: Exact, vocabulary: frozenset[str]) -> str:
    """Return the words that follow a number, their first noun singular or plural as the new number asks.

    Only a lower-case word right after the number is touched, and only where the number became one or ceased to be. A plural is
    formed only where `vocabulary`, the lower-case words of the problem, has it: `1 large` is no noun.
    """
    match = _NEXT_WORD.match(words) if (before == 1) != (after == 1) else None
    if match is None:
        return words
    noun = match[1]
    changed = _singular(noun) if after == 1 else _plural(noun, vocabulary)
    return f" {changed}{words[match.end() :]}"


def _singular(noun: str) -> str:
    if _PLURAL.fullmatch(noun) is None or _NOT_PLURAL.fullmatch(noun) is not None:
        return noun
    return str(inflection().singular_noun(noun) or noun)


def _plural(noun: str, vocabulary: frozenset[str]) -> str:
    if _NOT_SINGULAR.fullmatch(noun) is not None:
        return noun
    plural = str(inflection().plural_noun(noun))
    return plural if plural.lower() in vocabulary else noun


@cache
def inflection() -> inflect.engine:
    """Return the inflections of English words, loaded when they are first asked for."""
    import typeguard

    checked = typeguard.typechecked
    # The library compiles each of its functions with type checks when it is imported, which takes seconds.
    typeguard.typechecked = lambda target: target  # type: ignore[assignment]  # it checks nothing
    try:
        import inflect
    finally:
        typeguard.typechecked = checked
    return inflect.engine()
