"""Checks of an edited text for slips of the keyboard: a lone mark, a lone letter, a letter within a word, a word twice."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from harness.text.lexicon import english
from oracles.labels.edits.findings import EditFinding, EditFindingKind, finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MOST_SHOWN = 4
MOST_COMPARED = 600
"""In words and marks between the first change and the last one: of longer texts only words that stand twice are found."""
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_TWICE = re.compile(r"\b(?P<word>[^\W\d_]+)(?P<again>\s+(?P=word))\b", re.IGNORECASE)
_LETTERS = frozenset({"a", "i"})
"""The letters that are words."""
_ATTACHED = frozenset(",;:")
_ENDINGS = frozenset("sdnry")
"""The letters that a word may end in in another form: `rolls`, `used`, `taken`, `your`, `half-empty`."""
_COMMON = english("stray_text").words("common")
"""Words that may stand in place of a similar one though no text of the candidate has them."""


def stray_findings(where: str, was: str, text: str, known: Iterable[str]) -> Iterator[EditFinding]:
    """Yield isolated additions of an edit of `was`; `known` are the texts whose words are no slips of the keyboard.

    A person judges each finding. Added whole words are no slips, except a word that stands there twice.
    """
    if text == was:
        return
    found = [*_twice(where, was, text), *_added(where, was, text, frozenset(_words(" ".join([was, *known]))))]
    yield from found[:MOST_SHOWN]


def _twice(where: str, was: str, text: str) -> Iterator[EditFinding]:
    before = Counter(match["word"].casefold() for match in _TWICE.finditer(was))
    for match in _TWICE.finditer(text):
        word = match["word"].casefold()
        before[word] -= 1
        if before[word] < 0:
            message = f"The word {match['word']!r} stands twice."
            yield finding(EditFindingKind.STRAY_TEXT, where, match[0], message, span=match.span(), unknown=True)


def _added(where: str, was: str, text: str, known: frozenset[str]) -> Iterator[EditFinding]:
    """Yield characters that stand alone where nothing else changed."""
    for start, added in _insertions(was, text):
        if added[0].isdigit() or len(set(added)) > 1 or len(added) > 3:
            continue
        message = _letter(text, start, len(added), known) if added[0].isalpha() else _mark(text, start, added)
        if message:
            span = (start, start + len(added))
            yield finding(EditFindingKind.STRAY_TEXT, where, added, message, span=span, unknown=True)


def _insertions(was: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield insertions where nothing was removed, without the spaces around them, and their places."""
    own, new = _TOKEN.findall(was), _TOKEN.findall(text)
    ahead = _alike(own, new)
    behind = _alike(own[ahead:][::-1], new[ahead:][::-1])
    own_part, new_part = own[ahead : len(own) - behind], new[ahead : len(new) - behind]
    if max(len(own_part), len(new_part)) > MOST_COMPARED:
        return
    place = sum(map(len, new[:ahead]))
    for kind, left, right, start, end in SequenceMatcher(None, own_part, new_part, autojunk=False).get_opcodes():
        old, now = "".join(own_part[left:right]), "".join(new_part[start:end])
        if kind != "equal":
            before = _alike(old, now)
            if before + _alike(old[before:][::-1], now[before:][::-1]) == len(old):
                inserted = now[before : before + len(now) - len(old)]
                if inserted.strip():
                    yield place + before + len(inserted) - len(inserted.lstrip()), inserted.strip()
        place += len(now)


def _alike(own: Sequence[str], new: Sequence[str]) -> int:
    """Return the number of equal items at the beginning."""
    return next(
        (place for place, (before, after) in enumerate(zip(own, new, strict=False)) if before != after),
        min(len(own), len(new)),
    )


def _mark(text: str, start: int, added: str) -> str:
    """Return what is odd about a mark that was added, empty if it is a mark of a sentence, of a word or of an amount."""
    before, after = text[:start], text[start + len(added) :]
    told = f"Only {added!r} was added here."
    if len(added) > 1 or added in "?!":
        return told
    joined = bool(before) and (before[-1].isalnum() or before[-1] in ")\"'”’%")
    apart = not after or after[0].isspace()
    if added in _ATTACHED and joined and apart and after.strip():
        return ""
    if added == "." and joined and (not after.strip() or (apart and after.lstrip()[0].isupper())):
        return ""
    if added in "'’" and before[-1:].isalpha() and (after[:1].isalpha() or (before[-1:] in "sS" and apart)):
        return ""
    if added == "-" and before[-1:].isalpha() and after[:1].isalpha():
        return ""
    if added in "$€£" and (after[:1].isdigit() or after.startswith("<<")) and not before[-1:].isalnum():
        return ""
    return told


def _letter(text: str, start: int, length: int, known: frozenset[str]) -> str:
    """Return what is odd about a letter that was added, empty if it makes another word or another form of one."""
    word = next((match for match in _WORD.finditer(text) if match.start() <= start < match.end()), None)
    if word is None or word[0].casefold() in known | _COMMON:
        return "" if word is None or len(word[0]) > 1 or word[0].casefold() in _LETTERS else _lone(word[0])
    if len(word[0]) == length:
        return "" if word[0].casefold() in _LETTERS else _lone(word[0])
    last = start + length == word.end()
    if (
        length == 1
        and last
        and word[0][-1].casefold() in _ENDINGS
        and word[0][-2:-1].casefold() != word[0][-1].casefold()
    ):
        return ""
    return f"Only {text[start : start + length]!r} was added to this word: {word[0]}."


def _lone(letter: str) -> str:
    return f"The letter {letter!r} stands alone."


def _words(text: str) -> Iterator[str]:
    return (match[0].casefold() for match in _WORD.finditer(text))
