"""Words of a sentence that refer to other sentences."""

from __future__ import annotations

import re

from harness.text.lexicon import word_lists
from harness.text.sentences import sentences_of

_LISTS = word_lists(__file__)

_THINGS = re.compile(rf"\b(?:{_LISTS.either('things')})\b", re.IGNORECASE)
EXPLETIVE = re.compile(
    r"\b(?:it (?:takes?|took|costs?|will (?:take|cost)|would (?:take|cost))|(?:does|did|will|would) it (?:take|cost))\b",
    re.IGNORECASE,
)


def refers(words: str) -> bool:
    """Tell whether the first of some sentences may refer to things named before it."""
    following = sentences_of(words)
    return bool(following) and _THINGS.search(EXPLETIVE.sub("", following[0].text)) is not None
