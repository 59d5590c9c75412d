"""Underspecified variants in which a needed value becomes a vague quantity: `some`, `several`, `a few`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

from generators.variants.question.input_places import NumberPlace
from generators.variants.question.vague_context import NumberContext, VaguePhrase, states_number
from generators.variants.removal.near_twins import NumberLoss, variant_and_twin
from generators.variants.removal.number_removals import number_removals
from generators.variants.removal.recoverability import recovery_reason
from generators.variants.removal.relocated_numbers import (
    given_behind,
    phrase_edit,
    said_vaguely,
    sentence_stated,
    stated,
)
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import (
    DiscardedVariant,
    VariantDiscard,
    VariantResult,
    twinned_first,
)
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass

NAME = "vague_quantity"
MOST = 1
SHARE = 0.55
"""The share of problems with vague words: they are in at most a third of all underspecified variants."""
EXAMPLES = (
    VariantExample(
        "# L1\njugs = 4  # 4 jugs\nprice = 6  # $6 each\nearned = jugs * price\n"
        "# L2\nspent = 5  # $5 spent on tea\nleft = earned - spent",
        "Petra sells 4 jugs at $6 each. She spends $5 on tea. How much money is left?",
        (
            "Petra sells 4 jugs at $6 each. She spends a few dollars on tea. Note that Petra sells 4 jugs at $6 each. How much money is left?",
            "Petra sells 4 jugs at $6 each. She spends a few dollars on tea. Note that she spends $5 on tea. How much money is left?",
        ),
    ),
)


@variant_operator(NAME, problem_class=ProblemClass.UNDERSPECIFIED, examples=EXAMPLES)
def vague_quantity(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Replace a needed value by vague words where its number cannot be removed by itself; the near-twin gives the value elsewhere, the variant another one."""
    if random.random() > SHARE:
        return
    text = subject.question.text
    places = [place for place in subject.question.places if not any(number_removals(NumberContext(text, place)))]
    random.shuffle(places)
    yield from twinned_first((_variants(subject, place, random) for place in places), MOST)


def _variants(subject: VariantSubject, place: NumberPlace, random: Random) -> list[VariantResult]:
    question = subject.question
    what = question.text[place.start : place.end]
    said = _said_vaguely(subject, place, random)
    if isinstance(said, str):
        return [DiscardedVariant(NAME, what, VariantDiscard.GRAMMAR, said)]
    phrase, words = said
    recovery = recovery_reason(subject, place, phrase.noun)
    if recovery:
        return [DiscardedVariant(NAME, what, VariantDiscard.RECOVERABLE, recovery)]
    edit = phrase_edit(question.text, phrase, words)
    own = [*given_behind(question.text, place, phrase, words), *stated(question, place, (edit,))]
    own += sentence_stated(question, place, (edit,))
    return variant_and_twin(subject, NumberLoss(NAME, (place,), (edit,)), own, random)


def _said_vaguely(subject: VariantSubject, place: NumberPlace, random: Random) -> tuple[VaguePhrase, str] | str:
    """Return vague words for a number, or why there are none."""
    question = subject.question
    if not states_number(question, place):
        return "the question asks about it"
    if re.search(r"\b(?:respectively|ratio)\b", question.words_at(place.start, place.end)):
        return "several numbers are said at once"
    phrases = list(said_vaguely(NumberContext(question.text, place)))
    if not phrases or place.value == 1:
        return "no vague words for its place"
    phrase = random.choice(phrases)
    return phrase, random.choice(phrase.words)
