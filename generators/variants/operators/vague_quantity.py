"""Underspecified variants in which a needed value becomes a vague quantity: `some`, `several`, `a few`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.question.vague_phrases import NumberContext
from generators.variants.removal.recoverability import recovery_reason
from generators.variants.removal.underspecification import system_without, witnesses
from generators.variants.text.vague_amounts import vague_money, vague_shares
from generators.variants.text.vague_counts import vague_counts
from generators.variants.variant_operator import (
    DiscardedVariant,
    VariantDiscard,
    VariantExample,
    VariantProposal,
    variant_operator,
)
from harness.constraint_system import ProblemClass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from generators.variants.question.input_places import NumberPlace
    from generators.variants.question.vague_phrases import VaguePhrase
    from generators.variants.variant_source import VariantSubject

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
def vague_quantity(subject: VariantSubject, random: Random) -> Iterable[VariantProposal | DiscardedVariant]:
    """Say a needed value vaguely; the near-twin says the same vague words and then the exact value."""
    places = list(subject.question.places)
    random.shuffle(places)
    made = 0
    for place in places:
        if made == MOST:
            return
        found = _variant(subject, place, random)
        yield from found
        made += any(isinstance(one, VariantProposal) for one in found)


def _variant(subject: VariantSubject, place: NumberPlace, random: Random) -> list[VariantProposal | DiscardedVariant]:
    question = subject.question
    what = question.text[place.start : place.end]
    sentence = question.sentence_at(place.start)
    if sentence is None or (
        sentence.asks and not in_a_condition(question.text, sentence.start, place.start, sentence.end)
    ):
        return [DiscardedVariant(NAME, what, VariantDiscard.GRAMMAR, "the question asks about it")]
    if re.search(r"\b(?:respectively|ratio)\b", sentence.text):
        return [DiscardedVariant(NAME, what, VariantDiscard.GRAMMAR, "several numbers are said at once")]
    ways = list(_ways(NumberContext(question.text, place)))
    if not ways:
        return [DiscardedVariant(NAME, what, VariantDiscard.GRAMMAR, "no vague words for its place")]
    way = random.choice(ways)
    told = recovery_reason(subject, place, way.noun)
    if told:
        return [DiscardedVariant(NAME, what, VariantDiscard.RECOVERABLE, told)]
    words = random.choice(way.words)
    edits = (QuestionEdit(way.start, way.end, question.text[way.start : way.end], words),)
    gone = frozenset(place.variables)
    system = system_without(subject, EditedQuestion(question.text, edits), gone)
    if system is None:
        return [DiscardedVariant(NAME, what, VariantDiscard.GRAMMAR, "the words say another number, too")]
    values = witnesses(subject, system, [place])
    if not values:
        return [DiscardedVariant(NAME, what, VariantDiscard.SAME_ANSWER)]
    variant = VariantProposal(subject, NAME, ProblemClass.UNDERSPECIFIED, edits, system, witnesses=values)
    return [variant, *_twin(variant, place, way, random)]


def _ways(spot: NumberContext) -> Iterator[VaguePhrase]:
    if spot.is_money:
        yield from vague_money(spot)
    elif spot.is_share or 0 < spot.place.value < 1:
        yield from vague_shares(spot)
    else:
        yield from vague_counts(spot)


_ASKING = re.compile(r"\b(?:how|what|which|calculate|find|determine|who|when will)\b", re.IGNORECASE)


def in_a_condition(text: str, start: int, place: int, end: int) -> bool:
    """Tell whether a place of a question's sentence is in a condition, `if …`, not in what is asked."""
    before = text[start:place]
    conditions = [match.start() for match in re.finditer(r"\b(?:if|given that|assuming)\b", before, re.IGNORECASE)]
    asking = [match.start() for match in _ASKING.finditer(before)]
    if conditions and (not asking or conditions[-1] > asking[-1]):
        return True
    return not asking and _ASKING.search(text[place:end]) is not None and ", " in text[place:end]


def _twin(variant: VariantProposal, place: NumberPlace, way: VaguePhrase, random: Random) -> Iterator[VariantProposal]:
    """Yield the problem with the same vague words and the exact value right behind them."""
    subject, (first,) = variant.subject, variant.edits
    text = subject.question.text
    if way.behind is None:
        return
    closes = text[way.behind : way.behind + 1] in {".", "?", "!", ";"}
    before, _, after = random.choice(AT_AN_END if closes else EXACTLY).partition("{}")
    said = f"{before}{way.number}{after}"
    if way.behind > way.end:
        edits: tuple[QuestionEdit, ...] = (first, QuestionEdit(way.behind, way.behind, "", said))
    else:
        edits = (QuestionEdit(first.start, first.end, first.before, f"{first.after}{said}"),)
    edited, last = EditedQuestion(text, edits), edits[-1]
    offset = len(last.after) - len(said) + len(before) + way.number.startswith("$")
    span = edited.inserted(last, offset, offset + place.end - place.start)
    system = system_without(subject, edited, frozenset(), dict.fromkeys(place.variables, span))
    if system is not None:
        yield VariantProposal(subject, NAME, ProblemClass.SOLVABLE, edits, system, twin=variant.text)
