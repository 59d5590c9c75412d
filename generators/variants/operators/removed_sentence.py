"""Underspecified variants that lose a sentence with a needed value."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from generators.variants.question.input_places import LocatedQuestion
from generators.variants.question.number_context import states_number
from generators.variants.question.question_edit import QuestionEdit
from generators.variants.removal.near_twins import NumberLoss, variant_and_twin
from generators.variants.removal.sentence_removal import is_referred_to
from generators.variants.removal.underspecification import leaves_answer
from generators.variants.values.known_numbers import recovery_reason
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantResult, first_variants
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.text.sentences import Sentence

NAME = "removed_sentence"
MOST = 3
EXAMPLES = (
    VariantExample(
        "# L1\nboxes = 4  # 4 boxes of mugs\nper_box = 6  # each box holds 6 mugs\nmugs = boxes * per_box\n"
        "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
        "Petra carries 4 boxes of mugs home. Each box holds 6 mugs. On the way, 5 mugs break. How many mugs are whole?",
        (
            "Note that Petra carries 4 boxes of mugs home. On the way, 5 mugs break. How many mugs are whole?",
            "Petra carries 4 boxes of mugs home. Note that each box holds 6 mugs. On the way, 5 mugs break. How many mugs are whole?",
        ),
    ),
)


@variant_operator(NAME, problem_class=ProblemClass.UNDERSPECIFIED, examples=EXAMPLES)
def removed_sentence(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Remove a sentence that carries a needed value; the near-twin keeps it as a note, the variant makes another one a note."""
    question = subject.question
    sentences = [
        sentence
        for sentence in question.sentences
        if not sentence.asks and any(sentence.start <= place.start < sentence.end for place in question.places)
    ]
    random.shuffle(sentences)
    yield from first_variants((_results(subject, sentence, random) for sentence in sentences), MOST)


def _results(subject: VariantSubject, sentence: Sentence, random: Random) -> list[VariantResult]:
    question = subject.question

    def discarded(why: VariantDiscard, detail: str) -> list[VariantResult]:
        return [DiscardedVariant(NAME, sentence.text, why, detail)]

    places = [place for place in question.places if sentence.start <= place.start < sentence.end]
    unlocated = {subject.values[name] for name in question.unlocated}
    inside = (mention for mention in question.loose if sentence.start <= mention.start < sentence.end)
    if any(not unlocated.isdisjoint(mention.readings) for mention in inside):
        return discarded(VariantDiscard.UNLOCATED, "it holds an input that has no place")
    if len(places) == len(question.places) or not _tells_more(question, sentence):
        return discarded(VariantDiscard.GRAMMAR, "nothing is left to reckon with")
    if is_referred_to(question.text, sentence):
        return discarded(VariantDiscard.GRAMMAR, "the rest may refer to it")
    recoveries = {place: recovery_reason(subject, place) for place in places}
    missed = [place for place in places if not recoveries[place] and place.value != 1]
    if not missed:
        why = next((reason for reason in recoveries.values() if reason), "one goes without saying")
        return discarded(VariantDiscard.RECOVERABLE, why)
    if leaves_answer(subject, places):
        return discarded(VariantDiscard.RECOVERABLE, "the rest gives an answer of its own")
    following = question.text[sentence.end :]
    end = sentence.end + len(following) - len(following.lstrip())
    edit = QuestionEdit(sentence.start, end, question.text[sentence.start : end], "")
    return variant_and_twin(subject, NumberLoss(NAME, tuple(missed), (edit,), tuple(places)), random)


def _tells_more(question: LocatedQuestion, sentence: Sentence) -> bool:
    """Tell whether another sentence, or the condition of what is asked, states something."""
    conditions = {place.start for place in question.places if states_number(question, place)}
    return any(
        other != sentence and (not other.asks or any(other.start <= start < other.end for start in conditions))
        for other in question.sentences
    )
