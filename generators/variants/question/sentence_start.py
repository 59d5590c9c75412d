"""The first word of a sentence as it is written within another sentence: names keep their capital."""

from __future__ import annotations

import re

from generators.variants.question.input_places import LocatedQuestion
from harness.text.lexicon import english
from harness.text.names import proper_names
from harness.text.nouns import is_plural
from harness.text.sentences import FINITE

OPENING_WORDS = english("variants").words("opening")
"""Words that begin sentences and are no names."""
_FIRST = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def is_named(word: str, question: LocatedQuestion) -> bool:
    """Tell whether a word, in lower case, is a name, also one that only begins sentences: `Ann has`, `Ann and Tom`, `Ann's`."""
    bare = re.sub(r"['’]s$", "", word)
    if bare in proper_names(question.text):
        return True
    match = re.search(rf"\b{re.escape(bare.capitalize())}(?=['’]s\b| and [A-Z]| (?P<next>[a-z]+)\b)", question.text)
    if match is None or bare in OPENING_WORDS or re.search(rf"\b{re.escape(bare)}\b", question.text):
        return False
    return match["next"] is None or (match["next"] in FINITE and not is_plural(bare))


def lowered(text: str, question: LocatedQuestion) -> str | None:
    """Return words as they read within a sentence; `None` where one cannot tell whether the first is a name."""
    first = _FIRST.match(text)
    if first is None:
        return None
    word = first[0].lower()
    if first[0].islower() or is_named(word, question) or (first[0].isupper() and len(word) > 1):
        return text
    if re.match(r" [A-Z]", text[first.end() :]) and word not in OPENING_WORDS:
        return text
    if word in OPENING_WORDS or re.search(rf"(?<![.?!] )(?<!^)\b{re.escape(word)}\b", question.text):
        return text[0].lower() + text[1:]
    return None
