"""The names of variables in words and by words, and the proper names that occur in a text."""

import keyword
import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from harness.text.lexicon import english
from harness.text.nouns import FUNCTION_WORDS, is_plural
from harness.text.sentences import FINITE

_LISTS = english("names")
_RATE = _LISTS.words("rate")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_INITIALS = re.compile(r"[a-z]{1,2}|[^aeiouy]{1,5}|\d+")
_ORDINAL_ENDING = re.compile(r"(?<=\d)(?:st|nd|rd|th)(?![a-z])")
_WORD = re.compile(r"\b[a-z]+\b")
_CAPITAL = re.compile(r"\b[A-Z][a-z]+\b")
_NAME = re.compile(rf"(?:[,;] |\b[a-z]+ |\b(?:{_LISTS.either('name')}) )([A-Z][a-z]{{2,}})\b(?! [A-Z])")
# Names that are words of explanations as well.
_NO_NAMES = frozenset(["will", "may", "mark", "bill", "grace", "art", "the", "this", "one", "step", "sum", "answer"])
MOST_WORDS, LONGEST_CLAUSE, LONGEST_NAME = 3, 45, 40
"""The words of a name, the characters of a text that it is made of, and its own."""
_EMPTY_WORDS, _RESERVED = (english("variable_names").words(name) for name in ("empty", "reserved"))
_WORD_OR_SIGN = re.compile(r"[a-z]+|[.;:?!,()<>=]")
_LETTERS = re.compile(r"(?<![a-z])[a-z]+")
OPENING_WORDS = english("variants").words("opening")
"""Words that begin sentences and are not names."""
_FIRST_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def variable_words(variable: str) -> str:
    """Return the name of a variable in words: `num_red_apples` is `number of red apples`."""
    words = [word for word in variable.split("_") if word]
    if words and words[0] in {"num", "n", "no"} and len(words) > 1:
        words[: 1 + (words[1] == "of")] = ["number", "of"]
    return " ".join(words).lower()


def name_parts(name: str) -> list[str]:
    """Return the words and the numbers of a name or a text, in small letters: `percentOff_2` has `percent`, `off` and `2`."""
    return [part.lower() for part in _PART.findall(name)]


def is_initials(name: str) -> bool:
    """Tell whether a name is made of initials, short words without vowels, and numbers only."""
    return all(map(_INITIALS.fullmatch, name_parts(name)))


def without_ordinal_endings(name: str) -> str:
    """Return a name with its ordinals as numbers: `week_2nd` is `week_2`."""
    return _ORDINAL_ENDING.sub("", name)


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


def capital_words(text: str) -> set[str]:
    """Return the words of a text that have a capital and small letters after it."""
    return {*_CAPITAL.findall(text)}


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


def unused_name(name: str, used: set[str]) -> str:
    """Return a name, with a number from two on after it where it is used, and note it as used."""
    chosen, number = name, 1
    while chosen in used:
        number += 1
        chosen = f"{name}_{number}"
    used.add(chosen)
    return chosen


def name_after(text: str, end: int, start: int = 0, *, fallback: str) -> str:
    """Name the number that ends at a place of a text by the content words that follow, else by those before it.

    At most three words of one clause make a name, such as `clips_in_may` of `24 clips in May`.
    """
    words: list[str] = []
    for word in _WORD_OR_SIGN.findall(text[end : end + LONGEST_CLAUSE].lower()):
        if not word.isalpha():
            if words or word in ".?!;=<>":
                break
        elif word not in _EMPTY_WORDS:
            words.append(word)
        if len(words) == MOST_WORDS or (len(words) > 1 and word in _EMPTY_WORDS):
            break
    if not words:
        before = _LETTERS.findall(text.lower(), max(0, start - 60), start)
        words = [word for word in before if word not in _EMPTY_WORDS][-MOST_WORDS:]
    name = "_".join(words)[:LONGEST_NAME].strip("_")
    if not name or keyword.iskeyword(name) or name in _RESERVED:
        return f"{fallback}_{name}" if name else fallback
    return name


def is_named(word: str, text: str) -> bool:
    """Tell whether a word, in lower case, is a name of a text, also one that only begins sentences: `Ann has`, `Ann and Tom`, `Ann's`."""
    bare = re.sub(r"['’]s$", "", word)
    if bare in proper_names(text):
        return True
    match = re.search(rf"\b{re.escape(bare.capitalize())}(?=['’]s\b| and [A-Z]| (?P<next>[a-z]+)\b)", text)
    if match is None or bare in OPENING_WORDS or re.search(rf"\b{re.escape(bare)}\b", text):
        return False
    return match["next"] is None or (match["next"] in FINITE and not is_plural(bare))


def lowered(words: str, text: str) -> str | None:
    """Return words of a text as they read within a sentence; `None` where one cannot tell whether the first is a name."""
    first = _FIRST_WORD.match(words)
    if first is None:
        return words if words[:1].isdigit() else None
    word = first[0].lower()
    if first[0].islower() or is_named(word, text) or (first[0].isupper() and len(word) > 1):
        return words
    if word in OPENING_WORDS or re.search(rf"(?<![.?!] )(?<!^)\b{re.escape(word)}\b", text):
        return words[0].lower() + words[1:]
    return words if re.match(r" [A-Z]", words[first.end() :]) else None
