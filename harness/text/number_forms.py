"""The forms in which a text writes a number, the writing of another value in the same form, and which numbers of a question are quantities."""

import enum
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from harness.domain import Exact, decimal_places
from harness.text.lexicon import english
from harness.text.nouns import article_of
from harness.text.numbers import (
    CARDINAL,
    GROUPS,
    MULTIPLES,
    NUMERAL,
    PART_NAMES,
    PARTS,
    PLURAL_PARTS,
    SCALE_WORD,
    NumberMention,
    read_cardinal,
    read_numeral,
    read_words,
    whole_as_int,
    write_cardinal,
)

LARGEST = 10**30


class NumberKind(enum.StrEnum):
    """The ways of writing a number."""

    NUMERAL = "numeral"
    FRACTION = "fraction"
    WORDS = "words"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class NumberForm:
    """How a number was written: `1,250.50`, `.5`, `$3`, `25%` of 1/4, `2 1/2`, `Forty-eight`, `twice`.

    `before` and `after` are signs that belong to it; `scale` is 100 where hundredths were counted. Of a numeral,
    `places` are the decimals it was written with, kept up by zeros if `padded`, by rounding if `rounded`; `money` never
    has one decimal. Of a fraction, `denominator` is what it was written over, and `joint` what stood between a whole number and it.
    """

    kind: NumberKind
    before: str = ""
    after: str = ""
    scale: int = 1
    separators: bool = False
    leading_zero: bool = True
    places: int = 0
    padded: bool = False
    rounded: bool = False
    money: bool = False
    denominator: int = 1
    bar: str = "/"
    joint: str = ""
    capital: bool = False
    named: str = ""

    def write(self, value: Exact) -> str | None:
        """Write a value in this form; `None` where the form cannot say it exactly, or not to its own places."""
        whole = value.numerator
        of_digits = self.kind is NumberKind.NUMERAL and self.scale == 1 and not self.places
        if of_digits and value.denominator == 1 and -LARGEST < whole < LARGEST:
            # Most values by far: without it, writing numbers takes a fifth of the time that a mutated solution takes.
            sign = "-" if whole < 0 else ""
            digits = f"{abs(whole):,}" if self.separators else str(abs(whole))
            return f"{sign}{self.before}{digits}{self.after}"
        number = Fraction(value) * self.scale
        if abs(number) > LARGEST:
            return None
        match self.kind:
            case NumberKind.NUMERAL:
                text = self._numeral(abs(number))
            case NumberKind.FRACTION:
                text = self._fraction(abs(number))
            case NumberKind.WORDS:
                text = self._in_words(number)
            case NumberKind.NAMED:
                text = self._as_name(number)
        if text is None:
            return None
        sign = "-" if number < 0 and not _ZERO.fullmatch(text) else ""
        return f"{sign}{self.before}{text}{self.after}"

    def _numeral(self, number: Fraction) -> str | None:
        places = self.places if self.rounded else decimal_places(number)
        if places is None:
            return None
        if self.padded:
            places = max(places, self.places)
        if self.money and places == 1:
            places = 2
        scaled = number * 10**places
        digits = str((scaled.numerator * 2 + scaled.denominator) // (2 * scaled.denominator)).rjust(places + 1, "0")
        whole, decimals = (digits[:-places], digits[-places:]) if places else (digits, "")
        if self.rounded and not self.padded:
            decimals = decimals.rstrip("0")
            decimals = f"{decimals}0" if self.money and len(decimals) == 1 else decimals
        if self.separators:
            whole = f"{int(whole):,}"
        if not self.leading_zero and whole == "0" and decimals:
            whole = ""
        return f"{whole}.{decimals}" if decimals else whole

    def _fraction(self, number: Fraction) -> str | None:
        whole, part = divmod(number, 1) if self.joint else (0, number)
        if part.denominator == 1:
            return str(whole + part.numerator)
        if part.denominator > LARGEST:
            return None
        bottom = self.denominator if self.denominator % part.denominator == 0 else part.denominator
        text = f"{part.numerator * (bottom // part.denominator)}{self.bar}{bottom}"
        return f"{whole}{self.joint}{text}" if whole else text

    def _in_words(self, number: Fraction) -> str | None:
        if number.denominator != 1 or not 0 <= number < 10**12:
            return None
        text = write_cardinal(int(number))
        return text[0].upper() + text[1:] if self.capital else text

    def _as_name(self, number: Fraction) -> str | None:
        lower = self.named.lower()
        multiplies = lower in {"twice", "thrice"} or lower.endswith(" times")
        if read_words(lower) == number:
            text = lower
        elif multiplies and number.denominator == 1 and 2 <= number < 100:
            text = "twice" if number == 2 else f"{write_cardinal(int(number))} times"
        elif number.numerator == 1 and number.denominator in PART_NAMES and lower.split()[-1] in PARTS:
            text = _part_name(PART_NAMES[number.denominator], lower.partition(" ")[0])
        else:
            return None
        return text[0].upper() + text[1:] if self.named[0].isupper() else text


def _part_name(noun: str, first: str) -> str:
    """Return the name of a part after `one` or an article where one stood, which `half` goes without."""
    if first == "one":
        return f"one {noun}"
    if first not in {"a", "an"} or noun == "half":
        return noun
    return f"{article_of(noun)} {noun}"


_ZERO = re.compile(r"[0.,]+")
PLAIN = NumberForm(NumberKind.NUMERAL)
"""Digits and as many decimals as it takes."""


def format_value(value: Exact) -> str:
    """Write a value as digits where it has finitely many decimals, else as a fraction."""
    return PLAIN.write(value) or str(value)


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A value as it stands in a text: where it ends, and its form."""

    end: int
    form: NumberForm


_AT_NUMERAL = re.compile(rf"(-)?(\$)?({NUMERAL})( ?%| percent\b)?", re.ASCII)
_AT_FRACTION = re.compile(r"(-)?(\$)?(?:(\d{1,9})([ -]))?(\d{1,9})( ?/ ?)(\d{1,9})(?!\.?\d)", re.ASCII)
_AT_WORDS = re.compile(CARDINAL, re.IGNORECASE | re.ASCII)
_AT_NAMED = (
    re.compile(
        rf"(?:(?:an? )?half (?:an? )?dozen|{CARDINAL}(?: times| and a (?:half|third|quarter|fourth)"
        rf"|-(?:{'|'.join(PARTS)})|[ -](?:{'|'.join([*PLURAL_PARTS, *GROUPS])})))(?![a-z])",
        re.IGNORECASE | re.ASCII,
    ),
    re.compile(rf"(?:(?:an?|one) )?(?:{'|'.join([*PARTS, *GROUPS, *MULTIPLES])})(?![a-z])", re.IGNORECASE | re.ASCII),
)
_HUNDREDTHS = re.compile(r" ?(?:%|percent\b|per cent\b|cents?\b|¢)")


def numbers_at(text: str, start: int, value: Exact) -> Iterator[WrittenNumber]:
    """Yield the ways in which a value stands at a place of a text, none where something else stands there.

    Each form gives back exactly what stands there: `form.write(value) == text[start:end]`.
    """
    for written in _written_at(text, start, value):
        if written.form.write(value) == text[start : written.end]:
            yield written


def _written_at(text: str, start: int, value: Exact) -> Iterator[WrittenNumber]:
    if start >= len(text):
        return
    first = text[start]
    if first.isdigit() or first in "-$.":
        if value.denominator != 1:
            yield from _fraction_at(text, start)
        yield from _numeral_at(text, start, value)
    elif first.isalpha():
        match = _AT_WORDS.match(text, start)
        if match is not None and read_cardinal(match.group()) == value:
            yield WrittenNumber(match.end(), NumberForm(NumberKind.WORDS, capital=match.group()[0].isupper()))
        for pattern in _AT_NAMED:
            named = pattern.match(text, start)
            if named is not None and read_words(named.group()) == value:
                yield WrittenNumber(named.end(), NumberForm(NumberKind.NAMED, named=named.group()))


def _numeral_at(text: str, start: int, value: Exact) -> Iterator[WrittenNumber]:
    match = _AT_NUMERAL.match(text, start)
    number = None if match is None else read_numeral(match[3])
    if match is None or number is None:
        return
    whole, _, decimals = match[3].partition(".")
    end = match.end(3)
    signed = -number if match[1] else number
    for scale in (1, 100):
        if scale == 100 and _HUNDREDTHS.match(text, end) is None:
            continue
        wanted = value * scale
        exact = signed == wanted
        if not exact and not _rounds_to(wanted, signed, len(decimals)):
            continue
        form = NumberForm(
            NumberKind.NUMERAL,
            before=match[2] or "",
            scale=scale,
            separators="," in whole,
            leading_zero=bool(whole),
            places=len(decimals),
            padded=decimals.endswith("0"),
            rounded=not exact,
            money=len(decimals) != 1 and (match[2] is not None or text.endswith("$", 0, start)),
        )
        yield WrittenNumber(end, form)
        if decimals and not decimals.strip("0") and exact:
            yield WrittenNumber(match.start(3) + len(whole), replace(form, places=0, padded=False))
        if match[4]:
            yield WrittenNumber(match.end(), replace(form, after=match[4]))


def _fraction_at(text: str, start: int) -> Iterator[WrittenNumber]:
    match = _AT_FRACTION.match(text, start)
    if match is None or not int(match[7]):
        return
    before, joint = match[2] or "", match[4] or ""
    form = NumberForm(NumberKind.FRACTION, before, denominator=int(match[7]), bar=match[6], joint=joint)
    yield WrittenNumber(match.end(), form)


def _rounds_to(value: Exact, written: Exact, places: int) -> bool:
    """Tell whether a value was rounded half up to what is written; whole numbers only stand for themselves."""
    if not places:
        return False
    scaled = abs(Fraction(value)) * 10**places
    rounded = Fraction((scaled.numerator * 2 + scaled.denominator) // (2 * scaled.denominator), 10**places)
    return whole_as_int(rounded if value >= 0 else -rounded) == written


_LISTS = english("number_notation")


@dataclass(frozen=True, slots=True)
class NumberNotation:
    """A value from `start` to `end` of a text, and its form, `None` where no other value can be written so."""

    start: int
    end: int
    form: NumberForm | None


_PART_OF = _LISTS.pattern("part_of", r"(?: ", r"\b|[.,;?!%)]|$)")
_SCALE = re.compile(SCALE_WORD, re.IGNORECASE)
_NAMING_BEFORE, _NAMING_AFTER = frozenset("#_:/"), re.compile(r"[^\W\d]|[:/]\d|['’]s\b")
_CLOCK = english("equations").pattern("clock", r"\s?")


def number_notation(text: str, mention: NumberMention, value: Exact) -> NumberNotation | None:
    """Return how a number of a text says a value, a quantity or not; `None` where it does not."""
    start, end = mention.start, mention.end
    if value not in mention.readings:
        return None
    for written in numbers_at(text, start, value):
        whole = written.end == end or _SCALE.fullmatch(text, written.end, end)
        if whole and not written.form.rounded:
            return NumberNotation(start, written.end, written.form)
    if value in GROUPS.values() and value != mention.readings[0] and _SCALE.search(mention.text):
        return None
    return NumberNotation(start, end, None)


def is_part(mention: NumberMention) -> bool:
    """Tell whether a number is a part such as `half`, `two thirds` or `2/3`."""
    last = re.split(r"[ -]", mention.text.lower())[-1]
    return last in PARTS or last in PLURAL_PARTS or "/" in mention.text


def is_quantity(text: str, mention: NumberMention) -> bool:
    """Tell whether a number counts or measures something: it is no time of day, and no part of a name, an ordinal or a ratio."""
    end, lower = mention.end, mention.text.lower()
    if lower[0].isdigit() or lower[0] == ".":
        named = text[mention.start - 1 : mention.start] in _NAMING_BEFORE or _NAMING_AFTER.match(text, end)
        return not named and not _CLOCK.match(text, end)
    words = re.split(r"[ -]", lower)
    if len(words) == 1 and lower in GROUPS:
        return lower == "dozen"  # `few dozen` counts; a lone `pair` or `score` may be a thing
    if is_part(mention) and words[-1] not in {"half", "halves"} and (len(words) == 1 or words[0] in {"a", "an"}):
        # A lone `third of` may be an ordinal, a lone `quarter of` is a share.
        return _PART_OF.match(text, end) is not None and (len(words) > 1 or PARTS.get(lower.rstrip("s")) == 4)
    return True
