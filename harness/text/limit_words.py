"""Words in front of a number that make it a limit: `at most 40`, `at least 40`."""

from __future__ import annotations

import enum
import re

from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)


class LimitSide(enum.StrEnum):
    """Whether a quantity is at most or at least a limit."""

    MOST = "at-most"
    LEAST = "at-least"


LIMIT_WORDS = {LimitSide.MOST: _LISTS.ordered("most"), LimitSide.LEAST: _LISTS.ordered("least")}
"""The words for each side of a limit."""
_SIDES = {phrase: side for side, phrases in LIMIT_WORDS.items() for phrase in phrases}
_BEFORE = re.compile(rf"\b({'|'.join(sorted(_SIDES, key=len, reverse=True))}) \$?$", re.IGNORECASE)


def limit_side(text: str, start: int) -> LimitSide | None:
    """Return which limit the words in front of a number at `start` make it, `None` where they make it none."""
    match = _BEFORE.search(text, 0, start)
    return None if match is None else _SIDES[match[1].lower()]
