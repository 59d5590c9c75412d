"""Why no word of a text is read: its script, or its language, by the words that the product knows."""

import re
from functools import cache

from harness.text.characters import foreign_script
from harness.text.lexicon import english_tables
from harness.text.nouns import FUNCTION_WORDS

FEWEST_WORDS = 4
"""A text of fewer words is in no language."""
LEAST_KNOWN = 0.3
"""Of 11,073 problems in English the least known has 0.34, of 29 problems in 27 other languages the most known 0.25."""
_WORD = re.compile(r"(?<![\\\w])[^\W\d_]{2,}|\b[aAI]\b")


@cache
def _lexicon_words() -> frozenset[str]:
    """Return all words of the lexicon but names, which are those of every language."""
    tables = [table for name, table in english_tables().items() if name != "names"]
    return frozenset(re.findall(r"[a-z]{2,}", str(tables).lower().replace("\\n", " ").replace("\\b", " ")))


def familiarity(text: str, context: str = "") -> float:
    """Return the share of the words of a text that are known or stand in its context, those that hold sentences together counted twice; 1 for a few words."""
    words, near = _letter_words(text), {*_letter_words(context)}
    known = sum(2 if word in FUNCTION_WORDS else word in _lexicon_words() or word in near for word in words)
    return known / (2 * len(words)) if len(words) >= FEWEST_WORDS else 1.0


def unread_language(text: str, context: str = "") -> str:
    """Return why the words of a text cannot be read, empty for English; `context` is an English text whose words it may use."""
    if foreign_script(text):
        return "it is in a script of which no word is read"
    return "it is in a language of which few words are read" if familiarity(text, context) < LEAST_KNOWN else ""


def _letter_words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text) if len(word) == 1 or not word.isupper()]
