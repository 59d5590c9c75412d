"""Numbers of a question that can be removed by themselves, so that the text still mentions what they count."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generators.variants.question.vague_context import START, NumberContext, VaguePhrase
from generators.variants.text.vague_amounts import unsaid_amounts
from generators.variants.text.vague_counts import ADDED, comparisons
from harness.text.lexicon import word_lists
from harness.text.nouns import NounPhrase, phrase_at
from harness.text.units import MEASURES, TIMES

_LISTS = word_lists(__file__)

_PERSONS = frozenset(["person", "people", "guest", "adult", "serving"])
_NO_THINGS = frozenset(["dollar", "cent", "time", "percent", "block"])
# After `16 chefs and`, waiters without a number would be counted among the 16.
_COUNTED_AND = re.compile(
    rf"(?:\d|\b(?:{_LISTS.either('small_numbers')}))(?: [a-z][\w'’-]*){{1,5}} (?:and|or|nor|plus)(?: the| some)? $"
)
_RATE_BEHIND = re.compile(
    r"(?: of [a-z]+(?: [a-z]+)?)? (?:each|apiece|per|an?|every|altogether|in all|in total|total|combined)\b"
)
_UNFIT_BEHIND = re.compile(
    rf" (?:old|of age|by \d|more|less|fewer|times|dozen|hundred|thousand|million|pairs? of|{_LISTS.either('unfit_behind')})\b"
)
_COMPARED_BEHIND = re.compile(r" (?:more|fewer|less)\b")
_UNFIT_BEFORE = rf"\b(?:{_LISTS.either('unfit_before')})"
_THERE = re.compile(r"\bthere (?:are|were|will be|have been|is|was) $", re.IGNORECASE)
_BEING = re.compile(r"\b(?:is|are|was|were|be|been|being|becomes?|became) $", re.IGNORECASE)
_GROUP = re.compile(r"\b(?:group|team|set|pack|family|crowd|class|pile|stack|row|line) of $", re.IGNORECASE)


def number_removals(spot: NumberContext) -> Iterator[VaguePhrase]:
    """Yield what goes with a number: `4 ` of `packs 4 boxes`, `5 ` of `5 more pens than`, `20% ` of `a 20% discount`."""
    yield from comparisons(spot)
    yield from unsaid_amounts(spot)
    value = spot.place.value
    if value.denominator == 1 and value >= 2 and not (spot.is_money or spot.is_share or spot.joined):
        yield from _count(spot)


def _count(spot: NumberContext) -> Iterator[VaguePhrase]:
    text, place = spot.text, spot.place
    phrase = phrase_at(text, place.end)
    if phrase is None or phrase.noun in TIMES | MEASURES | _NO_THINGS:
        return
    more = re.match(r" more\b(?! than| [a-z]+ than)", spot.behind)
    unfit = _UNFIT_BEHIND.match(spot.behind) and not more
    if place.form.after.strip() or unfit or _RATE_BEHIND.match(text, phrase.end):
        return
    if _COMPARED_BEHIND.match(text, phrase.end):
        return
    if spot.is_behind(r"(?:^|[.?!,] )to [a-z]+"):
        return
    if phrase.noun in _PERSONS and spot.is_behind(r"\b(?:for|of)"):
        return
    if _COUNTED_AND.search(spot.before) or _is_totalled(spot, phrase) or _is_heard_from_others(spot, phrase):
        return
    added, start = ADDED.search(spot.before), spot.start
    if added is not None:
        if added["words"] == "a total of":
            start = added.start("words")
        elif not _GROUP.search(spot.before):
            return
    elif (
        spot.firm
        or spot.is_behind(_UNFIT_BEFORE)
        or (_BEING.search(spot.before) and not _THERE.search(spot.before))
        or (spot.definite and (more or spot.is_behind(r"\bof \S+")))
    ):
        return
    behind = phrase.end if phrase.closed and not more else None
    counts = not spot.definite
    if START.search(text[:start]):
        first = text[place.end + 1]
        said = spot.say(first, start=start, end=place.end + 2, behind=behind, noun=phrase.noun, counts=counts)
    else:
        said = spot.say("", start=start, end=place.end + 1, behind=behind, noun=phrase.noun, counts=counts)
    yield said


_TOTALLED = re.compile(r"\b(?:in total|altogether|in all|combined|all together)\b[^.;?!]*$", re.IGNORECASE)
_INHABITING = rf"\b(?:{_LISTS.either('inhabiting')})"
_INHABITANTS = _LISTS.words("inhabitants")
_CONDITION = re.compile(r"\bif (?:(?!and )[\w'’]+ ){1,8}$", re.IGNORECASE)
_EMPTY = re.compile(r"\b(?:(?:each|every|an?) (?:[a-z-]+ ){1,3}|which |that )(?:has|have|had) $", re.IGNORECASE)
_CLOSES = re.compile(r"[.,;?!]| (?:and|how|what) ")
_NUMBER_MEANT = re.compile(r"\b(?:that|this) (?:many|much|number|amount)\b")
_EACH_BEHIND = re.compile(r" (?:and|that|which|who) (?:they|each|all|both|are each)\b")


def _is_totalled(spot: NumberContext, phrase: NounPhrase) -> bool:
    """Tell whether a number is said to be that of all, or is the only thing that its statement says.

    `In total, they sold oranges`, `The town has people`, `each book has pages` and `if Ida bakes cakes` say nothing.
    """
    if _TOTALLED.search(spot.before) or _EACH_BEHIND.match(spot.text, phrase.end):
        return True
    alone = _EMPTY.search(spot.before) or _CONDITION.search(spot.before)
    if alone and _CLOSES.match(spot.text, phrase.end):
        return True
    return phrase.noun in _INHABITANTS and spot.is_behind(_INHABITING)


def _is_heard_from_others(spot: NumberContext, phrase: NounPhrase) -> bool:
    """Tell whether the words after a number refer to it, or its sentence gives another number of the same things."""
    if _NUMBER_MEANT.search(".".join(spot.behind.split(".")[:2])):
        return True
    before, behind = re.split(r"[.?!] ", spot.before)[-1], re.split(r"[.?!](?: |$)", spot.text[phrase.end :])[0]
    things = spot.text[: phrase.end].rsplit(" ", 1)[-1]
    counted = re.compile(rf"(?:\d|\b(?:{_LISTS.either('small_numbers')}))(?: [a-z][\w-]*){{0,3}} {re.escape(things)}\b")
    return counted.search(before) is not None or counted.search(behind) is not None
