"""The ways in which a question writes a number, and whether another value can be written there."""

import re
from dataclasses import dataclass, replace

from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.number_forms import NumberForm, NumberKind, numbers_at
from harness.text.numbers import GROUPS, PARTS, PLURAL_PARTS, SCALE_WORD, NumberMention

_LISTS = english("number_notation")


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A value from `start` to `end` of a text, and its form, `None` where no other value can be written so."""

    start: int
    end: int
    form: NumberForm | None


_BEFORE_NAMES = _LISTS.pattern("before_names", r"(?:[#_:/]|\b", r" )$")
_AFTER_NAMES = _LISTS.pattern("after_names", "(?:", ")")
_UNIT_SIGNS = re.compile(rf"(?:{_LISTS.either('unit_signs')})\b")
_RATIO = _LISTS.pattern("ratio", r"\b", r"\b")
_RATIO_SIGN = re.compile(r"(?<=\d) ?: ?(?=\d|$)")
_NEAR = 300
"""The distance from a number within which words describe it: a text may be long."""
_PART_OF = _LISTS.pattern("part_of", r"(?: ", r"\b|[.,;?!%)]|$)")
_SCALE = re.compile(SCALE_WORD, re.IGNORECASE)
_CENTS = re.compile(r" ?(?:cents?\b|¢)")
_PERCENT_WORDS = _LISTS.pattern("percent", "(", ")$")


def written_number(text: str, mention: NumberMention, value: Exact) -> WrittenNumber | None:
    """Return how a number of a text says a value; `None` where it does not, or is no quantity.

    Ordinals, dates, times of day and numbers of rooms and streets are no quantities.
    """
    written = _reading(text, mention, value)
    return None if written is None or not is_quantity(text, mention) else written


def can_mean_value(text: str, mention: NumberMention, value: Exact) -> bool:
    """Tell whether a number of a text can mean a value at all, a quantity or not."""
    return _reading(text, mention, value) is not None


def _reading(text: str, mention: NumberMention, value: Exact) -> WrittenNumber | None:
    start, end = mention.start, mention.end
    cents = value not in mention.readings and value * 100 == mention.readings[0] and _CENTS.match(text, end)
    if value not in mention.readings and not cents:
        return None
    forms = [written for written in numbers_at(text, start, value) if not written.form.rounded]
    for written in forms:
        if written.end == end or (not cents and _SCALE.fullmatch(text, written.end, end)):
            return WrittenNumber(start, written.end, written.form)
    if cents:
        return None
    percent = _PERCENT_WORDS.search(mention.text)
    if percent is not None:
        scale = 100 if value == mention.readings[0] else 1
        for written in numbers_at(text, start, value * scale):
            if written.end == start + percent.start() and written.form.kind is NumberKind.WORDS:
                return WrittenNumber(start, end, replace(written.form, after=percent[1], scale=scale))
    if value in GROUPS.values() and value != mention.readings[0] and _SCALE.search(mention.text):
        return None
    return WrittenNumber(start, end, None)


def is_part(mention: NumberMention) -> bool:
    """Tell whether a number is a part such as `half`, `two thirds` or `2/3`."""
    last = re.split(r"[ -]", mention.text.lower())[-1]
    return last in PARTS or last in PLURAL_PARTS or "/" in mention.text


def is_quantity(text: str, mention: NumberMention) -> bool:
    """Tell whether a number counts or measures something, and is no name, date, time of day or ordinal."""
    end, lower = mention.end, mention.text.lower()
    before = text[max(0, mention.start - 24) : mention.start]
    if lower[0].isdigit() or lower[0] == ".":
        sign = _RATIO_SIGN.match(text, end) or _RATIO_SIGN.search(before)
        if "/" in lower or (sign and _RATIO.search(text, max(0, end - _NEAR), end + _NEAR)):
            return not text.startswith("/", end)
        if _BEFORE_NAMES.search(before) or _AFTER_NAMES.match(text, end):
            return False
        return not text[end : end + 1].isalpha() or _UNIT_SIGNS.match(text, end) is not None
    words = re.split(r"[ -]", lower)
    if len(words) == 1 and lower in GROUPS:
        return lower == "dozen"
    if is_part(mention) and words[-1] not in {"half", "halves"} and (len(words) == 1 or words[0] in {"a", "an"}):
        return _PART_OF.match(text, end) is not None and (len(words) > 1 or PARTS.get(lower.rstrip("s")) == 4)
    return True
