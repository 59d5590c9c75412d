"""The names of variables in words, and the proper names that occur in a text."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from harness.text.lexicon import english
from harness.text.nouns import FUNCTION_WORDS

_LISTS = english("names")
_RATE = _LISTS.words("rate")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def variable_words(variable: str) -> str:
    """Return the name of a variable in words: `num_red_apples` is `number of red apples`."""
    words = [word for word in variable.split("_") if word]
    if words and words[0] in {"num", "n", "no"} and len(words) > 1:
        words[: 1 + (words[1] == "of")] = ["number", "of"]
    return " ".join(words).lower()


def variable_phrase(variable: str) -> str:
    """Return the name of a variable in a sentence: `the total cost` of `total_cost`."""
    return f"the {variable_words(variable) or 'value'}"


def name_parts(name: str) -> list[str]:
    """Return the words and the numbers of a name or a text, in small letters: `percentOff_2` has `percent`, `off` and `2`."""
    return [part.lower() for part in _PART.findall(name)]


@lru_cache(maxsize=4_096)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name: `percentOff` and `percent_off` have the same."""
    return tuple(part for part in name_parts(name) if not part.isdigit())


def counted_and_unit(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words of a name before and after its `per` or `a`: what a rate counts, `eggs` of `eggs_a_day`, and by what; no unit where it is no rate."""
    for place in range(1, len(words) - 1):
        if words[place] in _RATE and words[place - 1] not in FUNCTION_WORDS:
            return words[:place], words[place + 1 :]
    return words, ()


@lru_cache(maxsize=1_024)
def proper_names(text: str) -> frozenset[str]:
    """Return the words of a text, in lower case, that are never written so and stand as single capitals within a sentence.

    Of `High School` neither word is a name of its own.
    """
    names = {match[1].lower() for match in _NAME.finditer(text)}
    return frozenset(names - set(_WORD.findall(text)) - _NO_NAMES)


def with_names(text: str, names: Collection[str]) -> str:
    """Write the words of a text that are proper names, `names` in lower case, with their capitals."""
    return _WORD.sub(lambda match: match[0].capitalize() if match[0] in names else match[0], text) if names else text


_WORD = re.compile(r"\b[a-z]+\b")
_NAME = re.compile(rf"(?:[,;] |\b[a-z]+ |\b(?:{_LISTS.either('name')}) )([A-Z][a-z]{{2,}})\b(?! [A-Z])")
# Names that are words of explanations as well.
_NO_NAMES = frozenset(["will", "may", "mark", "bill", "grace", "art", "the", "this", "one", "step", "sum", "answer"])


def unused_name(name: str, used: set[str]) -> str:
    """Return a name, with a number from two on after it where it is used, and note it as used."""
    chosen, number = name, 1
    while chosen in used:
        number += 1
        chosen = f"{name}_{number}"
    used.add(chosen)
    return chosen
