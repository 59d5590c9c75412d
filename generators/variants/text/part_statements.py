"""Statements of the parts of what a question counts: `12 of the pens are small, and the other 8 are large`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.references import refers
from generators.variants.question.vague_context import NumberContext
from generators.variants.text.quantity_statements import WrittenSentence
from generators.variants.text.stated_facts import InsertionPoint
from harness.text.lexicon import word_lists
from harness.text.nouns import NounPhrase, phrase_at
from harness.text.sentences import Sentence

_LISTS = word_lists(__file__)

FEWEST, MOST = 6, 999
PERCENT = 100
_PERCENTAGES = (20, 25, 30, 40, 60, 70, 75, 80)
_PERSONS, _THINGS = _LISTS.words("persons"), _LISTS.words("things")
_HAVING = re.compile(rf"\b(?:(?P<past>{_LISTS.either('past')})|{_LISTS.either('present')}) $", re.IGNORECASE)
_CHANGING = re.compile(rf"\b(?:{_LISTS.either('changing')})\b", re.IGNORECASE)
_NOT_ALL = re.compile(rf"\b(?:{_LISTS.either('not_all')})\b", re.IGNORECASE)
_KINDS = re.compile(rf"\b(?:{_LISTS.either('kinds')})\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\b(?:they|them|their|theirs)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CountedWhole:
    """Things that a question counts at a place, and where a statement about some of them can stand."""

    place: NumberPlace
    things: str
    point: InsertionPoint
    predicates: tuple[str, str]

    @property
    def count(self) -> int:
        """Return how many there are."""
        return int(self.place.value)

    def some(self, part: int) -> WrittenSentence:
        """Write that some of them are of a kind; the number that is marked says how many."""
        return WrittenSentence(f"{part} of the {self.things} {self.predicates[0]}.", 0, len(str(part)))

    def split(self, part: int, rest: int, unit: str = "") -> tuple[WrittenSentence, tuple[int, int]]:
        """Write that some are of one kind and the others of another, marking how many the others are; return where the first number stands, too."""
        first, second = self.predicates
        before = f"{part}{unit} of the {self.things} {first}, and the other "
        text = f"{before}{rest}{unit} {second}."
        return WrittenSentence(text, len(before), len(before) + len(str(rest))), (0, len(str(part)))


def counted_wholes(question: LocatedQuestion) -> Iterator[CountedWhole]:
    """Yield the things of which a question says how many there are, and of which a sentence after can say more."""
    if _KINDS.search(question.text):
        return
    for place in question.places:
        sentence = question.sentence_at(place.start)
        if sentence is None or sentence.asks or not sentence.text.endswith(".") or not _is_countable(place):
            continue
        spot, phrase = NumberContext(question.text, place), phrase_at(question.text, place.end)
        having = _HAVING.search(spot.before)
        if phrase is None or having is None or spot.joined or not _is_counted_alone(question, sentence, place, phrase):
            continue
        following = next((other.text for other in question.sentences if other.start >= sentence.end), "")
        if not following or refers(following) or _SEVERAL.search(following):
            continue
        predicates = _predicates(phrase.noun, past=having["past"] is not None)
        if predicates is not None:
            things = question.text[place.end : phrase.end].rsplit(" ", 1)[-1]
            yield CountedWhole(place, things, InsertionPoint.behind(sentence), predicates)


def _is_counted_alone(question: LocatedQuestion, sentence: Sentence, place: NumberPlace, phrase: NounPhrase) -> bool:
    """Tell whether `the pens` after a sentence can only be those that a number in it counts, and all of them."""
    text = question.text
    if _NOT_ALL.search(sentence.text) or not (phrase.closed or re.match(r" of [a-z]", text[phrase.end :])):
        return False
    behind = text[phrase.end : sentence.end]
    if re.search(rf"\b{re.escape(phrase.noun)}", text[: place.start], re.IGNORECASE):
        return False
    if _CHANGING.search(behind) or re.search(rf"\b{re.escape(phrase.noun)}", behind):
        return False
    for mention in question.mentions:
        if mention.start < sentence.end and mention.start != place.start:
            other = phrase_at(text, mention.end)
            if other is not None and other.noun == phrase.noun:
                return False
    return True


def part_of(whole: CountedWhole, random: Random, avoided: frozenset[object]) -> int | None:
    """Return how many of some things are of a kind, a number that nothing else of the problem is."""
    values = range(max(2, whole.count // 5), whole.count - max(2, whole.count // 5) + 1)
    free = [value for value in values if value not in avoided and whole.count - value not in {value, *avoided}]
    return random.choice(free) if free else None


def percentage_of(whole: CountedWhole, random: Random, avoided: frozenset[object]) -> int | None:
    """Return a percentage of some things that is a whole number of them."""
    free = [
        share
        for share in _PERCENTAGES
        if whole.count * share % PERCENT == 0 and avoided.isdisjoint({share, PERCENT - share})
    ]
    return random.choice(free) if free else None


def _is_countable(place: NumberPlace) -> bool:
    value = place.value
    return place.rewritable and len(place.variables) == 1 and value.denominator == 1 and FEWEST <= value <= MOST


def _predicates(noun: str, *, past: bool) -> tuple[str, str] | None:
    """Return the properties for some things and for the others, `None` where there is none."""
    if noun in _PERSONS:
        return ("wore glasses", "did not") if past else ("wear glasses", "do not")
    if noun in _THINGS:
        return ("were small", "were large") if past else ("are small", "are large")
    return None
