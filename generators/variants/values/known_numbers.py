"""Numbers of a question that its other words, other numbers or common knowledge give as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.question.input_places import NumberPlace
from generators.variants.question.number_context import dollar_sign
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.program import ir
from harness.solution.trace import VariableRole
from harness.text.lexicon import english
from harness.text.nouns import phrase_at, singular_noun
from harness.text.numbers import ORDINALS
from harness.text.units import DAYS, TIMES, factor
from harness.text.world_facts import FACTS

_LISTS = english("variants")
MOST_COUNTED = 10
"""Things up to so many may be told one by one."""
SMALL_SUM = 9
"""Up to this value, one number of a question may be the sum of two others by chance."""
MOST_TOLD = 6
MOST_NUMBERS, MOST_SHARES = 60, 8
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_CYCLES = frozenset({*DAYS["month"], *DAYS["year"]}) | {
    factor(small, large)
    for small, large in (("day", "week"), ("month", "year"), ("hour", "day"), ("week", "year"), ("minute", "hour"))
}
_ONE_BY_ONE = re.compile(rf"\b(?:{_LISTS.either('one_by_one')})\b", re.IGNORECASE)
_BOTH = re.compile(rf"\b(?:{_LISTS.either('both')})\b", re.IGNORECASE)
_ITEM = r"\$?\w[\w’'-]{0,40}(?: [\w’'-]{1,40}){0,4}?"
_LIST = re.compile(
    rf"(?<![\w’'$-])(?:(?:{_ITEM}, ){{1,8}}(?:(?:and|or) )?{_ITEM}(?: (?:and|or) {_ITEM})?\b"
    r"|[A-Z][\w’'-]{0,40} and [A-Z][\w’'-]{0,40}|an? [\w’'-]{1,40} and an? [\w’'-]{1,40})"
)
_LIST_JOINT = re.compile(r", (?:and |or )?| and | or ")
_NAME = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z][a-z]+\b")
_WORD = re.compile(r"[a-z]+")
_PERCENT = re.compile(r" ?(?:%|per ?cent\b)")
_NOUN_AFTER = re.compile(r"[ -]([a-z]{2,})")
_COIN = re.compile(r"\b(?:bills|coins?)\b|-? bill\b")
_ONE = frozenset(["one", "1", "once"])


def known_reason(subject: VariantSubject, place: NumberPlace) -> str:
    """Return why a number can have no other value than its own, an empty text where it can."""
    text, value = subject.question.text, place.value
    written, sentence = text[place.start : place.end], subject.question.words_at(place.start, place.end)
    if any(subject.source.trace.by_name[name].role is VariableRole.WORLD_KNOWLEDGE_INPUT for name in place.variables):
        return "the value is common knowledge"
    if _YEAR.fullmatch(written) and subject.units[place.variables[0]].quantity is not Quantity.MONEY:
        return "it is a year"
    if _COIN.search(sentence) and subject.units[place.variables[0]].quantity is Quantity.MONEY:
        return "a mint decides it"
    noun = _NOUN_AFTER.match(text, place.end)
    if value in _CYCLES and noun is not None and singular_noun(noun[1]) in TIMES:
        return "the calendar or the clock gives it"
    words = frozenset(singular_noun(word) for word in _WORD.findall(sentence.lower()))
    if any(fact.value == value and any(alternative <= words for alternative in fact.alternatives) for fact in FACTS):
        return "everybody knows it"
    if (
        value.denominator == 1
        and 2 <= value <= MOST_COUNTED
        and not dollar_sign(text, place.start)
        and "%" not in written
    ):
        return _counted_reason(subject, place)
    return ""


def _counted_reason(subject: VariantSubject, place: NumberPlace) -> str:
    """Return how other words count as far as a small number, an empty text where none do."""
    text, value = subject.question.text, int(place.value)
    rest = f"{text[: place.start]} {text[place.end :]}"
    ordinals = "|".join(
        rf"{ORDINALS[number - 1]}|{number}(?:st|nd|rd|th)" for number in range(max(2, value), min(value + 1, 10) + 1)
    )
    if re.search(rf"\b(?:{ordinals})\b", rest, re.IGNORECASE):
        return "an ordinal counts as far"
    if value <= MOST_TOLD and (_ONE_BY_ONE.search(rest) or (value == 2 and _BOTH.search(rest))):
        return "they may be told one by one"
    if any(len(_LIST_JOINT.split(listed[0])) == value for listed in _LIST.finditer(text)):
        return "a list has as many"
    if (
        len(set(_NAME.findall(rest))) >= value > 2
        and phrase_at(text, place.end) is not None
        and subject.units[place.variables[0]].noun in _PERSONS
    ):
        return "persons are named one by one"
    return "the solution has as many terms" if _counts_terms(subject, place.variables[0], value) else ""


_PERSONS = _LISTS.words("persons")


def _counts_terms(subject: VariantSubject, name: str, value: int) -> bool:
    """Tell whether an input is how many summands a step has: the three tests of an average."""
    sums = {entry.variable: _terms(entry.expression) for entry in subject.source.steps}
    if value > 2 and value in sums.values():
        return True
    for entry in subject.source.steps:
        match entry.expression:
            case ir.Binary("/", ir.Name(total), ir.Name(count)) if count == name and sums.get(total) == value:
                return True
            case ir.Binary("/", total, ir.Name(count)) if count == name and _terms(total) == value:
                return True
    return False


def _terms(node: object) -> int:
    match node:
        case ir.Binary("+", left, right):
            return _terms(left) + _terms(right)
    return 1


def determined_inputs(subject: VariantSubject) -> Iterator[str]:
    """Yield the inputs that others of the question may make up or complete, without a step that says so.

    Of a class of 30 with 18 girls and 12 boys none can change alone, nor 40% where the other 60% are spoken of.
    """
    question = subject.question
    numbers = [_Number(place.variables, place.value, place.start, place.end) for place in question.places]
    numbers += [
        _Number((), mention.readings[0], mention.start, mention.end)
        for mention in question.loose
        if mention.text.lower() not in _ONE
    ]
    if len(numbers) > MOST_NUMBERS:
        yield from (name for number in numbers for name in number.names)
        return
    by_value: dict[Exact, list[_Number]] = {}
    for number in numbers:
        by_value.setdefault(number.value, []).append(number)
    for first, other in combinations(numbers, 2):
        for result in (first.value + other.value, first.value * other.value):
            for third in by_value.get(result, ()) if result > SMALL_SUM else ():
                if third is not first and third is not other and 1 not in {first.value, other.value}:
                    yield from (*first.names, *other.names, *third.names)
    shares = [(number, share) for number in numbers if (share := _share(question.text, number)) is not None]
    for size in (2, 3, 4):
        for some in combinations(shares[:MOST_SHARES], size):
            if sum(share for _, share in some) == 1:
                yield from (name for number, _ in some for name in number.names)
    for number in numbers:
        if not number.names:
            sentence, kind = question.sentence_at(number.start), _kind(question.text, number)
            alike = (other for other in numbers if other.names and kind and _kind(question.text, other) == kind)
            yield from (
                name for other in alike if question.sentence_at(other.start) == sentence for name in other.names
            )


@dataclass(frozen=True, slots=True)
class _Number:
    """A number of the question and the inputs it gives, if any."""

    names: tuple[str, ...]
    value: Exact
    start: int
    end: int


def _share(text: str, number: _Number) -> Fraction | None:
    if 0 < number.value < 1:
        return Fraction(number.value)
    return Fraction(number.value) / 100 if _kind(text, number) == "%" and 0 < number.value < 100 else None


def _kind(text: str, number: _Number) -> str:
    """Return what a number counts by the next characters: percent, dollars, or a noun."""
    if text[number.start : number.end].endswith(("%", "percent")) or _PERCENT.match(text, number.end):
        return "%"
    if text.endswith("$", 0, number.start) or text.startswith("$", number.start):
        return "$"
    phrase = phrase_at(text, number.end)
    return "" if phrase is None or not phrase.plain else phrase.noun


_ASKS_FOR_SHARE = re.compile(rf"\b(?:{_LISTS.either('asks_for_share')})\b", re.IGNORECASE)
_AVERAGE = re.compile(rf"\b(?:{_LISTS.either('average')})\b", re.IGNORECASE)
_LISTED_AFTER = re.compile(r"[^.?!]*(?::|—| - | namely | such as | including )")


def recovery_reason(subject: VariantSubject, place: NumberPlace) -> str:
    """Return how a reader could still find a place's value after its removal, an empty text where there is no way."""
    question, values = subject.question, subject.values
    own = {place.value, *(values[name] for name in place.variables)}
    known = known_reason(subject, place)
    if known:
        return known
    asked = " ".join(sentence.text for sentence in question.sentences if sentence.asks)
    if _ASKS_FOR_SHARE.search(asked):
        return "the answer may be a share"
    if _is_repeated(subject, place, own):
        return "the question may say it twice"
    if place.value.denominator == 1 and place.value <= MOST_COUNTED:
        if _LISTED_AFTER.match(question.text[place.end : place.end + 60].partition(".")[0]):
            return "a list follows"
        if _AVERAGE.search(question.text):
            return "an average counts what it is over"
    if _is_derivable(subject, place, own) or not {*place.variables}.isdisjoint(determined_inputs(subject)):
        return "other numbers of the question give it"
    depending = {name for variable in place.variables for name in subject.source.trace.descendants(variable)}
    results = {values[name] for name in depending}
    if any(results & set(mention.readings) for mention in question.loose):
        return "the question also states what follows from it"
    return ""


