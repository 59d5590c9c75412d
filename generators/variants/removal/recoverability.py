"""The ways in which a reader could still infer the value of a number that was removed from a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from generators.variants.question.input_places import NumberPlace
from generators.variants.removal.dispensable_statements import names_of
from generators.variants.values.fixed_quantities import determined_inputs, has_natural_value
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.solution.trace import VariableRole
from harness.text.lexicon import word_lists
from harness.text.nouns import singular_noun
from harness.text.numbers import ORDINALS

_LISTS = word_lists(__file__)

MOST_COUNTED_PARTS = 10
_LARGER = re.compile(rf"\b(?:{_LISTS.either('larger')})\b|\$")
_CONVERSIONS = frozenset((value, noun) for noun, values in _LISTS.mapping("conversions").items() for value in values)
_KNOWN_PARTS = _LISTS.words("known_parts")
_LISTED_KINDS = _LISTS.words("listed_kinds")
_PERSONS = _LISTS.words("persons")
_DAYS = re.compile(_LISTS.either("days"))
_ORDINALS = re.compile(
    rf"\b(?:{_LISTS.either('ordinals')})\b",
    re.IGNORECASE,
)
_ONE_BY_ONE = re.compile(r"\b(?:one|ones|other|another|first|last)\b", re.IGNORECASE)
_NAMES = re.compile(r"(?<![.?!] )(?<!^)\b[A-Z][a-z]+\b")
_ASKS_FOR_SHARE = re.compile(
    r"\b(?:how much of|what (?:part|portion|share|fraction|percentage|percent) of)\b", re.IGNORECASE
)
_CYCLE = re.compile(r" (?:hours?|days?|months?|minutes?) (?:a|an|per|each|every) (?:day|week|year|hour)\b")
_PRONOUN = re.compile(r"\b(?:he|she|they|we|i|you|his|her|their|my|our|your)\b", re.IGNORECASE)
_AVERAGE = re.compile(r"\b(?:average|averages|averaged|mean|median|evenly|equally|split|share)\b", re.IGNORECASE)


def recovery_reason(subject: VariantSubject, place: NumberPlace, noun: str = "") -> str:
    """Return how a reader could still find a place's value after its removal, an empty text where there is no way.

    `noun` is what the value counts, in the singular, as far as it is known.
    """
    question, values = subject.question, subject.values
    own = {place.value, *(values[name] for name in place.variables)}
    if any(subject.source.trace.by_name[name].role is VariableRole.WORLD_KNOWLEDGE_INPUT for name in place.variables):
        return "the value is common knowledge"
    if _ASKS_FOR_SHARE.search(" ".join(sentence.text for sentence in question.sentences if sentence.asks)):
        return "the answer may be a share"
    if _repeated(subject, place, own):
        return "the question may say it twice"
    noun = noun or next((singular_noun(subject.units[name].noun) for name in place.variables), "")
    sentence = question.sentence_at(place.start)
    if _CYCLE.match(question.text, place.end) and sentence is not None and not _is_of_a_person(sentence.text):
        return "what nobody switches off goes on day and night"
    if _numbered(question.text, place):
        return "an ordinal counts as far"
    if (place.value, noun) in _CONVERSIONS and sentence is not None and _LARGER.search(_around(sentence.text, noun)):
        return "a conversion between units"
    if (place.value, noun) == (12, "egg"):
        return "eggs come by the dozen"
    if noun in {"card", "cards"} and re.search(r"\bdecks?\b", question.text):
        return "everybody knows a deck of cards"
    if noun in _KNOWN_PARTS:
        return f"{noun}s can be known without being told"
    if place.value.denominator == 1 and 1 <= place.value <= MOST_COUNTED_PARTS:
        reason = _counted(question.text, place, noun)
        if reason:
            return reason
    if has_natural_value(subject, place):
        return "nature or custom gives it"
    if _derivable(subject, place, own) or not {*place.variables}.isdisjoint(determined_inputs(subject)):
        return "other numbers of the question give it"
    depending = {name for variable in place.variables for name in subject.source.trace.descendants(variable)}
    stated = {values[name] for name in depending}
    if any(stated & set(mention.readings) for mention in question.loose):
        return "the question also states what follows from it"
    return ""


def _is_of_a_person(words: str) -> bool:
    return bool(names_of(words)) or _PRONOUN.search(words) is not None


def _numbered(text: str, place: NumberPlace) -> bool:
    """Tell whether an ordinal of the text is that of a number or of the next one, as in `the 13th day` after 12 days."""
    rest = f"{text[: place.start]} {text[place.end :]}".lower()
    for value in (place.value, place.value + 1):
        words = rf"|\b{ORDINALS[int(value) - 1]}\b" if value.denominator == 1 and 3 <= value <= 12 else ""
        if re.search(rf"(?<!\d){value}(?:st|nd|rd|th)\b{words}", rest):
            return True
    return False


def _around(sentence: str, noun: str) -> str:
    return re.sub(rf"\b{re.escape(noun)}\w*", "", sentence) if noun else sentence


def _counted(text: str, place: NumberPlace, noun: str) -> str:
    rest = f"{text[: place.start]} {text[place.end :]}"
    behind = text[place.end : place.end + 60].partition(".")[0]
    if re.match(r"[^.?!]*(?::|—| - | namely | such as | including )", behind):
        return "a list follows"
    names = {match.group() for match in _NAMES.finditer(rest)}
    if noun in _PERSONS and (len(names) + 1 >= place.value or re.match(r"[^.?!]*, [A-Z]", behind)):
        return "persons are named one by one"
    if noun in {"day", "night", "morning", "evening", "week", "weekend", "month", "shift", "game"} and (
        _DAYS.search(rest) or _ORDINALS.search(rest)
    ):
        return "days are named one by one"
    if noun in _LISTED_KINDS and place.value <= 6:
        return "kinds are listed one by one"
    if place.value <= 7 and _AVERAGE.search(rest):
        return "an average counts what it is over"
    if place.value <= 6 and _ORDINALS.search(rest) and (_ONE_BY_ONE.search(rest[place.start :]) is not None):
        return "they are told one by one"
    return ""


def _repeated(subject: VariantSubject, place: NumberPlace, own: set[Exact]) -> bool:
    """Tell whether another number may mean the same: a loose one of its value, or a located one with the same noun."""
    question = subject.question
    loose = {(mention.start, mention.end) for mention in question.loose}
    for mention in question.mentions:
        if (mention.start, mention.end) == (place.start, place.end) or own.isdisjoint(mention.readings):
            continue
        if mention.text.lower() in {"one", "once", "a pair"}:
            continue
        spot = (place.start, place.end, mention.start, mention.end)
        if (mention.start, mention.end) in loose or question.surroundings.same_noun(*spot):
            return True
    return False


def _derivable(subject: VariantSubject, place: NumberPlace, own: set[Exact]) -> bool:
    """Tell whether an unused number of the question and another number give the value by one operation."""
    question = subject.question
    unused = [mention.readings[0] for mention in question.loose if mention.readings[0] not in (0, 1)]
    if not unused:
        return False
    unlocated = {subject.values[name] for name in question.unlocated}
    unused = [value for value in unused if value not in unlocated]
    others = {mention.readings[0] for mention in question.mentions if mention.start != place.start} | {
        subject.values[name] for name in subject.values if not _depends(subject, name, place)
    }
    return any(not own.isdisjoint(_results(value, other)) for value in unused for other in others)


def _depends(subject: VariantSubject, name: str, place: NumberPlace) -> bool:
    trace = subject.source.trace
    return name in place.variables or any(name in trace.descendants(variable) for variable in place.variables)


def _results(left: Exact, right: Exact) -> Iterator[Exact]:
    yield from (left + right, left - right, right - left, left * right)
    if right:
        yield Fraction(left) / right
    if left:
        yield Fraction(right) / left
