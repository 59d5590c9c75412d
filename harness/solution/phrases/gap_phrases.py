"""The phrases by which reasoning traces name a number that a sentence which still stands lacks: `for how many days "Jane sews 2 dresses a day"`."""

from __future__ import annotations

import re

from harness.text.numbers import mentions
from harness.text.sentences import sentences_of

LONGEST_QUOTE = 140
_ALONE = re.compile(r"(?:a total of |another |an? )?\$?#%?(?:[- ][a-z]+)?", re.IGNORECASE)
_ADDED = re.compile(
    r"(?P<lead>for|in|at|within|during|over) (?:(?P<money>\$#)|#(?P<counted> [a-z]+(?: (?:per|an?|each) [a-z]+)?))"
)


def gap_phrase(problem: str, place: int, gone: str) -> str | None:
    """Return the phrase for a number that a problem lacks at a place, `gone` being the words that stood there; `None` for other words than a number.

    Of a sentence that asks, its condition alone can lack a number: what is asked is complete without one.
    """
    numbers = mentions(gone)
    sentence = next((part for part in sentences_of(problem) if part.start <= place <= part.end), None)
    if sentence is None or len(numbers) != 1:
        return None
    words = sentence.text.strip().rstrip(".!")
    if sentence.asks:
        condition, comma, _ = words.partition(",")
        if not (comma and words.startswith("If ") and place <= sentence.start + len(condition)):
            return None
        words = condition.removeprefix("If ")
    if '"' in words or len(words) > LONGEST_QUOTE:
        return None
    shape = f"{gone[: numbers[0].start]}#{gone[numbers[0].end :]}".strip()
    added = _ADDED.fullmatch(shape)
    if added is not None:
        much = "how much" if added["money"] else f"how many{added['counted']}"
        return f'{added["lead"]} {much} "{words}"'
    return f'the number that is left out of "{words}"' if _ALONE.fullmatch(shape) else None