def _is_repeated(subject: VariantSubject, place: NumberPlace, own: set[Exact]) -> bool:
    """Tell whether another number may mean the same: a loose one of its value, or a located one with the same noun."""
    question = subject.question
    loose = {(mention.start, mention.end) for mention in question.loose}
    for mention in question.mentions:
        span = mention.start, mention.end
        if (
            span == (place.start, place.end)
            or own.isdisjoint(mention.readings)
            or mention.text.lower() in _ONE | {"a pair"}
        ):
            continue
        if span in loose or question.surroundings.same_noun(place.start, place.end, *span):
            return True
    return False


def _is_derivable(subject: VariantSubject, place: NumberPlace, own: set[Exact]) -> bool:
    """Tell whether an unused number of the question and another number give the value by one operation."""
    question, trace = subject.question, subject.source.trace
    unlocated = {subject.values[name] for name in question.unlocated}
    unused = {mention.readings[0] for mention in question.loose} - unlocated - {0, 1}
    depending = {*place.variables, *(name for variable in place.variables for name in trace.descendants(variable))}
    others = {mention.readings[0] for mention in question.mentions if mention.start != place.start}
    others |= {value for name, value in subject.values.items() if name not in depending}
    return any(not own.isdisjoint(_results(value, other)) for value in unused for other in others)


def _results(left: Exact, right: Exact) -> Iterator[Exact]:
    yield from (left + right, left - right, right - left, left * right)
    if right:
        yield Fraction(left) / right
    if left:
        yield Fraction(right) / left
