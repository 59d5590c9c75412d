"""The mentions of numbers in a text, as digits or words, with the values that each can mean."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from harness.text.numbers.number_words import (
    CARDINAL,
    GROUPS,
    MULTIPLES,
    PARTS,
    PLURAL_PARTS,
    SCALES,
    TEENS,
    TENS,
    UNITS,
    longest_first,
    read_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.domain import Exact

LONGEST_TEXT = 100_000
LONGEST_NUMERAL = 40
LONGEST_KNOWN = 2_000
"""Characters of the longest text that is cached, because a question and its sentences are read many times."""
# A numeral has at most forty characters; without a bound, a chain of groups takes time in its cube.
NUMERAL = r"(?:\d{1,3}(?:,\d{3}){1,12}(?!,?\d)|\d+)(?:\.\d+)?|\.\d+"
FRACTION_GLYPHS = {
    glyph: (value.numerator, value.denominator)
    for glyph in "½¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅑⅒⅛⅜⅝⅞"
    if (value := Fraction(unicodedata.numeric(glyph)).limit_denominator(10))
}


_PART_WORDS = longest_first([*PARTS, *PLURAL_PARTS])
_GROUP_WORDS = longest_first(GROUPS)
_WORDS = (
    rf"(?:an? )?half (?:an? )?dozen|(?:one|an?)[ -](?:{_PART_WORDS}|{_GROUP_WORDS})(?![a-z])"
    rf"|{CARDINAL}(?: and a (?:half|third|quarter|fourth)|[ -](?:{longest_first(PLURAL_PARTS)}|{_GROUP_WORDS})|-(?:{longest_first(PARTS)}))?"
    rf"|{_PART_WORDS}|{_GROUP_WORDS}|{longest_first(MULTIPLES)}"
)
_DIGITS = re.compile(
    rf"(?=[\d.{''.join(FRACTION_GLYPHS)}])(?<![\d.])"
    r"(?:(?<!/)(?<!/ )(?:(?P<mixed>\d{1,9})[ -])?(?P<top>\d{1,9}) ?/ ?(?P<bottom>\d{1,9})(?!\.?\d| ?/)"
    rf"|(?P<whole>\d{{0,9}}) ?(?P<glyph>[{''.join(FRACTION_GLYPHS)}])"
    rf"|(?P<numeral>{NUMERAL})(?P<percent> ?%| percent\b| per cent\b)?"
    r"(?: (?P<scale>hundred|thousand|million|billion|dozen)\b| and an? (?P<part>half|third|quarter|fourth)\b)?)",
    re.IGNORECASE | re.ASCII,
)
# Searching for the long alternation at every character takes seven times as long as looking at each word first.
_WORD = re.compile(r"[^\W\d_]+")
_FIRST_WORDS = frozenset({*UNITS, *TEENS, *TENS, *SCALES, *PARTS, *PLURAL_PARTS, *GROUPS, *MULTIPLES})
_NUMBERS_BY_SCALE = {**SCALES, "dozen": GROUPS["dozen"]}


class NumberMention(NamedTuple):
    """A number in a text: its characters `start` to `end`, and the values it can mean, the plainest first.

    `25%` means 1/4 and 25, `half` 1/2 and the divisor 2, `two dozen` 24, 2 and 12.
    """

    start: int
    end: int
    text: str
    readings: tuple[Exact, ...]


def mentions(text: str) -> list[NumberMention]:
    """Return the numbers of a text in order; at most the first 100,000 characters are read."""
    return list(_known(text) if len(text) <= LONGEST_KNOWN else _mentions(text[:LONGEST_TEXT]))


@lru_cache(maxsize=512)
def _known(text: str) -> tuple[NumberMention, ...]:
    return tuple(_mentions(text))


def _mentions(text: str) -> Iterator[NumberMention]:
    matches = [(match.start(), match) for match in _DIGITS.finditer(text)]
    end, article = 0, None
    for word in _WORD.finditer(_lower(text)):
        name, start = word.group(), word.start()
        if name in _FIRST_WORDS and start >= end:
            in_words = _in_words()
            match = (in_words.match(text, article) if article is not None else None) or in_words.match(text, start)
            if match is not None:
                matches.append((match.start(), match))
                end = match.end()
        article = start if name in {"a", "an"} and start >= end else None
    end = 0
    for start, match in sorted(matches, key=itemgetter(0)):
        readings = _readings(match)
        if readings and start >= end:
            end = match.end()
            yield NumberMention(start, end, match.group(), readings)


@cache
def _in_words() -> re.Pattern[str]:
    """Compile what costs more than the rest of the module, once a text has a number word."""
    return re.compile(rf"(?P<words>{_WORDS})(?![a-z])(?P<cent> per ?cent\b)?", re.IGNORECASE | re.ASCII)


def _lower(text: str) -> str:
    """Lower ASCII letters only: others may become longer, and no number word has any."""
    return text.lower() if text.isascii() else text.translate(_ASCII_LOWER)


_ASCII_LOWER = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


def _readings(match: re.Match[str]) -> tuple[Exact, ...]:
    parts = match.groupdict()
    if "words" in parts:
        return _word_readings(parts["words"], percent=bool(parts["cent"]))
    if parts["numeral"] is not None:
        value = read_numeral(parts["numeral"])
        if value is None:
            return ()
        if parts["percent"]:
            return (Fraction(value) / 100, value)
        if parts["part"]:
            return (value + Fraction(1, PARTS[parts["part"].lower()]), value)
        scale = parts["scale"]
        return (value,) if scale is None else (whole_as_int(value * _NUMBERS_BY_SCALE[scale.lower()]), value)
    if parts["bottom"] is not None:
        top, bottom = int(parts["top"]), int(parts["bottom"])
        if not bottom:
            return (top, bottom)
        part = Fraction(top, bottom)
        whole = parts["mixed"]
        return (part, top, bottom) if whole is None else (int(whole) + part, int(whole), part)
    part = Fraction(*FRACTION_GLYPHS[parts["glyph"]])
    return (int(parts["whole"]) + part, int(parts["whole"]), part) if parts["whole"] else (part, part.denominator)


def _word_readings(words: str, *, percent: bool) -> tuple[Exact, ...]:
    value = read_words(words)
    if value is None:
        return ()
    if percent:
        return (Fraction(value) / 100, value)
    if isinstance(value, Fraction) and value.denominator > 1:
        return (value, value.denominator, value.numerator) if value < 1 else (value,)
    value = int(value)
    lower = words.lower().replace("-", " ").split()
    if lower[-1] in GROUPS and len(lower) > 1:
        size = GROUPS[lower[-1]]
        return tuple(dict.fromkeys((value, whole_as_int(Fraction(value, size)), size)))
    return (value,)


_ONLY_DIGITS = re.compile(r"(?:\d[\d,]*(?:\.\d+)?|\.\d+)", re.ASCII)


def read_numeral(text: str) -> Exact | None:
    """Return the value of digits such as `1,250.50` or `.5`; `None` for other text and for more digits than anyone means."""
    if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMERAL:
        return int(text)
    if len(text) > LONGEST_NUMERAL or _ONLY_DIGITS.fullmatch(text) is None:
        return None
    digits = text.replace(",", "")
    return Fraction(digits) if "." in digits else int(digits)


def whole_as_int(value: Exact) -> Exact:
    """Return a whole number as an int."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value
