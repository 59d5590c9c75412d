"""The replacement of one number of a question by another, with articles, nouns and verbs in agreement."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.question_edit import QuestionEdit
from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.nouns import plural_unit, singular_noun
from harness.text.number_forms import PLAIN, NumberForm, NumberKind, numbers_at
from harness.text.numbers import PART_NAMES, PARTS, NumberMention, write_cardinal
from harness.text.units import MEASURES, TIMES

_LISTS = english("variants")
LONGEST_WORDS = 100
"""The largest number that is usual in words."""
LARGEST_MULTIPLE = 20
DOLLARS, PERCENT = " dollars", " percent"
"""What stands after a number in place of the sign before or after it."""
_PERCENT = re.compile(r" ?%| per ?cent\b")
_CENTS = re.compile(r" ?(?:cents?\b|¢)")
_SEPARATED = re.compile(r"\d,\d{3}\b")
_PART = re.compile(rf"(?:(?P<count>an?|one|[a-z]+)(?P<joint>[ -]))?(?P<part>{'|'.join(PARTS)})s?")
_AFTER_PART = re.compile(r" (?:of|as)\b")
_ARTICLE = re.compile(r"\b([Aa]n?) \$?$")
_NOUN_AFTER = re.compile(r" ([a-z]+)\b")
_NOT_OF_ONE = re.compile(rf"\b(?:{_LISTS.either('not_of_one')}) (?:\w+ )?$", re.IGNORECASE)
_AFTER_UNIT = re.compile(rf"(?: (?:{_LISTS.either('after_unit')})\b|[.,;?!)]|$)")
_AFTER_DOLLARS = re.compile(rf"[.,?!;]|$| (?:{_LISTS.either('after_unit')})\b")


class RewriteError(Exception):
    """Another number cannot stand at a place."""


def replacement_edits(text: str, place: NumberPlace, value: Exact) -> tuple[QuestionEdit, ...]:
    """Return the edits that let a place of a text say another value, in order, none where it says that value.

    One of them replaces the number, from `place.start` to `place.end`; others make an article or a unit agree.

    Raises:
        RewriteError: the place's form cannot say the value, or the sentence would not agree with it.
    """
    if value == place.value:
        return ()
    after = _written(text, place, value)
    edits = [QuestionEdit(place.start, place.end, text[place.start : place.end], after)]
    edits += _article(text, place, after)
    if (place.value == 1) != (value == 1):
        edits += _agreeing_unit(text, place, value)
    return tuple(sorted(edits))


def sounds_open(written: str) -> bool:
    """Tell whether a number, read aloud, begins with a vowel: `8`, `11`, `$18,000`, `80%`, `eight`; `one` does not."""
    text = written.lstrip("$").lower()
    if not text[:1].isdigit():
        return text[:1] in set("aeiou") and not text.startswith("one")
    digits = re.match(r"[\d,]*", text)
    number = int((digits[0] if digits else "").replace(",", "") or 0)
    while number >= 1000:
        number //= 1000
    return number in {8, 11, 18} or 80 <= number < 90 or 800 <= number < 900


def other_form(text: str, mention: NumberMention) -> NumberForm | None:
    """Return the form that says a number in words where digits stand, in digits where words do; `None` where neither does well."""
    value = mention.readings[0]
    forms = [number.form for number in numbers_at(text, mention.start, value) if number.end == mention.end]
    begins = text[max(0, mention.start - 2) : mention.start].strip() in {"", ".", "?", "!"}
    if not forms or begins:
        return None
    if forms[0].kind is NumberKind.WORDS:
        return replace(PLAIN)
    return NumberForm(NumberKind.WORDS) if forms[0].kind is NumberKind.NUMERAL and value <= LONGEST_WORDS else None


def form_otherwise(question: LocatedQuestion, place: NumberPlace) -> NumberForm | None:
    """Return another form for a number: `7 dollars` for `$7`, `40 percent` for `40%`, words for digits; `None` where there is none."""
    plain = place.form.kind is NumberKind.NUMERAL and not place.form.before
    if question.text.endswith("$", 0, place.start):
        follows_well = _AFTER_DOLLARS.match(question.text, place.end) is not None
        return replace(place.form, after=DOLLARS, money=False) if plain and follows_well else None
    if question.text.endswith("$ ", 0, place.start):
        return None
    if place.form.after == "%" or question.text.startswith("%", place.end):
        return replace(place.form, after=PERCENT) if plain else None
    mention = next((mention for mention in question.mentions if mention.start == place.start), None)
    return None if mention is None else other_form(question.text, mention)


def _written(text: str, place: NumberPlace, value: Exact) -> str:
    if not place.rewritable:
        raise RewriteError(f"{text[place.start : place.end]!r} is not rewritten")
    if value <= 0:
        raise RewriteError(f"{value}: nothing to count")
    form, tail = place.form, text[place.end :]
    if form.kind is NumberKind.NAMED:
        written = _named(form.named, tail, value)
    elif form.kind is NumberKind.WORDS:
        too_long = value * form.scale > max(LONGEST_WORDS, 10 * place.value * form.scale)
        written = None if too_long else form.write(value)
    elif form.kind is NumberKind.FRACTION:
        written = form.write(value) if (value > 1) == (place.value > 1) else None
    else:
        written = _numeral(text, place, value)
    if written is None:
        raise RewriteError(f"{value} is not written like {text[place.start : place.end]!r}")
    return written


def _numeral(text: str, place: NumberPlace, value: Exact) -> str | None:
    """Write a numeral as finely as the old one: whole where that was whole, dollars to the cent, shares as parts of all."""
    form = place.form
    number, old = Fraction(value) * form.scale, Fraction(place.value) * form.scale
    finest = 100 if text.endswith("$", 0, place.start) else old.denominator
    tail = text[place.end :]
    if finest % number.denominator:
        return None
    if (form.after or _PERCENT.match(tail)) and old <= 100 < number:
        return None
    if form.scale == 100 and _CENTS.match(tail) and old < 100 <= number:
        return None
    if number >= 1000 and _SEPARATED.search(text):
        form = replace(form, separators=True)
    return form.write(value)


def _named(named: str, tail: str, value: Exact) -> str | None:
    """Write `a third` for `half`, `three times` for `twice`."""
    lower, written = named.lower(), None
    part = _PART.fullmatch(lower)
    if lower in {"twice", "thrice"} and value in range(2, LARGEST_MULTIPLE + 1):
        written = "twice" if value == 2 else f"{write_cardinal(int(value))} times"
    elif part is not None and 0 < value < 1 and _AFTER_PART.match(tail):
        written = _part(value, part["count"] or "", part["joint"] or "-")
    if written is None:
        return None
    return written[0].upper() + written[1:] if named[0].isupper() else written


def _part(value: Exact, count: str, joint: str) -> str | None:
    """Write a share below all as `a third`, `one-third` or `two-thirds`, as the old one was counted."""
    name = PART_NAMES.get(value.denominator)
    if name is None or value.denominator > 10:
        return None
    if value.numerator > 1:
        return f"{write_cardinal(value.numerator)}{joint if joint == '-' else ' '}{name}s"
    if name == "half":
        return f"one{joint}half" if count == "one" else "half"
    return f"one{joint}{name}" if count not in {"a", "an"} else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _article(text: str, place: NumberPlace, after: str) -> list[QuestionEdit]:
    """Return the edit that lets `a` or `an` before a number agree with it, none where it does."""
    match = _ARTICLE.search(text, max(0, place.start - 5), place.start)
    if match is None:
        return []
    was, needed = sounds_open(text[place.start : place.end]), sounds_open(after)
    if was != match[1].lower().endswith("n"):
        raise RewriteError(f"{text[match.start() : place.end]!r}: the article does not agree as it is")
    if was == needed:
        return []
    return [QuestionEdit(match.start(1), match.end(1), match[1], match[1][0] + ("n" if needed else ""))]


def _agreeing_unit(text: str, place: NumberPlace, value: Exact) -> list[QuestionEdit]:
    """Return the edit that makes the unit after a number one or several.

    Raises:
        RewriteError: what stands there is no unit, or words before or after it would have to agree as well.
    """
    tail = text[place.end :]
    if tail.startswith("-") or place.form.after or _PERCENT.match(tail) or text.endswith("$", 0, place.start):
        return []
    match = _NOUN_AFTER.match(tail)
    unit = singular_noun(match[1]) if match is not None else ""
    if match is None or unit not in TIMES | MEASURES or unit == "time":
        raise RewriteError(f"{text[place.start : place.end + 12]!r}: what {value} counts is no unit")
    if _NOT_OF_ONE.search(text, 0, place.start) or _AFTER_UNIT.match(tail, match.end()) is None:
        raise RewriteError(f"{text[place.start : place.end + 24]!r}: more words would have to agree with {value}")
    if len(match[1]) <= 2:
        return []
    changed = unit if value == 1 else plural_unit(unit)
    if changed == match[1]:
        raise RewriteError(f"{match[1]!r} does not agree with {value}")
    return [QuestionEdit(place.end + 1, place.end + 1 + len(match[1]), match[1], changed)]
