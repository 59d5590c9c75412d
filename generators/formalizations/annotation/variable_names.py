"""Names of variables, taken from the words next to a number, and the quotes for their comments."""

from __future__ import annotations

import keyword
import re

from harness.text.lexicon import english

_LISTS = english("variable_names")

MOST_WORDS = 3
LONGEST_CLAUSE = 45
LONGEST_NAME = 40
_WORD = re.compile(r"[a-z]+|[.;:?!,()<>=]")
_WHOLE_WORD = re.compile(r"(?<![A-Za-z])[A-Za-z]+")
_STOPS = frozenset(".;:?!,()<>=")
_SENTENCE_END = re.compile(r"[.?!;](?=\s|$)")
_EMPTY_WORDS = _LISTS.words("empty")
_RESERVED = _LISTS.words("reserved")


def name_after(text: str, end: int, start: int = 0, *, fallback: str) -> str:
    """Name the number that ends at a place of a text by the content words that follow, else by those before it.

    At most three words of one clause make a name, such as `clips_in_may` of `24 clips in May`.
    """
    words: list[str] = []
    for word in _WORD.findall(text[end : end + LONGEST_CLAUSE].lower()):
        if word in _STOPS:
            if words or word in ".?!;=<>":
                break
        elif word in _EMPTY_WORDS:
            if len(words) > 1:
                break
        else:
            words.append(word)
            if len(words) == MOST_WORDS:
                break
    if not words:
        before = [word.lower() for word in _WHOLE_WORD.findall(text, max(0, start - 60), start)]
        words = [word for word in before if word not in _EMPTY_WORDS][-MOST_WORDS:]
    name = "_".join(words)[:LONGEST_NAME].strip("_")
    if not name or not name.isidentifier() or keyword.iskeyword(name) or name in _RESERVED:
        return f"{fallback}_{name}" if name and f"{fallback}_{name}".isidentifier() else fallback
    return name


def quote(text: str, start: int, end: int) -> str:
    """Return the words around a number, within its sentence: what a comment quotes."""
    left = max(
        (match.end() for match in _SENTENCE_END.finditer(text, max(0, start - 120), start)), default=max(0, start - 120)
    )
    before = text[left:start].split()[-3:]
    stop = _SENTENCE_END.search(text, end, end + 120)
    after = text[end : stop.start() if stop else end + 120].split()[:5]
    return " ".join([*before, text[start:end].strip(), *after])


def content_words(text: str) -> frozenset[str]:
    """Return the words of a text that carry meaning, in lower case, without a plural s."""
    return frozenset(word.rstrip("s") for word in _LETTERS.findall(text.lower()) if is_content(word))


_LETTERS = re.compile(r"[a-z]+")


def is_content(word: str) -> bool:
    """Tell whether a word in lower case carries meaning."""
    return len(word) > 2 and word not in _EMPTY_WORDS
