"""Underspecified variants in which a needed value becomes a vague quantity: `some`, `several`, `a few`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random

from generators.variants.question.input_places import NumberPlace
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.question.vague_context import NumberContext, VaguePhrase
from generators.variants.removal.recoverability import recovery_reason
from generators.variants.removal.underspecification import system_without, witnesses
from generators.variants.text.vague_amounts import vague_money, vague_shares
from generators.variants.text.vague_counts import vague_counts
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import (
    DiscardedVariant,
    VariantDiscard,
    VariantProposal,
    VariantResult,
    first_variants,
)
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass

NAME = "vague_quantity"
MOST = 3
EXACTLY = (" ({}, to be exact)", " (exactly {})", " (to be exact, {})", " (namely {})", " ({} to be precise)")
AT_AN_END = (*EXACTLY, ", {} to be exact", ", {} to be precise", ", namely {}", ", exactly {}")
EXAMPLES = (
    VariantExample(
        "# L1\nboxes = 4  # 4 boxes\nper_box = 6  # 6 mugs in each box\nmugs = boxes * per_box\n"
        "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
        "Petra packs 4 boxes with 6 mugs in each box. On the way, 5 mugs break. How many mugs are whole?",
        (
            "Petra packs several boxes with 6 mugs in each box. On the way, 5 mugs break. How many mugs are whole?",
            "Petra packs 4 boxes with 6 mugs in each box. On the way, a few mugs break. How many mugs are whole?",
        ),
    ),
)


@variant_operator(NAME, problem_class=ProblemClass.UNDERSPECIFIED, examples=EXAMPLES)
def vague_quantity(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Say a needed value vaguely; the near-twin says the same vague words and then the exact value."""
    places = list(subject.question.places)
    random.shuffle(places)
    yield from first_variants((_variant(subject, place, random) for place in places), MOST)


def _variant(subject: VariantSubject, place: NumberPlace, random: Random) -> list[VariantResult]:
    question = subject.question
    what = question.text[place.start : place.end]
    sentence = question.sentence_at(place.start)
    if sentence is None or (
        sentence.asks and not in_a_condition(question.text, sentence.start, place.start, sentence.end)
    ):
        return [DiscardedVariant(NAME, what, VariantDiscard.GRAMMAR, "the question asks about it")]
    if re.search(r"\b(?:respectively|ratio)\b", sentence.text):
        return [DiscardedVariant(NAME, what, VariantDiscard.GRAMMAR, "several numbers are said at once")]
    phrases = list(_phrases(NumberContext(question.text, place)))
    if not phrases:
        return [DiscardedVariant(NAME, what, VariantDiscard.GRAMMAR, "no vague words for its place")]
    phrase = random.choice(phrases)
    recovery = recovery_reason(subject, place, phrase.noun)
    if recovery:
        return [DiscardedVariant(NAME, what, VariantDiscard.RECOVERABLE, recovery)]
    words = random.choice(phrase.words)
    edits = (QuestionEdit(phrase.start, phrase.end, question.text[phrase.start : phrase.end], words),)
    system = system_without(subject, EditedQuestion(question.text, edits), frozenset(place.variables))
    if system is None:
        return [DiscardedVariant(NAME, what, VariantDiscard.GRAMMAR, "the words say another number, too")]
    values = witnesses(subject, system, [place])
    if not values:
        return [DiscardedVariant(NAME, what, VariantDiscard.SAME_ANSWER)]
    variant = VariantProposal(subject, NAME, ProblemClass.UNDERSPECIFIED, edits, system, witnesses=values)
    return [variant, *_twin(variant, place, phrase, random)]


def _phrases(number: NumberContext) -> Iterator[VaguePhrase]:
    if number.is_money:
        return vague_money(number)
    return vague_shares(number) if number.is_share or 0 < number.place.value < 1 else vague_counts(number)


_ASKING = re.compile(r"\b(?:how|what|which|calculate|find|determine|who|when will)\b", re.IGNORECASE)


def in_a_condition(text: str, start: int, place: int, end: int) -> bool:
    """Tell whether a place of a question's sentence is in a condition, `if …`, not in what is asked."""
    before = text[start:place]
    conditions = [match.start() for match in re.finditer(r"\b(?:if|given that|assuming)\b", before, re.IGNORECASE)]
    asking = [match.start() for match in _ASKING.finditer(before)]
    if conditions and (not asking or conditions[-1] > asking[-1]):
        return True
    return not asking and _ASKING.search(text[place:end]) is not None and ", " in text[place:end]


def _twin(
    variant: VariantProposal, place: NumberPlace, phrase: VaguePhrase, random: Random
) -> Iterator[VariantProposal]:
    """Yield the problem with the same vague words and the exact value right behind them."""
    subject, (first,) = variant.subject, variant.edits
    text = subject.question.text
    end = phrase.behind
    if end is None:
        return
    closes = text[end : end + 1] in {".", "?", "!", ";"}
    before, _, after = random.choice(AT_AN_END if closes else EXACTLY).partition("{}")
    exactly = f"{before}{phrase.number}{after}"
    if end > phrase.end:
        edits: tuple[QuestionEdit, ...] = (first, QuestionEdit(end, end, "", exactly))
    else:
        edits = (QuestionEdit(first.start, first.end, first.before, f"{first.after}{exactly}"),)
    edited, last = EditedQuestion(text, edits), edits[-1]
    offset = len(last.after) - len(exactly) + len(before) + phrase.number.startswith("$")
    span = edited.inserted(last, offset, offset + place.end - place.start)
    system = system_without(subject, edited, frozenset(), dict.fromkeys(place.variables, span))
    if system is not None:
        yield VariantProposal(subject, NAME, ProblemClass.SOLVABLE, edits, system, twin=variant.text)
