"""Which numbers of a problem are missing or vague in another telling of it?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from harness.text.mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.text.mentions import Mention

LEAST_ALIKE = 0.6
"""Two texts with fewer tokens in common are not aligned."""
_TOKEN = re.compile(r"\d+(?:[.,/]\d+)*|[^\W\d_]+(?:['’][a-z]+)?|[^\w\s]")
_ASKS = re.compile(r"\b(?:how|what|find|calculate|determine|which|when)\b", re.IGNORECASE)
_HEDGES = {"about", "above", "almost", "approximately", "around", "below", "least", "most", "nearly", "over", "roughly"}
_HEDGES |= {"several", "some", "than", "under", "up"}
_VAGUE = {"a", "amount", "an", "certain", "couple", "few", "handful", "lot", "lots", "many", "multiple", "number", "of"}
_VAGUE |= {"several", "some", "the", "various"}
_ORDINAL = re.compile(r"(?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)s?", re.IGNORECASE)
_DOZENS = {"dozens", "hundreds", "thousands"}


@dataclass(frozen=True, slots=True)
class Aligned:
    """What an edit of a text did to its numbers: those it removed or made vague, and those it gave another value."""

    missing: tuple[Mention, ...]
    other: tuple[Mention, ...]
    asks_other: bool


def align(before: str, after: str) -> Aligned | None:
    """Align two texts by their tokens; `None` where they are too different."""
    first, second = list(_TOKEN.finditer(before)), list(_TOKEN.finditer(after))
    words = [[one.group().lower() for one in tokens] for tokens in (first, second)]
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
    missing: list[Mention] = []
    other: list[Mention] = []
    later = numbers_of(after)
    for mention in numbers_of(before):
        tokens = [place for place, one in enumerate(first) if one.start() < mention.end and mention.start < one.end()]
        if all(place in kept for place in tokens):
            if _hedged(words[0], tokens[0], words[1], kept[tokens[0]]):
                missing.append(mention)
            continue
        spans = [instead[place] for place in tokens if place in instead]
        low, high = min(span[0] for span in spans), max(span[1] for span in spans)
        there = [one for one in later if any(low <= place < high for place in _places(second, one))]
        if any(one.readings[0] == mention.readings[0] for one in there):
            continue
        (other if any(one.text.lower() not in _DOZENS for one in there) else missing).append(mention)
    return Aligned(tuple(missing), tuple(other), _asks_other(before, after, missing))


def numbers_of(text: str) -> list[Mention]:
    """Return the numbers of a text without ordinals: a bare `third` is no share."""
    return [one for one in mentions(text) if _ORDINAL.fullmatch(one.text) is None]


def _places(tokens: Sequence[re.Match[str]], mention: Mention) -> Iterator[int]:
    return (place for place, one in enumerate(tokens) if one.start() < mention.end and mention.start < one.end())


def _hedged(before: Sequence[str], first: int, after: Sequence[str], second: int) -> bool:
    """Tell whether a number that stayed has words before it that make it vague and were not there."""
    now, then = set(after[max(0, second - 2) : second]), set(before[max(0, first - 2) : first])
    return bool((now - then) & _HEDGES)


def _asks_other(before: str, after: str, missing: Sequence[Mention]) -> bool:
    """Tell whether another question is asked; words that went with a missing number of the question make it no other."""
    first, second = _asked(before), _asked(after)
    if len(second) <= len(("how", "many")) < len(first):
        return True
    found = list(_ASKS.finditer(before))
    if not found or not any(one.start >= found[-1].start() for one in missing):
        return first != second
    rest = iter(first)
    return not all(word in rest for word in second)


def _asked(text: str) -> tuple[str, ...]:
    """Return the words of what is asked, without numbers and words for vague quantities."""
    found = list(_ASKS.finditer(text))
    asked = text[found[-1].start() :] if found else ""
    spans = [(one.start, one.end) for one in mentions(asked)]
    tokens = (one for one in _TOKEN.finditer(asked) if not any(low <= one.start() < high for low, high in spans))
    words = (one.group().lower() for one in tokens)
    return tuple(word for word in words if word[0].isalpha() and word not in _VAGUE and word not in _HEDGES)
