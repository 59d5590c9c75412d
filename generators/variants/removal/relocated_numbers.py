"""Numbers of a question that are given elsewhere than at their place: in parentheses after what they count, or in a statement."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from generators.variants.question.clauses import RemovableClause, condition_of
from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.question_edit import QuestionEdit
from generators.variants.question.vague_context import NumberContext, VaguePhrase
from generators.variants.removal.dispensable_statements import TITLES, names_of
from generators.variants.removal.number_removals import number_removals
from generators.variants.removal.number_statements import LEADS, StatementPlace, number_statements
from generators.variants.text.lower_case import OPENING_WORDS, lowered
from generators.variants.text.vague_amounts import vague_money, vague_shares
from generators.variants.text.vague_counts import vague_counts
from harness.text.lexicon import word_lists
from harness.text.nouns import FUNCTION_WORDS
from harness.text.numbers import mentions
from harness.text.sentences import Sentence

EXACTLY = (" ({}, to be exact)", " (exactly {})", " (to be exact, {})", " ({}, to be precise)")
OF_THEM = (*EXACTLY, " ({} of them)")
MOST_WORDS = 16
_LISTS = word_lists(__file__)
_IN_ORDER = re.compile(rf"\b(?:{_LISTS.either('in_order')})\b", re.IGNORECASE)
_ONE_OF_A_KIND = re.compile(rf"an? (?:[a-z][\w-]* )+?(?:{_LISTS.either('of_a_kind')})\b")
_REFERS = re.compile(rf"\b(?:{_LISTS.either('refers')})\b|[\"“:;(]", re.IGNORECASE)
_STATE = re.compile(r"\b(?:has|had|have|is|are|was|were|left|owns?|owned)\b")
_CHANGES = re.compile(rf"\b(?:{_LISTS.either('changes')})\b")
_SUPPOSED = re.compile(r"\b(?:would|could|should|might|were|instead|then)\b")
_PRONOUN = re.compile(r"(?:he|she|it|they|his|her|its|their)\b")
_SEVERAL_AT_ONCE = re.compile(r"\b(?:respectively|ratio)\b")


@dataclass(frozen=True, slots=True)
class InsertedNumber:
    """The number of a place, from `start` to `end` of words that are inserted."""

    place: NumberPlace
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NumberElsewhere:
    """Edits that give numbers of a question at another position, in the text of `inserted`.

    Their old places are edited too, or give the numbers `again`. All of one `manner` differ in the numbers and their nouns only.
    """

    manner: str
    edits: tuple[QuestionEdit, ...]
    inserted: QuestionEdit
    numbers: tuple[InsertedNumber, ...]
    again: bool = False


def said_vaguely(spot: NumberContext) -> Iterator[VaguePhrase]:
    """Yield vague words for a number."""
    if spot.is_money:
        yield from vague_money(spot)
    elif spot.is_share or 0 < spot.place.value < 1:
        yield from vague_shares(spot)
    else:
        yield from vague_counts(spot)


def phrase_edit(text: str, phrase: VaguePhrase, words: str) -> QuestionEdit:
    """Return the edit that writes vague words, or none, in the place of a number."""
    return QuestionEdit(phrase.start, phrase.end, text[phrase.start : phrase.end], words)


def given_behind(text: str, place: NumberPlace, phrase: VaguePhrase, words: str) -> Iterator[NumberElsewhere]:
    """Yield the ways to write words in the place of a number, and the number in parentheses after what it counts."""
    end = phrase.behind
    if end is None:
        return
    first = phrase_edit(text, phrase, words)
    for manner in OF_THEM if phrase.counts else EXACTLY:
        before, _, after = manner.partition("{}")
        exactly = f"{before}{phrase.number}{after}"
        if end > phrase.end:
            edits: tuple[QuestionEdit, ...] = (first, QuestionEdit(end, end, "", exactly))
        else:
            edits = (replace(first, after=f"{words}{exactly}"),)
        start = len(edits[-1].after) - len(exactly) + len(before) + phrase.sign
        number = InsertedNumber(place, start, start + place.end - place.start)
        yield NumberElsewhere(manner, edits, edits[-1], (number,))


def stated(
    question: LocatedQuestion, place: NumberPlace, edits: tuple[QuestionEdit, ...] = ()
) -> Iterator[NumberElsewhere]:
    """Yield the ways to state the number of a place on its own, after edits that take it away or, without edits, again."""
    for said in number_statements(question, place):
        repeats = not edits and said.kind in {StatementPlace.AHEAD, StatementPlace.BEHIND}
        if not repeats and all(not edit.start < said.position < edit.end for edit in edits):
            inserted = QuestionEdit(said.position, said.position, "", said.words)
            number = InsertedNumber(place, said.start, said.end)
            yield NumberElsewhere(said.lead, tuple(sorted((*edits, inserted))), inserted, (number,), again=not edits)


def sentence_stated(
    question: LocatedQuestion, place: NumberPlace, edits: tuple[QuestionEdit, ...] = ()
) -> Iterator[NumberElsewhere]:
    """Yield the ways to say the whole sentence of a number, after it or right before what is asked, after edits or again.

    It is said again before the question only where nothing changes what it says, and never right after itself.
    """
    sentence, last = question.sentence_at(place.start), question.sentences[-1]
    if sentence is None or sentence.asks or not sentence.text.endswith(".") or not last.asks:
        return
    text = sentence.text.removesuffix(".")
    words = _within_a_sentence(text, question) if len(text.split()) <= MOST_WORDS and not _IN_ORDER.search(text) else ""
    if not words or _REFERS.search(text) or (re.match(r"an? ", words) and not _ONE_OF_A_KIND.match(words)):
        return
    places = [other for other in question.places if sentence.start <= other.start < sentence.end]
    next_to_last = question.sentences[-2].end == sentence.end
    changes = _STATE.search(text) is not None and _CHANGES.search(question.text[sentence.end :]) is not None
    for lead in LEADS:
        named = _named(question, sentence, words)
        if named and not next_to_last and not changes:
            shift = len(lead) - sentence.start + len(named) - len(text)
            inserted = QuestionEdit(last.start, last.start, "", f"{lead}{named}. ")
            yield _sentence_at(lead, edits, inserted, places, shift)
        elif edits and all(edit.end <= sentence.end for edit in edits):
            inserted = QuestionEdit(sentence.end, sentence.end, "", f" {lead}{words}.")
            yield _sentence_at(lead, edits, inserted, places, len(lead) + 1 - sentence.start)


def _sentence_at(
    manner: str, edits: tuple[QuestionEdit, ...], inserted: QuestionEdit, places: Sequence[NumberPlace], shift: int
) -> NumberElsewhere:
    numbers = tuple(_shifted(place, shift) for place in places)
    return NumberElsewhere(manner, tuple(sorted((*edits, inserted))), inserted, numbers, again=not edits)


def _named(question: LocatedQuestion, sentence: Sentence, words: str) -> str:
    """Return words with the only name before them for a pronoun at their start, an empty text where that is unsure."""
    if re.match(r"(?:they|his|her|their|it|its)\b", words):
        return ""
    if re.match(r"(?:he|she)\b", words) is None:
        return words
    names = names_of(question.text) - TITLES
    before = names_of(question.text[: sentence.start])
    return f"{next(iter(names))}{words[words.index(' ') :]}" if len(names) == 1 and names == before else ""


def words_stated(
    question: LocatedQuestion, places: Sequence[NumberPlace], edits: tuple[QuestionEdit, ...], start: int, end: int
) -> Iterator[NumberElsewhere]:
    """Yield the ways to say the words from `start` to `end` of a question, which edits take away, right before what is asked."""
    asked = next((sentence for sentence in question.sentences if sentence.asks), None)
    words = _within_a_sentence(question.text[start:end].removesuffix("."), question)
    if asked is None or not words or len(words.split()) > MOST_WORDS or _IN_ORDER.search(words):
        return
    for lead in LEADS:
        inserted = QuestionEdit(asked.start, asked.start, "", f"{lead}{words}. ")
        numbers = tuple(_shifted(place, len(lead) - start) for place in places)
        every = tuple(sorted((*edits, inserted)))
        yield NumberElsewhere(lead, every, inserted, numbers)


def condition_stated(question: LocatedQuestion, place: NumberPlace) -> Iterator[NumberElsewhere]:
    """Yield the ways to say the condition of what is asked, in which a number stands, as a sentence of its own before it."""
    sentence = question.sentence_at(place.start)
    condition = condition_of(sentence) if sentence is not None and sentence.asks else None
    if condition is None or not condition.first <= place.start < condition.last:
        return
    said = question.text[condition.first : condition.last]
    if _SUPPOSED.search(said) or (not condition.leads and _PRONOUN.match(said)):
        return
    left = condition.asked[0] if condition.leads else ""
    edit = RemovableClause(condition.start, condition.end + condition.leads, left).edit(question.text)
    places = [other for other in question.places if condition.first <= other.start < condition.last]
    yield from words_stated(question, places, (edit,), condition.first, condition.last)


def sentence_led(
    question: LocatedQuestion, places: Sequence[NumberPlace], gone: QuestionEdit
) -> Iterator[NumberElsewhere]:
    """Yield the ways to begin a sentence that an edit would take away with the first words of a statement."""
    stripped = gone.before.rstrip()
    words, space = _within_a_sentence(stripped.removesuffix("."), question), gone.before[len(stripped) :]
    if not words or not stripped.endswith("."):
        return
    for lead in LEADS:
        edit = QuestionEdit(gone.start, gone.end, gone.before, f"{lead}{words}.{space}")
        numbers = tuple(_shifted(place, len(lead) - gone.start) for place in places)
        yield NumberElsewhere(lead, (edit,), edit, numbers)


def led(question: LocatedQuestion, place: NumberPlace) -> Iterator[NumberElsewhere]:
    """Yield the ways to begin the sentence of a number with the first words of a statement."""
    sentence = question.sentence_at(place.start)
    if sentence is None or sentence.asks or _IN_ORDER.search(sentence.text):
        return
    places = [other for other in question.places if sentence.start <= other.start < sentence.end]
    yield from sentence_led(question, places, QuestionEdit(sentence.start, sentence.end, sentence.text, ""))


def led_unnumbered(question: LocatedQuestion) -> Iterator[NumberElsewhere]:
    """Yield the ways to begin a sentence that gives no input with the first words of a statement; they give nothing."""
    for sentence in question.sentences:
        numbered = any(sentence.start <= place.start < sentence.end for place in question.places)
        if not numbered and not sentence.asks and not _IN_ORDER.search(sentence.text):
            yield from sentence_led(question, (), QuestionEdit(sentence.start, sentence.end, sentence.text, ""))


def _shifted(place: NumberPlace, shift: int) -> InsertedNumber:
    return InsertedNumber(place, place.start + shift, place.end + shift)


def _within_a_sentence(words: str, question: LocatedQuestion) -> str:
    """Return words as they read after others, an empty text where one cannot tell whether the first is a name."""
    if any(mention.start == 0 for mention in mentions(words)[:1]):
        return f"{words[0].lower()}{words[1:]}"
    first = words.split(maxsplit=1)[0]
    unsure = not words[0].isalpha() or first.endswith("ing")
    unsure = unsure or (first.lower() in FUNCTION_WORDS and first.lower() not in OPENING_WORDS)
    return "" if unsure else lowered(words, question) or ""


def given_elsewhere(question: LocatedQuestion, place: NumberPlace) -> Iterator[NumberElsewhere]:
    """Yield the ways to give the number of a place elsewhere, or again, that add no word of their own to those of a manner."""
    yield from condition_stated(question, place)
    if not place.rewritable:
        yield from led(question, place)
        return
    yield from stated(question, place)
    yield from sentence_stated(question, place)
    yield from led(question, place)
    if _SEVERAL_AT_ONCE.search(question.words_at(place.start, place.end)):
        return
    for phrase in number_removals(NumberContext(question.text, place)):
        yield from given_behind(question.text, place, phrase, phrase.words[0])
