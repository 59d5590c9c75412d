"""The removal of one number of a question: nothing, or a vague quantity, in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generators.variants.question.input_places import LocatedQuestion
from generators.variants.question.number_context import NumberContext
from generators.variants.question.question_edit import QuestionEdit
from harness.text.lexicon import english
from harness.text.nouns import is_plural, phrase_at, singular_noun
from harness.text.numbers import mentions
from harness.text.units import MEASURES, TIMES

_LISTS = english("variants")
SEVERAL = range(3, 41)
_NO_THINGS = frozenset(["dollar", "cent", "time", "percent", "block"])
_COMPARED = re.compile(r"(?: (?P<unit>[a-z]+))? (?P<word>more|less|fewer|[a-z]{3,}er)\b(?: [a-z-]+){0,3}? than ")
_MORE = re.compile(r" (?:more|less|fewer)\b")
_SHARED = re.compile(r"(?: of [a-z]+(?: [a-z]+)?)? (?:each|apiece|per|an?|every|altogether|in all|total|combined)\b")
_MEASURED = re.compile(r" (?:old|tall|long|wide|deep|high|apart|ago|away|by)\b")
_UNFIT_BEFORE = _LISTS.words("unfit_before")
_THERE = re.compile(r"\b(?:there (?:are|were|is|was|will be)) $", re.IGNORECASE)
_BEING = frozenset(["is", "are", "was", "were", "be", "been", "being", "became", "becomes"])
_SAYS_NOTHING = re.compile(
    r"\b(?:(?:each|every|an?) (?:[a-z-]+ ){1,3}|which |that |(?:the|this) [a-z]+ )(?:has|have|had) $", re.IGNORECASE
)
_CLOSES = re.compile(r"[.,;?!]| (?:and|how|what) ")
_TOTAL = re.compile(r"\b(?:total|altogether|in all|combined)\b", re.IGNORECASE)
_ASKED = re.compile(r"\b(?:how|what)\b")
_NUMBER_MEANT = re.compile(r"\b(?:that|this) (?:many|much|number|amount)\b")
_JOINT_BEFORE = re.compile(r"(?:and|or|nor|plus)(?: the| some)? $")
_CLAUSE_ENDS = re.compile(r"[.,;?]| (?:and|while|but|to|for|in|on|if|from|at)\b")
_RATE = re.compile(r" (?:each|apiece|per [a-z]+|an? [a-z]+|every [a-z]+|for each)\b")


@dataclass(frozen=True, slots=True)
class NumberRemoval:
    """Words of a question from `start` to `end` that hold a number, and the `words` in their place, none or vague ones.

    `noun` is what the number counts, in the singular. The number as `written` can be said in parentheses at `end_of_phrase`, the
    end of what it counts, `None` where that is not known.
    """

    start: int
    end: int
    words: str
    noun: str
    written: str
    end_of_phrase: int | None

    def edit(self, text: str) -> QuestionEdit:
        """Return the edit of a question that makes the removal."""
        return QuestionEdit(self.start, self.end, text[self.start : self.end], self.words)


def unsaid_number(question: LocatedQuestion, spot: NumberContext) -> NumberRemoval | None:
    """Return the removal of a number without a trace, `4 ` of `packs 4 boxes` or `5 ` of `5 more pens than`.

    There is none where what is left would be no sentence, or would not lack a number.
    """
    text, place = spot.text, spot.place
    if place.value.denominator != 1 or place.value < 2 or spot.is_share or spot.joined or spot.firm or spot.definite:
        return None
    compared = _COMPARED.match(spot.after)
    if compared is not None:
        unit = compared["unit"] or ""
        if spot.begins or (unit and not is_plural(unit)):
            return None
        return _removal(spot, "", place.end + compared.start("word"), singular_noun(unit) if unit else "", None)
    phrase = None if spot.is_money else phrase_at(text, place.end)
    if phrase is None or phrase.noun in TIMES | MEASURES | _NO_THINGS or place.form.after.strip():
        return None
    if _MORE.match(spot.after) or _SHARED.match(text, phrase.end) or _MEASURED.match(text, phrase.end):
        return None
    if spot.word_before in _UNFIT_BEFORE or (spot.word_before in _BEING and not _THERE.search(spot.before)):
        return None
    if _needs_its_number(question, spot, phrase.noun, phrase.end):
        return None
    end = phrase.end if phrase.closed else None
    if spot.begins:
        first = text[place.end + 1]
        return _removal(spot, first.upper(), place.end + 2, phrase.noun, end)
    return _removal(spot, "", place.end + 1, phrase.noun, end)


def _needs_its_number(question: LocatedQuestion, spot: NumberContext, noun: str, end: int) -> bool:
    """Tell whether a sentence would say nothing without a number, say another number for it, or refer to it.

    `Each book has pages` says nothing; of `16 chefs and waiters` the 16 counts both.
    """
    sentence = question.sentence_at(spot.place.start)
    if sentence is None or _TOTAL.search(_ASKED.split(sentence.text)[0]) or _NUMBER_MEANT.search(spot.text, end):
        return True
    if _SAYS_NOTHING.search(spot.before) and _CLOSES.match(spot.text, end):
        return True
    for mention in mentions(sentence.text):
        start = mention.start + sentence.start
        other = phrase_at(spot.text, mention.end + sentence.start)
        if start != spot.place.start and other is not None:
            joined = (
                start < spot.start
                and _JOINT_BEFORE.search(spot.before)
                and not spot.text[other.end : spot.start].count(",")
            )
            if other.noun == noun or joined:
                return True
    return False


def vague_numbers(spot: NumberContext) -> Iterator[NumberRemoval]:
    """Yield vague quantities in the place of a number: `some boxes`, `several hours`, `a certain amount of money`."""
    if spot.joined or spot.firm or spot.definite or spot.place.value == 1:
        return
    if spot.is_money:
        yield from _vague_money(spot)
    elif not spot.is_share and spot.place.value.denominator == 1 and not spot.place.form.after.strip():
        yield from _vague_count(spot)


def _vague_count(spot: NumberContext) -> Iterator[NumberRemoval]:
    text, place = spot.text, spot.place
    phrase = phrase_at(text, place.end)
    more = _MORE.match(spot.after)
    if phrase is None or spot.word_before in _UNFIT_BEFORE | {"of"} or phrase.noun in {"percent", "block"}:
        return
    if _MEASURED.match(text, phrase.end):
        return
    end = phrase.end if phrase.closed else None
    measured = phrase.noun in TIMES | MEASURES | _NO_THINGS
    if not measured and not more:
        yield _removal(spot, "some", place.end, phrase.noun, end)
    if place.value in SEVERAL:
        yield _removal(spot, "several", place.end, phrase.noun, end)
    if not more:
        yield _removal(spot, "a certain number of", place.end, phrase.noun, end)


def _vague_money(spot: NumberContext) -> Iterator[NumberRemoval]:
    rate = _RATE.match(spot.after)
    if rate is None and not _CLAUSE_ENDS.match(spot.after):
        return
    if spot.word_before in {"for", "at"}:
        yield _removal(spot, "a certain price", spot.place.end, "dollar", spot.place.end)
    elif spot.follows_verb or spot.word_before == "with":
        yield _removal(spot, "a certain amount of money", spot.place.end, "dollar", spot.place.end)
        if rate is None:
            yield _removal(spot, "some money", spot.place.end, "dollar", spot.place.end)


def _removal(spot: NumberContext, words: str, end: int, noun: str, closed: int | None) -> NumberRemoval:
    words = words[:1].upper() + words[1:] if spot.begins else words
    written = spot.written[:1].lower() + spot.written[1:]
    return NumberRemoval(spot.start, end, words, noun, written, closed)
