"""The replacement of one number of a question by another, with articles, nouns and verbs in agreement."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from generators.variants.question.input_places import NumberPlace
from generators.variants.question.question_edit import QuestionEdit
from generators.variants.question.written_numbers import sounds_open
from generators.variants.variant_proposal import VariantDiscard
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.text.lexicon import word_lists
from harness.text.nouns import plural_unit, singular_noun
from harness.text.number_forms import NumberKind
from harness.text.numbers import PART_NAMES, PARTS, write_cardinal
from harness.text.units import MEASURES, TIMES

_LISTS = word_lists(__file__)


class RewriteError(Exception):
    """Another number cannot stand at a place; `discard` is the reason that a variant is given up for."""

    discard = VariantDiscard.UNWRITABLE


def replacement_edits(subject: VariantSubject, place: NumberPlace, value: Exact) -> tuple[QuestionEdit, ...]:
    """Return the edits that let a place of a question say another value, in order, none where it says that value.

    One of them replaces the number, from `place.start` to `place.end`; others make an article, a noun, `there are` agree.

    Raises:
        RewriteError: the place's form cannot say the value, or the sentence would not agree with it.
    """
    return text_replacement_edits(subject.question.text, place, value)


def text_replacement_edits(text: str, place: NumberPlace, value: Exact) -> tuple[QuestionEdit, ...]:
    """Return the edits as `replacement_edits` does, for any text with a place.

    Raises:
        RewriteError: as there.
    """
    if value == place.value:
        return ()
    before = text[place.start : place.end]
    after = _written(text, place, value)
    edits = [QuestionEdit(place.start, place.end, before, after)]
    edits += _article(text, place, after)
    if (place.value == 1) != (value == 1):
        edits += _agreeing(text, place, value)
    return tuple(sorted(edits))


def _written(text: str, place: NumberPlace, value: Exact) -> str:
    if not place.rewritable:
        raise RewriteError(f"{text[place.start : place.end]!r} is not rewritten")
    if value <= 0:
        raise RewriteError(f"{value}: nothing to count")
    form, tail = place.form, text[place.end :]
    if form.kind is NumberKind.NAMED:
        written = _named(form.named, tail, value)
    elif form.kind is NumberKind.WORDS:
        written = None if _too_long(place, value) else form.write(value)
    elif form.kind is NumberKind.FRACTION:
        written = form.write(value) if (value > 1) == (place.value > 1) else None
    else:
        written = _numeral(text, place, value)
    if written is None:
        raise RewriteError(f"{value} is not written like {text[place.start : place.end]!r}")
    return written


_LONGEST_WORDS = 100


def _too_long(place: NumberPlace, value: Exact) -> bool:
    """Tell whether a number is unusual in words."""
    return value * place.form.scale > max(_LONGEST_WORDS, 10 * place.value * place.form.scale)


_PERCENT = re.compile(r" ?%| per ?cent\b")
_CENTS = re.compile(r" ?(?:cents?\b|¢)")


def _numeral(text: str, place: NumberPlace, value: Exact) -> str | None:
    """Write a numeral as finely as the old one: whole where that was whole, dollars to the cent, shares as parts of all."""
    form = place.form
    number, old = Fraction(value) * form.scale, Fraction(place.value) * form.scale
    money = text.endswith("$", 0, place.start)
    finest = 100 if money else old.denominator
    if finest % number.denominator:
        return None
    tail = text[place.end :]
    if (form.after or _PERCENT.match(tail)) and old <= 100 < number:
        return None
    if form.scale == 100 and _CENTS.match(tail) and old < 100 <= number:
        return None
    if number >= 1000 and _SEPARATED.search(text):
        form = replace(form, separators=True)
    return form.write(value)


_SEPARATED = re.compile(r"\d,\d{3}\b")
_PART = re.compile(rf"(?:(?P<count>an?|one|[a-z]+)(?P<joint>[ -]))?(?P<part>{'|'.join(PARTS)})s?")
_BEHIND_PART = re.compile(r" (?:of|as)\b")
_FAMILIES = (
    ("double", "triple", "quadruple", "quintuple"),
    ("doubled", "tripled", "quadrupled", "quintupled"),
    ("doubles", "triples", "quadruples", "quintuples"),
    ("doubling", "tripling", "quadrupling", "quintupling"),
)
_LARGEST_MULTIPLE = 20


def _named(named: str, tail: str, value: Exact) -> str | None:
    """Write `a third` for `half`, `three times` for `twice`, `triple` for `double`, `three and a half`."""
    lower, written = named.lower(), None
    family = next((words for words in _FAMILIES if lower in words), None)
    if family is not None:
        written = family[int(value) - 2] if value in range(2, 2 + len(family)) else None
    elif lower in {"twice", "thrice"} and value in range(2, _LARGEST_MULTIPLE + 1):
        written = "twice" if value == 2 else f"{write_cardinal(int(value))} times"
    elif lower.endswith(" and a half") and 1 < value <= _LONGEST_WORDS:
        whole, half = divmod(Fraction(value), 1)
        words = write_cardinal(int(whole))
        written = words if not half else f"{words} and a half" if half == Fraction(1, 2) else None
    else:
        part = _PART.fullmatch(lower)
        if part is not None and 0 < value < 1 and _BEHIND_PART.match(tail):
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


_ARTICLE = re.compile(r"\b([Aa]n?) \$?$")


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
    article = match[1][0] + ("n" if needed else "")
    return [QuestionEdit(match.start(1), match.end(1), match[1], article)]


_ABBREVIATED = _LISTS.words("abbreviated")
_UNIT_BEHIND = re.compile(r" ([a-z]+)\b")
_NOT_OF_ONE = re.compile(
    rf"\b(?:{_LISTS.either('not_of_one')}) (?:\w+ )?$",
    re.IGNORECASE,
)
_BEHIND_UNIT = re.compile(rf"(?: (?:{_LISTS.either('behind_unit')})\b|[.,;?!)]|$)")


def _agreeing(text: str, place: NumberPlace, value: Exact) -> list[QuestionEdit]:
    """Return the edit that makes the unit after a number one or several.

    Raises:
        RewriteError: what stands there is no unit, or words before or after it would have to agree as well.
    """
    tail = text[place.end :]
    if tail.startswith("-") or place.form.after or _PERCENT.match(tail):
        return []
    if text.endswith("$", 0, place.start):
        return []
    match = _UNIT_BEHIND.match(tail)
    unit = singular_noun(match[1]) if match is not None else ""
    if match is None or (unit not in TIMES and unit not in MEASURES) or unit == "time":
        raise RewriteError(f"{text[place.start : place.end + 12]!r}: what {value} counts is no unit")
    if _NOT_OF_ONE.search(text, 0, place.start) or _BEHIND_UNIT.match(tail, match.end()) is None:
        raise RewriteError(f"{text[place.start : place.end + 24]!r}: more words would have to agree with {value}")
    noun = match[1]
    if noun in _ABBREVIATED:
        return []
    changed = unit if value == 1 else plural_unit(unit)
    if changed == noun:
        raise RewriteError(f"{noun!r} does not agree with {value}")
    return [QuestionEdit(place.end + 1, place.end + 1 + len(noun), noun, changed)]
