"""Numbers in text: their words and digits read and written, the values that each mention can mean, and the limits that they state."""

import enum
import re
import unicodedata
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from operator import itemgetter
from typing import NamedTuple

from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.nouns import inflection

_LISTS = english("numbers")

UNITS: dict[str, int] = _LISTS.mapping("units")
TEENS: dict[str, int] = _LISTS.mapping("teens")
TENS: dict[str, int] = _LISTS.mapping("tens")
ORDINALS = _LISTS.ordered("ordinals")
SCALES: dict[str, int] = _LISTS.mapping("scales")
LARGE_SCALES = frozenset(scale for scale in SCALES.values() if scale >= 1_000)
"""The scales in which large amounts are stated: thousand, million and more."""
PARTS: dict[str, int] = _LISTS.mapping("parts")
PART_NAMES = {size: word for word, size in PARTS.items() if word != "fourth"}
"""By denominator, the usual name of a part: a quarter, not a fourth."""
PLURAL_PARTS = {"halves": 2, **{f"{word}s": size for word, size in PARTS.items() if word != "half"}}
MULTIPLES: dict[str, int] = _LISTS.mapping("multiples")
GROUPS: dict[str, int] = _LISTS.mapping("groups")
SCALE_WORD = rf"[ -](?:{'|'.join([*SCALES, *GROUPS])})"
"""A scale after a number, ` million` or ` dozen`, as a regular expression."""
SCALE_TAIL = re.compile(rf"{SCALE_WORD}|[ -](?:quarters|per ?cent)", re.IGNORECASE)
"""What may follow the word of a number that is a part of a greater one: `dozen`, `quarters`, `percent`."""


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
_SMALL_NUMBERS = {**UNITS, **TEENS, **TENS}


def read_cardinal(text: str) -> int | None:
    """Return the number a cardinal such as `two hundred and five` or `a thousand` names, `None` for other words.

    Where a second number would have to begin, as in `five six` or `a thousand two thousand`, it is `None` too.
    """
    lower = text.lower()
    if _compiled(CARDINAL).fullmatch(lower) is None:
        return None
    total, group = 0, 0
    for word in re.split("[^a-z]+", lower):
        if word in SCALES and word != "hundred":
            total += (group or 1) * SCALES[word]
            group = 0
        elif word == "hundred":
            group = (group or 1) * 100
        else:
            group += _SMALL_NUMBERS.get(word, 0)
    return total + group


@lru_cache(maxsize=4_096)
def write_cardinal(number: int) -> str:
    """Write an integer of at most twelve digits in words, `forty-eight`, as `read_cardinal` reads them.

    Raises:
        ValueError: the number is negative or has more than twelve digits.
    """
    if not 0 <= number < 10**12:
        raise ValueError(f"{number}: only integers from 0 to 999,999,999,999 are written in words")
    return " ".join(str(inflection().number_to_words(str(number), comma="", andword="")).split())


_PART_OF = rf"(?:(?P<count>{CARDINAL}|an?)(?P<joint>[ -]))?(?:(?P<parts>{longest_first(PLURAL_PARTS)})|(?P<part>{longest_first(PARTS)}))"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern compiled, which takes as long as an import may: when it is first used."""
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


def is_ordinal(text: str) -> bool:
    """Tell whether one word is an ordinal or the part that it names: `third`, `thirds`, `4th`."""
    return text.isalnum() and text.removesuffix("s").endswith(("rd", "th"))


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
    rf"(?P<words>(?:an? )?half (?:an? )?dozen|(?:one|an?)[ -](?:{_PART_WORDS}|{_GROUP_WORDS})(?![a-z])"
    rf"|{CARDINAL}(?: and a (?:half|third|quarter|fourth)|[ -](?:{longest_first(PLURAL_PARTS)}|{_GROUP_WORDS})|-(?:{longest_first(PARTS)}))?"
    rf"|{_PART_WORDS}|{_GROUP_WORDS}|{longest_first(MULTIPLES)})(?![a-z])(?P<cent> per ?cent\b)?"
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
    return list(_cached_mentions(text) if len(text) <= LONGEST_KNOWN else _mentions(text[:LONGEST_TEXT]))


@lru_cache(maxsize=512)
def _cached_mentions(text: str) -> tuple[NumberMention, ...]:
    return tuple(_mentions(text))


def _mentions(text: str) -> Iterator[NumberMention]:
    matches = [(match.start(), match) for match in _DIGITS.finditer(text)]
    end, article = 0, None
    for word in _WORD.finditer(_lower(text)):
        name, start = word.group(), word.start()
        if name in _FIRST_WORDS and start >= end:
            in_words = _compiled(_WORDS)
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


class LimitSide(enum.StrEnum):
    """Whether a quantity is at most or at least a limit."""

    MOST = "at-most"
    LEAST = "at-least"
