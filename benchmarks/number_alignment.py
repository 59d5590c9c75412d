"""Alignment of the numbers of two versions of a problem text: missing, vague and new numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from harness.text.numbers.number_mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.text.numbers.number_mentions import NumberMention

LEAST_ALIKE = 0.6
"""Two texts with fewer tokens in common are not aligned."""
_TOKEN = re.compile(r"\d+(?:[.,/]\d+)*|[^\W\d_]+(?:['’][a-z]+)?|[^\w\s]")
_ASKS = re.compile(r"\b(?:how|what|find|calculate|determine|which|when)\b", re.IGNORECASE)
_HEDGES = {"about", "above", "almost", "approximately", "around", "below", "least", "most", "nearly", "over", "roughly"}
_HEDGES |= {"several", "some", "than", "under", "up"}
_VAGUE = {"a", "amount", "an", "certain", "couple", "few", "handful", "lot", "lots", "many", "multiple", "number", "of"}
_VAGUE |= {"several", "some", "the", "various"}
_ORDINAL = re.compile(r"(?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)s?", re.IGNORECASE)
_SOMEBODY = {"exactly", "he", "her", "his", "it", "its", "she"}
_DOZENS = {"dozens", "hundreds", "thousands"}


@dataclass(frozen=True, slots=True)
class NumberAlignment:
    """What an edit of a text did to its numbers: those it removed or made vague, and those of the new text that are new."""

    missing: tuple[NumberMention, ...]
    new: tuple[NumberMention, ...]
    asks_other: bool


def align(before: str, after: str) -> NumberAlignment | None:
    """Align two texts by their tokens; `None` where they are too different."""
    first, second = list(_TOKEN.finditer(before)), list(_TOKEN.finditer(after))
    words = [[token.group().lower() for token in tokens] for tokens in (first, second)]
    matcher = SequenceMatcher(None, words[0], words[1], autojunk=False)
    if matcher.ratio() < LEAST_ALIKE:
        return None
    kept: dict[int, int] = {}
    instead: dict[int, tuple[int, int]] = {}
    for tag, start, end, left, right in matcher.get_opcodes():
        for offset, place in enumerate(range(start, end)):
            if tag == "equal":
                kept[place] = left + offset
            else:
                instead[place] = (left, right)
    missing: list[NumberMention] = []
    same: set[int] = set()
    instead_of: set[int] = set()
    later = numbers_of(after)
    for mention in numbers_of(before):
        tokens = list(_places(first, mention))
        if all(place in kept for place in tokens):
            same.add(kept[tokens[0]])
            if _hedged(words[0], tokens[0], words[1], kept[tokens[0]]):
                missing.append(mention)
            continue
        spans = [instead[place] for place in tokens if place in instead]
        low, high = min(span[0] for span in spans), max(span[1] for span in spans)
        there = [candidate for candidate in later if any(low <= place < high for place in _places(second, candidate))]
        told = [candidate for candidate in there if candidate.readings[0] == mention.readings[0]]
        if told:
            same.update(_places(second, told[0]))
        else:
            missing.append(mention)
            instead_of.update(id(candidate) for candidate in there)
    other = [
        candidate
        for candidate in later
        if same.isdisjoint(_places(second, candidate)) and candidate.text.lower() not in _DOZENS
    ]
    # `one of` says no number; `one` where `two` stood does.
    new = [candidate for candidate in other if candidate.readings[0] != 1 or id(candidate) in instead_of]
    return NumberAlignment(tuple(missing), tuple(new), _asks_other(before, after, missing))


def numbers_of(text: str) -> list[NumberMention]:
    """Return the numbers of a text without ordinals: a bare `third` is no share."""
    return [mention for mention in mentions(text) if _ORDINAL.fullmatch(mention.text) is None]


def _places(tokens: Sequence[re.Match[str]], mention: NumberMention) -> Iterator[int]:
    return (place for place, token in enumerate(tokens) if token.start() < mention.end and mention.start < token.end())


def _hedged(before: Sequence[str], first: int, after: Sequence[str], second: int) -> bool:
    """Tell whether a number that stayed has words before it that make it vague and were not there."""
    now, then = set(after[max(0, second - 2) : second]), set(before[max(0, first - 2) : first])
    return bool((now - then) & _HEDGES)


def _asks_other(before: str, after: str, missing: Sequence[NumberMention]) -> bool:
    """Tell whether another question is asked; words that went with a missing number of the question make it no other."""
    first, second = _asked(before), _asked(after)
    if len(second) <= len(("how", "many")) < len(first):
        return True
    found = list(_ASKS.finditer(before))
    if not found or not any(mention.start >= found[-1].start() for mention in missing):
        return first != second
    rest = iter(first)
    return not all(word in rest for word in second)


def _asked(text: str) -> tuple[str, ...]:
    """Return the words of what is asked, without numbers and words for vague quantities."""
    found = list(_ASKS.finditer(text))
    asked = text[found[-1].start() :] if found else ""
    spans = [(mention.start, mention.end) for mention in mentions(asked)]
    tokens = (token for token in _TOKEN.finditer(asked) if not any(low <= token.start() < high for low, high in spans))
    # A name may stand for a pronoun.
    words = (token.group() for place, token in enumerate(tokens) if not place or not token.group()[0].isupper())
    return tuple(word.lower() for word in words if word.isalpha() and word.lower() not in _VAGUE | _HEDGES | _SOMEBODY)
