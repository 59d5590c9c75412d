"""The tokens of a solution line and their kinds: number, sign, word, link or break."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, NamedTuple

from harness.text.lexicon import word_lists

if TYPE_CHECKING:
    from harness.domain import Exact

_LISTS = word_lists(__file__)


class TokenKind(enum.StrEnum):
    """What a token is; the names of signs and numbers are those of the grammar's terminals."""

    # Kinds are looked up millions of times; an enumeration hashes its names in Python.
    __hash__ = str.__hash__

    NUMBER = "NUMBER"
    PLUS = "PLUS"
    MINUS = "MINUS"
    TIMES = "TIMES"
    OVER = "OVER"
    FLOOR = "FLOOR"
    POWER = "POWER"
    LPAR = "LPAR"
    RPAR = "RPAR"
    FRACTION = "FRACTION"
    ROOT = "ROOT"
    WORD = "WORD"
    LINK = "LINK"
    VERB = "VERB"
    COLON = "COLON"
    BREAK = "BREAK"
    OPAQUE = "OPAQUE"


class Token(NamedTuple):
    """A piece of a line; `value` is a number's, `soft` marks a number in words or in groups of digits."""

    kind: TokenKind
    start: int
    end: int
    text: str
    value: Exact | None = None
    percent: bool = False
    places: int = 0
    unit: str = ""
    spaced: bool = False
    """White space stands before it."""
    soft: bool = False
    scale: int = 1
    joined: bool = False
    """Two numbers with their units, as `5 feet 10 inches`."""


OPERATORS = frozenset(
    {TokenKind.PLUS, TokenKind.MINUS, TokenKind.TIMES, TokenKind.OVER, TokenKind.FLOOR, TokenKind.POWER}
)
STARTS = frozenset({TokenKind.NUMBER, TokenKind.LPAR, TokenKind.FRACTION, TokenKind.ROOT})
ENDS = frozenset({TokenKind.NUMBER, TokenKind.RPAR})
MOST_WORDS = 5
"""So many words may stand between a sign and its number: `1/2 of the remaining 40 clips`."""


def determines(word: str) -> bool:
    """Tell whether a word can stand between a sign and its number without a meaning of its own: `the`, `Ann's`."""
    return word in _DETERMINERS or word.endswith(("'s", "s'", "’s", "s’"))


_DETERMINERS = _LISTS.words("determiners")
