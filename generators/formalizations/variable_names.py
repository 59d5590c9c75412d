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
_LETTERS = re.compile(r"(?<![a-z])[a-z]+")
_SENTENCE_END = re.compile(r"[.?!;](?=\s|$)")
_EMPTY_WORDS = _LISTS.words("empty")
_RESERVED = _LISTS.words("reserved")


def name_after(text: str, end: int, start: int = 0, *, fallback: str) -> str:
    """Name the number that ends at a place of a text by the content words that follow, else by those before it.

    At most three words of one clause make a name, such as `clips_in_may` of `24 clips in May`.
    """
    words: list[str] = []
    for word in _WORD.findall(text[end : end + LONGEST_CLAUSE].lower()):
        if not word.isalpha():
            if words or word in ".?!;=<>":
                break
        elif word not in _EMPTY_WORDS:
            words.append(word)
        if len(words) == MOST_WORDS or (len(words) > 1 and word in _EMPTY_WORDS):
            break
    if not words:
        before = _LETTERS.findall(text.lower(), max(0, start - 60), start)
        words = [word for word in before if word not in _EMPTY_WORDS][-MOST_WORDS:]
    name = "_".join(words)[:LONGEST_NAME].strip("_")
    if not name or keyword.iskeyword(name) or name in _RESERVED:
        return f"{fallback}_{name}" if name else fallback
    return name


def quote(text: str, start: int, end: int) -> str:
    """Return the words around a number, within its sentence: what a comment quotes."""
    left = max(0, start - 120)
    left = max((match.end() for match in _SENTENCE_END.finditer(text, left, start)), default=left)
    stop = _SENTENCE_END.search(text, end, end + 120)
    after = text[end : stop.start() if stop else end + 120].split()[:5]
    return " ".join([*text[left:start].split()[-3:], text[start:end].strip(), *after])
