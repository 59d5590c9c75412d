"""Numbers in words such as `forty-eight`, `two and a half`, `a dozen` or `twice`, read and written."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from harness.text.lexicon import word_lists

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.domain import Exact

_LISTS = word_lists(__file__)

UNITS: dict[str, int] = _LISTS.mapping("units")
TEENS: dict[str, int] = _LISTS.mapping("teens")
TENS: dict[str, int] = _LISTS.mapping("tens")
ORDINALS = _LISTS.ordered("ordinals")
SCALES: dict[str, int] = _LISTS.mapping("scales")
PARTS: dict[str, int] = _LISTS.mapping("parts")
PART_NAMES = {size: word for word, size in PARTS.items() if word != "fourth"}
"""By denominator, the usual name of a part: a quarter, not a fourth."""
PLURAL_PARTS = {"halves": 2, **{f"{word}s": size for word, size in PARTS.items() if word != "half"}}
MULTIPLES: dict[str, int] = _LISTS.mapping("multiples")
GROUPS: dict[str, int] = _LISTS.mapping("groups")


def longest_first(words: Iterable[str]) -> str:
    """Return alternatives of a regular expression, the longest first."""
    return "|".join(sorted(words, key=len, reverse=True))


# Zero stands alone: `twenty-zero` is not a number.
_SMALL = (
    rf"(?:(?:{longest_first(TENS)})(?:[- ](?:{longest_first(word for word in UNITS if word != 'zero')})(?![a-z]))?"
    rf"|{longest_first(TEENS)}|{longest_first(word for word in UNITS if word != 'zero')})"
)
# Atomic, since in `a thousand and twenty-five thousand` a new number starts at `twenty-five`, not after `twenty`.
_AFTER_HUNDRED = rf"(?:[ -](?:and )?(?>{_SMALL})(?![a-z]|[ -]hundred))?"
_HUNDREDS = rf"(?:(?:(?:{_SMALL}|an?)[ -])?hundred{_AFTER_HUNDRED}|{_SMALL})"
_LATER = rf"(?:(?:{_SMALL}|an?)[ -]hundred{_AFTER_HUNDRED}|{_SMALL})"
_JOINT = r"(?:(?:,? and|,)? )"
_REST = rf"(?:{_JOINT}(?>{_LATER})(?![a-z]|[ -](?:hundred|thousand|million|billion)))?"
_THOUSANDS = rf"thousand{_REST}"
_MILLIONS = rf"million(?:{_JOINT}(?:{_LATER}|a)[ -]{_THOUSANDS}|{_REST})"
_BILLIONS = rf"billion(?:{_JOINT}(?:{_LATER}|a)[ -](?:{_MILLIONS}|{_THOUSANDS})|{_REST})"
CARDINAL = rf"(?:(?:{_HUNDREDS}|an?)[ -](?:{_BILLIONS}|{_MILLIONS}|{_THOUSANDS})|{_HUNDREDS}|zero)(?![a-z])"
"""A cardinal in words, to be matched as ASCII without regard to case; what it matches `read_cardinal` reads."""
_WORD = re.compile(r"[a-z]+")
_SMALL_NUMBERS = {**UNITS, **TEENS, **TENS}


def read_cardinal(text: str) -> int | None:
    """Return the number a cardinal such as `two hundred and five` or `a thousand` names, `None` for other words.

    Where a second number would have to begin, as in `five six` or `a thousand two thousand`, it is `None` too.
    """
    lower = text.lower()
    if _compiled(CARDINAL).fullmatch(lower) is None:
        return None
    total, group = 0, 0
    for word in _WORD.findall(lower):
        if word in SCALES and word != "hundred":
            total += (group or 1) * SCALES[word]
            group = 0
        elif word == "hundred":
            group = (group or 1) * 100
        else:
            group += _SMALL_NUMBERS.get(word, 0)
    return total + group


def write_cardinal(number: int, *, hyphen: bool = True, conjunction: bool = False) -> str:
    """Write an integer of at most twelve digits in words, `forty-eight`, as `read_cardinal` reads them.

    Raises:
        ValueError: the number is negative or has more than twelve digits.
    """
    if not 0 <= number < 10**12:
        message = f"{number}: only integers from 0 to 999,999,999,999 are written in words"
        raise ValueError(message)
    parts: list[str] = []
    for word, scale in (("billion", 10**9), ("million", 10**6), ("thousand", 10**3)):
        if number >= scale:
            parts.append(f"{write_cardinal(number // scale, hyphen=hyphen, conjunction=conjunction)} {word}")
            number %= scale
    if number >= 100:
        parts.append(f"{_SMALL_WORDS[number // 100]} hundred")
        number %= 100
    if number or not parts:
        small = _small(number, "-" if hyphen else " ")
        parts.append(f"and {small}" if conjunction and parts else small)
    return " ".join(parts)


_SMALL_WORDS = {value: word for table in (UNITS, TEENS, TENS) for word, value in table.items()}


def _small(number: int, joint: str) -> str:
    if number in _SMALL_WORDS:
        return _SMALL_WORDS[number]
    return f"{_SMALL_WORDS[number // 10 * 10]}{joint}{_SMALL_WORDS[number % 10]}"


_PART_OF = rf"(?:(?P<count>{CARDINAL}|an?)(?P<joint>[ -]))?(?:(?P<parts>{longest_first(PLURAL_PARTS)})|(?P<part>{longest_first(PARTS)}))"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern compiled, which takes as long as an import may: when it is first used."""
    return re.compile(pattern)


def read_words(text: str) -> Exact | None:
    """Return the number that words name: `forty-eight`, `two and a half`, `two-thirds`, `half a dozen`, `three times`."""
    lower = text.lower().strip()
    if lower in MULTIPLES:
        return MULTIPLES[lower]
    if lower.endswith(" times"):
        return read_cardinal(lower.removesuffix(" times"))
    whole, _, rest = lower.rpartition(" and a ")
    if whole:
        part = PARTS.get(rest.strip())
        number = read_cardinal(whole)
        return None if part is None or number is None else number + Fraction(1, part)
    words = re.split(r"[ -]", lower)
    if words[-1] in GROUPS:
        before = [word for word in words[:-1] if word not in {"a", "an", "of"}]
        count = _read_count(" ".join(before)) if before else 1
        return None if count is None else count * GROUPS[words[-1]]
    return _read_count(lower)


def _read_count(lower: str) -> Exact | None:
    match = _compiled(_PART_OF).fullmatch(lower)
    if match is None:
        return read_cardinal(lower)
    count = 1 if match["count"] in {None, "a", "an"} else read_cardinal(match["count"])
    if match["parts"]:
        return None if count is None else Fraction(count, PLURAL_PARTS[match["parts"]])
    # `three-quarter` is a share, but `two half` is two numbers and `twenty-fifth` an ordinal.
    if count is None or (count != 1 and (match["joint"] == " " or count >= 20)):
        return None
    return Fraction(count, PARTS[match["part"]])
