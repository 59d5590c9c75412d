"""The similarity of names: when one name is a misspelling of another, and when they are two names."""

from __future__ import annotations

import re

SHORTEST = 5
SHORTEST_EXCHANGED = 4
_NUMBERS = re.compile(r"\d+")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def folded_name(name: str) -> str:
    """Return a name without the signs between its words."""
    return re.sub(r"[-_. ]", "", name).lower()


def is_near_name(left: str, right: str) -> bool:
    """Tell whether one slip makes two names alike: a letter put in, left out or exchanged, or two neighbours swapped.

    Not where the slip is one of digits, or a whole word is one letter, as in `start_a` and `start_b`: those are two names.
    """
    if max(len(left), len(right)) < SHORTEST or left == right or _NUMBERS.findall(left) != _NUMBERS.findall(right):
        return False
    if not _distance_one(left.lower(), right.lower()):
        return False
    first, second = _WORDS.findall(left), _WORDS.findall(right)
    differing = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
    return len(first) != len(second) or any(max(map(len, pair)) > 1 for pair in differing)


def is_spelling_slip(left: str, right: str) -> bool:
    """Tell whether two names are nearly alike and the slip is one of writing: `cat` for `car` is none, in short words."""
    if not is_near_name(left, right):
        return False
    exchanged = len(left) == len(right) and sorted(left.lower()) != sorted(right.lower())
    words = [pair for pair in zip(_WORDS.findall(left), _WORDS.findall(right), strict=False) if pair[0] != pair[1]]
    return not exchanged or all(min(map(len, pair)) >= SHORTEST_EXCHANGED for pair in words)


def _distance_one(left: str, right: str) -> bool:
    shorter, longer = sorted((left, right), key=len)
    if len(longer) - len(shorter) > 1 or shorter == longer:
        return False
    pairs = enumerate(zip(shorter, longer, strict=False))
    first = next((place for place, (letter, other) in pairs if letter != other), len(shorter))
    if len(shorter) < len(longer):
        return shorter[first:] == longer[first + 1 :]
    swapped = longer[:first] + longer[first : first + 2][::-1] + longer[first + 2 :]
    return shorter[first + 1 :] == longer[first + 1 :] or shorter == swapped
