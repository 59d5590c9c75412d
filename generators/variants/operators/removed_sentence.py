"""Underspecified variants that lose a sentence with a needed value."""

from collections.abc import Iterable
from random import Random

from generators.variants.near_twins import NearTwins
from generators.variants.removal.sentence_removal import places_in, removal_fault, without_sentence
from generators.variants.removal.underspecification import leaves_answer
from generators.variants.values.redundant_numbers import recovery_reason
from generators.variants.variant_operator import (
    DiscardedVariant,
    VariantDiscard,
    VariantExample,
    VariantResult,
    first_variants,
    variant_operator,
)
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.text.sentences import Sentence

NAME = "removed_sentence"
MOST = 1
EXAMPLES = (
    VariantExample(
        "# L1\nboxes = 4  # 4 boxes of mugs\nper_box = 6  # each box holds 6 mugs\nmugs = boxes * per_box\n"
        "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
        "Petra carries 4 boxes of mugs home. Each box holds 6 mugs. On the way, 5 mugs break. How many mugs are whole?",
        (
            "Each box holds 6 mugs (exactly 6). On the way, 5 mugs break. How many mugs are whole?",
            "Petra carries 4 boxes of mugs home. On the way, 5 mugs break. How many mugs are whole?",
        ),
    ),
)


@variant_operator(NAME, problem_class=ProblemClass.UNDERSPECIFIED, examples=EXAMPLES)
def removed_sentence(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Remove a sentence that carries a needed value."""
    question = subject.question
    sentences = [part for part in question.sentences if not part.asks and places_in(question, part)]
    random.shuffle(sentences)
    twins = NearTwins(subject, NAME, random)
    yield from first_variants((_results(twins, sentence) for sentence in sentences), MOST)


def _results(twins: NearTwins, sentence: Sentence) -> list[VariantResult]:
    subject = twins.subject

    def discarded(why: VariantDiscard, detail: str) -> list[VariantResult]:
        return [DiscardedVariant(NAME, sentence.text, why, detail)]

    fault = removal_fault(subject, sentence)
    if fault:
        return discarded(VariantDiscard.GRAMMAR, fault)
    places = places_in(subject.question, sentence)
    recoveries = {place: recovery_reason(subject, place) for place in places}
    missed = [place for place in places if not recoveries[place] and place.value != 1]
    if not missed:
        why = next((reason for reason in recoveries.values() if reason), "one goes without saying")
        return discarded(VariantDiscard.RECOVERABLE, why)
    if leaves_answer(subject, places):
        return discarded(VariantDiscard.RECOVERABLE, "the rest gives an answer of its own")
    return twins.underspecified(without_sentence(subject.question, sentence), missed)
