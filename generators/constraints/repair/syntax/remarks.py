"""Remarks in plain language beside the commands of a program, and their possible effect on these."""

from __future__ import annotations

import re
from collections.abc import Collection

from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_NEUTRAL = _LISTS.words("neutral")
_CONDITIONAL = re.compile(rf"\b(?:{_LISTS.either('conditional')})\b|\?|[{{}}]", re.IGNORECASE)
_DENIAL = re.compile(rf"\b(?:{_LISTS.either('denials')})\b|[?¬✗✘×~]|(?<!<)!(?!=)", re.IGNORECASE)
_SIGNS = frozenset(" \t0123456789.,:!-–—*•>#()\"'`_/")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def is_conditional(remark: str) -> bool:
    """Tell whether a remark may make a command beside it conditional, one of several, or no longer meant."""
    return _CONDITIONAL.search(remark) is not None


def is_denial(remark: str) -> bool:
    """Tell whether a remark beside an assertion may withdraw it."""
    return _DENIAL.search(remark) is not None


def is_neutral(remark: str, names: Collection[str]) -> bool:
    """Tell whether a short remark does not change the meaning of a command.

    It consists of words that are known to change nothing and of `names` of the program, with the signs of a heading or of a list;
    a number stands beside such a word, and names alone are a heading.
    """
    if is_conditional(remark) or set(_WORD.sub("", remark)) - _SIGNS:
        return False
    words, known = _WORD.findall(remark.lower()), {name.lower() for name in names}
    if not words:
        return not any(character.isdigit() for character in remark)
    named = all(word in known and word not in _NEUTRAL for word in words)
    return all(word in _NEUTRAL or word in known for word in words) and (
        not named or remark.rstrip("*_ ").endswith(":")
    )


def mark(remark: str) -> str | None:
    """Return the shape of a remark without words, such as a box or the number or letter of a list; `None` where it has words."""
    if any(len(word) > 1 for word in _WORD.findall(remark)):
        return None
    return re.sub(r"\d+|[A-Za-z](?=\s*[.):])", "0", remark.strip())
