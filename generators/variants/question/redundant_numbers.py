"""Quantities that a question states twice, as in `3 songs` and later `the 3 songs`, or `two friends, Ann and Bob`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from generators.variants.question.input_places import LocatedQuestion
from generators.variants.question.written_numbers import is_quantity
from harness.text.nouns import is_plural, singular_noun
from harness.text.number_forms import PLAIN, NumberForm, NumberKind, numbers_at
from harness.text.numbers import NumberMention
from harness.text.units import MEASURES, TIMES

LARGEST_IN_WORDS = 100
FURTHEST = 24
_DETERMINED = re.compile(r"\b(the|these|those|all|his|her|their|its|both|all of the|each of the)\s$", re.IGNORECASE)
_THESE = frozenset(["these", "those", "all"])
_ELSE = re.compile(r"\b(?:now|instead|else|another|more|new)\b")
_NOUNS = re.compile(r"(?: [A-Za-z]+){1,3}")
_NO_HEADS = frozenset(["of", "and", "or", "more", "times", "to", "for", "in", "on", "is", "are", "percent"])
_ITEM = r"[A-Z][a-z]{1,20}"
_NAMES = re.compile(
    rf" (?P<noun>[a-z]{{2,20}}(?: [a-z]{{2,20}})?)(?:,|:| named| called) (?P<names>(?:{_ITEM}, ){{0,5}}{_ITEM},? and {_ITEM})"
    r"(?=[.;!?]|, (?!and))"
)


# `the total time it takes both of them to run around the 4 arenas`: two of one and two of the other.
_TOGETHER = re.compile(r"\b(?:both|each|together|combined)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Redundancy:
    """A quantity that a question says twice: by a number, and by another number or a list of `names` after it."""

    noun: str
    first: NumberMention
    again: NumberMention | None
    names: str = ""


def redundancies_of(question: LocatedQuestion) -> list[Redundancy]:
    """Return what a question says twice, in order, each number at most once."""
    counted = [mention for mention in question.mentions if _counts(question, mention)]
    redundancies: list[Redundancy] = []
    seen: set[int] = set()
    for number, again in enumerate(counted):
        determined = _DETERMINED.search(question.text[: again.start])
        if determined is None or _ELSE.search(question.text, again.end, again.end + FURTHEST):
            continue
        sentence = question.sentence_at(again.start)
        if sentence is not None and sentence.asks and _TOGETHER.search(sentence.text):
            continue
        for first in counted[:number]:
            noun = _same_noun(question, first, again)
            if noun is None or (singular_noun(noun) in TIMES and determined[1].lower() not in _THESE):
                continue
            if seen.isdisjoint((first.start, again.start)) and _alone(question, noun, first):
                redundancies.append(Redundancy(noun, first, again))
                seen |= {first.start, again.start}
    return [
        *redundancies,
        *(redundancy for redundancy in _listed(question, counted) if redundancy.first.start not in seen),
    ]


def _counts(question: LocatedQuestion, mention: NumberMention) -> bool:
    value = mention.readings[0]
    single_word = len(mention.text.split()) == 1
    return value.denominator == 1 and value > 1 and single_word and is_quantity(question.text, mention)


def _same_noun(question: LocatedQuestion, first: NumberMention, again: NumberMention) -> str | None:
    """Return the plural noun of both numbers; right after the second one, perhaps after adjectives at the first."""
    if first.readings[0] != again.readings[0]:
        return None
    text = question.text
    here, there = _NOUNS.match(text, first.end), _NOUNS.match(text, again.end)
    if here is None or there is None:
        return None
    before, behind = here[0].lower().split(), there[0].lower().split()
    noun = next((word for word in behind if is_plural(word)), None)
    if noun is None or noun not in before or noun in _NO_HEADS or singular_noun(noun) in MEASURES:
        return None
    kind, again_kind = before[: before.index(noun)], behind[: behind.index(noun)]
    return noun if _NO_HEADS.isdisjoint(kind) and set(again_kind) <= set(kind) else None


def _alone(question: LocatedQuestion, noun: str, first: NumberMention) -> bool:
    """Tell whether no other number of these things is told, so that the second number can only mean the first."""
    return not any(
        mention.readings[0] != first.readings[0]
        and (words := _NOUNS.match(question.text, mention.end)) is not None
        and noun in words[0].lower().split()
        for mention in question.mentions
    )


def _listed(question: LocatedQuestion, counted: list[NumberMention]) -> Iterator[Redundancy]:
    for mention in counted:
        match = _NAMES.match(question.text, mention.end)
        if match is not None and len(re.findall(_ITEM, match["names"])) == mention.readings[0]:
            noun = match["noun"].split()[-1]
            if is_plural(noun):
                yield Redundancy(noun, mention, None, match["names"])


def other_form(text: str, mention: NumberMention) -> NumberForm | None:
    """Return the form that says a number in words where digits stand, in digits where words do; `None` where neither does well."""
    value = mention.readings[0]
    forms = [number.form for number in numbers_at(text, mention.start, value) if number.end == mention.end]
    begins = text[max(0, mention.start - 2) : mention.start].strip() in {"", ".", "?", "!"}
    if not forms or begins:
        return None
    if forms[0].kind is NumberKind.WORDS:
        return replace(PLAIN)
    return NumberForm(NumberKind.WORDS) if forms[0].kind is NumberKind.NUMERAL and value <= LARGEST_IN_WORDS else None
