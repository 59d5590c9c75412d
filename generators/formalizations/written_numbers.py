"""The ways in which a question writes a number, and whether another value can be written there."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.number_forms import NumberForm, NumberKind, numbers_at
from harness.text.numbers import GROUPS, PARTS, PLURAL_PARTS, NumberMention
from harness.text.units import MONTHS

_LISTS = english("written_numbers")


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A value from `start` to `end` of a text, and its form, `None` where no other value can be written so."""

    start: int
    end: int
    form: NumberForm | None


_MONTH = "|".join(MONTHS)
_BEHIND_NO_QUANTITY = re.compile(
    rf"(?:[#_]|(?<!\d)[:]|\b(?:{_MONTH}|[Rr]oute|[Hh]ighway|[Rr]oom|[Aa]partment|[Cc]hapter|[Ff]light|[Nn]umber|No\.) )$"
)
_BEFORE_NO_QUANTITY = re.compile(
    rf"(?:st|nd|rd|th)\b|:\d\d\b|:\d(?!\d)| ?[ap]\.?m\b| o['’]clock|['’]s\b|s\b|/\d|_\w| of (?:{_MONTH})\b",
    re.IGNORECASE,
)
_UNIT_SIGNS = re.compile(rf"(?:{_LISTS.either('unit_signs')})\b")
_LETTER = re.compile(r"[^\W\d_]")
_RATIO = re.compile(r"\bratios?\b", re.IGNORECASE)
_RATIO_SIGN = re.compile(r" ?: ?\d{1,3}(?!\d| ?[ap]\.?m)", re.IGNORECASE)
_BEHIND_RATIO_SIGN = re.compile(r"\d ?: ?$")
_DETERMINER = re.compile(
    rf"\b(?:{_LISTS.either('determiner')}) $",
    re.IGNORECASE,
)
_PRONOUN_TAIL = re.compile(rf"['’]s\b|[.,?!;:)]| (?:{_LISTS.either('pronoun_tail')})\b")
_PART_OF = re.compile(rf" (?:{_LISTS.either('part_of')})\b|[.,;?!%)]|$")
_BEHIND_PART = re.compile(r"(?:\b(?:an?|one|two|three|four|five|six|seven|eight|nine|\d+)[ -]|\bby )$", re.IGNORECASE)
_GROUP_TAIL = re.compile(rf"[ -](?:hundred|thousand|million|billion|{'|'.join(GROUPS)})", re.IGNORECASE)
_BARE_GROUPS = frozenset([*GROUPS, "a pair", "one pair"])
_EACH = re.compile(r"\b(?:per|each|every|the|a whole|by the|\d|a full)[ -]$", re.IGNORECASE)
_SIDE = re.compile(
    rf"\b(?:{_LISTS.either('side')})[ -]$",
    re.IGNORECASE,
)
_COINS = re.compile(r"\b(?:dimes?|nickels?|penn(?:y|ies)|coins?|change)\b", re.IGNORECASE)
_NEAR = 300
"""The distance from a number within which words describe it: a text may be long."""
_CENTS = re.compile(r" ?(?:cents?\b|¢)")
_PERCENT_WORDS = re.compile(r"( per ?cent)$", re.IGNORECASE)


def written_number(text: str, mention: NumberMention, value: Exact) -> WrittenNumber | None:
    """Return how a number of a text says a value; `None` where it does not, or is no quantity.

    Ordinals, dates, times of day, numbers of rooms and streets and the `one` of `the last one` are no quantities.
    """
    written = _reading(text, mention, value)
    return None if written is None or not is_quantity(text, mention) else written


def can_mean_value(text: str, mention: NumberMention, value: Exact) -> bool:
    """Tell whether a number of a text can mean a value at all, a quantity or not."""
    return _reading(text, mention, value) is not None


def _reading(text: str, mention: NumberMention, value: Exact) -> WrittenNumber | None:
    start, end = mention.start, mention.end
    if value not in mention.readings:
        if _CENTS.match(text, end) and value * 100 == mention.readings[0]:
            return _exactly(text, start, end, value)
        return None
    exact = _exactly(text, start, end, value)
    if exact is not None:
        return exact
    for written in numbers_at(text, start, value):
        if written.end < end and _GROUP_TAIL.fullmatch(text, written.end, end) and not written.form.rounded:
            return WrittenNumber(start, written.end, written.form)
    percent = _PERCENT_WORDS.search(mention.text)
    if percent is not None:
        scale = 100 if value == mention.readings[0] else 1
        for written in numbers_at(text, start, value * scale):
            if written.end == start + percent.start() and written.form.kind is NumberKind.WORDS:
                form = _scaled(written.form, scale, percent[1])
                return WrittenNumber(start, end, form)
    if value in GROUPS.values() and value != mention.readings[0] and _GROUP_TAIL.search(mention.text):
        return None
    return WrittenNumber(start, end, None)


def _exactly(text: str, start: int, end: int, value: Exact) -> WrittenNumber | None:
    for written in numbers_at(text, start, value):
        if written.end == end and not written.form.rounded:
            return WrittenNumber(start, end, written.form)
    return None


def _scaled(form: NumberForm, scale: int, after: str) -> NumberForm:
    return NumberForm(
        NumberKind.WORDS,
        after=after,
        scale=scale,
        capital=form.capital,
        hyphen=form.hyphen,
        conjunction=form.conjunction,
    )


def is_quantity(text: str, mention: NumberMention) -> bool:
    """Tell whether a number counts or measures something, and is no name, date, time of day, ordinal or pronoun."""
    start, end = mention.start, mention.end
    before, lower = text[max(0, start - 24) : start], mention.text.lower()
    if lower[0].isdigit() or lower[0] == ".":
        return _is_quantity_in_digits(text, mention, before)
    if lower in _BARE_GROUPS:
        return lower == "dozen" and _EACH.search(before) is None
    if lower == "one":
        return _DETERMINER.search(before) is None and _PRONOUN_TAIL.match(text, end) is None
    last = re.split(r"[ -]", lower)[-1]
    first = "" if last == lower else lower.split(" ")[0]
    if last in {"half", "halves"}:
        return lower != last or _SIDE.search(before) is None
    if last in {"quarter", "quarters"}:
        return not _near(_COINS, text, mention) and (_PART_OF.match(text, end) is not None or lower != last)
    if last in PARTS or last in PLURAL_PARTS:
        ordinal = first in {"", "a", "an"} and _PART_OF.match(text, end) is None
        return not ordinal and (lower != last or _BEHIND_PART.search(before) is not None)
    return True


def _near(pattern: re.Pattern[str], text: str, mention: NumberMention) -> bool:
    return pattern.search(text, max(0, mention.start - _NEAR), mention.end + _NEAR) is not None


def _is_quantity_in_digits(text: str, mention: NumberMention, before: str) -> bool:
    end = mention.end
    if "/" in mention.text and re.match(r"(?:st|nd|rd|th)s?\b", text[end : end + 4]):
        return True
    if _near(_RATIO, text, mention) and (_RATIO_SIGN.match(text, end) or _BEHIND_RATIO_SIGN.search(before)):
        return True
    if _BEHIND_NO_QUANTITY.search(before) or before.endswith((":", "/")) or _BEFORE_NO_QUANTITY.match(text, end):
        return False
    return _LETTER.match(text, end) is None or _UNIT_SIGNS.match(text, end) is not None
