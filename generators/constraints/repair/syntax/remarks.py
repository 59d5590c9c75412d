"""Remarks in plain language beside the commands of a program, and what they may change of these."""

from __future__ import annotations

import re
from collections.abc import Collection

from harness.text.lexicon import word_lists

_LISTS = word_lists(__file__)
_NEUTRAL = _LISTS.words("neutral")
_CONDITIONAL = re.compile(rf"\b(?:{_LISTS.either('conditional')})\b|\?|[{{}}]", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def is_conditional(remark: str) -> bool:
    """Tell whether a remark may make a command beside it conditional, one of several, or no longer meant."""
    return _CONDITIONAL.search(remark) is not None


def is_neutral(remark: str, names: Collection[str]) -> bool:
    """Tell whether a short remark consists of words that change nothing of what a command says, and of `names` of the program."""
    known = {name.lower() for name in names}
    return not is_conditional(remark) and all(
        word.lower() in _NEUTRAL or word.lower() in known for word in _WORD.findall(remark)
    )
