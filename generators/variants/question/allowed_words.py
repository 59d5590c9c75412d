"""Words that a generated sentence may use for a problem: common words and the stems of the problem's own words."""

from __future__ import annotations

import re
from collections.abc import Collection

from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)

COMMON = _LISTS.words("common")
"""Words that belong to no problem in particular."""
_WORD = re.compile(r"[A-Za-z]+(?:['’-][A-Za-z]+)*")
_ENDINGS = re.compile(r"(?:['’]s?|ies|ied|ying|es|ed|ing|ers|er|s|y|e)$")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    return [match.group().lower() for match in _WORD.finditer(text)]


def stem(word: str) -> str:
    """Return a word without its ending, enough to find it again in other sentences."""
    bare = _ENDINGS.sub("", word) if len(word) > 3 else word
    return bare[:-1] if len(bare) > 3 and bare[-1] == bare[-2] else bare


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text."""
    return frozenset(
        stem(part) for word in words_of(text) for part in (word, *word.split("-"), word.removesuffix("'s"))
    )


def unknown_words(sentence: str, known: Collection[str]) -> list[str]:
    """Return the words of a sentence that are neither common nor among the stems of its problem."""
    return [
        word
        for word in words_of(sentence)
        if word not in COMMON and word.removesuffix("'s") not in COMMON and stem(word) not in known
    ]


_CAPITAL = re.compile(r"[A-Z][A-Za-z]+")


def strange_names(sentence: str, text: str) -> list[str]:
    """Return the capitalised words of a sentence that a text does not have; common words may begin it."""
    known = set(_CAPITAL.findall(text))
    return [
        match.group()
        for match in _CAPITAL.finditer(sentence)
        if match.group() not in known
        and not (match.start() == 0 and re.search(rf"\b{match.group().lower()}\b", text.lower()))
        and not (match.start() == 0 and match.group().lower() in COMMON)
    ]
