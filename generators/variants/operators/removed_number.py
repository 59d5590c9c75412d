"""Underspecified variants that lose a number alone; the text still mentions what it counts or compares."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from generators.variants.question.clauses import clauses_around
from generators.variants.question.input_places import NumberPlace
from generators.variants.question.vague_context import NumberContext, states_number
from generators.variants.removal.near_twins import NumberLoss, variant_and_twin
from generators.variants.removal.number_removals import number_removals
from generators.variants.removal.recoverability import recovery_reason
from generators.variants.removal.relocated_numbers import (
    condition_stated,
    given_behind,
    led,
    phrase_edit,
    sentence_stated,
    stated,
)
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantResult, twinned_first
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass

NAME = "removed_number"
MOST = 3
EXAMPLES = (
    VariantExample(
        "# L1\nboxes = 4  # 4 boxes\nper_box = 6  # 6 mugs in each box\nmugs = boxes * per_box\n"
        "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
        "Petra packs 4 boxes. Each box holds 6 mugs. On the way, 5 mugs break. How many mugs are whole?",
        (
            "Petra packs 4 boxes. Each box holds mugs. On the way, 5 mugs break. Note that Petra packs 4 boxes. How many mugs are whole?",
            "Petra packs 4 boxes. Each box holds mugs. On the way, 5 mugs break. Note that each box holds 6 mugs. How many mugs are whole?",
        ),
    ),
)


@variant_operator(NAME, problem_class=ProblemClass.UNDERSPECIFIED, examples=EXAMPLES)
def removed_number(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Remove a number, `Petra packs boxes`; the near-twin states it elsewhere, the variant another one."""
    places = [place for place in subject.question.places if place.value != 1]
    random.shuffle(places)
    yield from twinned_first((_variants(subject, place, random) for place in places), MOST)


def _variants(subject: VariantSubject, place: NumberPlace, random: Random) -> list[VariantResult]:
    question = subject.question
    if "respectively" in question.words_at(place.start, place.end) or not states_number(question, place):
        return []
    spot = NumberContext(question.text, place)
    removal = next(number_removals(spot), None)
    if removal is not None:
        edit, noun = phrase_edit(question.text, removal, removal.words[0]), removal.noun
        own = [*given_behind(question.text, place, removal, removal.words[0])]
    else:
        clause = next((clause for clause in clauses_around(spot) if clause.alone), None)
        if clause is None:
            return []
        edit, noun, own = clause.edit(question.text), clause.noun, []
    reason = recovery_reason(subject, place, noun)
    if reason:
        return [DiscardedVariant(NAME, edit.before, VariantDiscard.RECOVERABLE, reason)]
    own += [*stated(question, place, (edit,)), *sentence_stated(question, place, (edit,))]
    spare = [*led(question, place), *condition_stated(question, place)]
    return variant_and_twin(subject, NumberLoss(NAME, (place,), (edit,)), own, random, spare=spare)
