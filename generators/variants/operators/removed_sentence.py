"""Underspecified variants that lose a sentence with a needed value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random

from generators.variants.question.clauses import condition_of
from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.question_edit import QuestionEdit
from generators.variants.removal.dispensable_statements import QuestionStatement
from generators.variants.removal.mended_references import mending
from generators.variants.removal.near_twins import NumberLoss, variant_and_twin
from generators.variants.removal.recoverability import recovery_reason
from generators.variants.removal.relocated_numbers import sentence_led, stated, words_stated
from generators.variants.removal.underspecification import is_base_of_rest, is_factor, is_repetition_count, leaves_sum
from generators.variants.variant_operator import VariantExample, variant_operator
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantResult, twinned_first
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.text.nouns import is_plural, singular_noun
from harness.text.sentences import Sentence

NAME = "removed_sentence"
_HOW_MANY = re.compile(r"\b(?:how many|number of) (?P<things>(?:[a-z-]+ ?){1,4})", re.IGNORECASE)
MOST = 2
EXAMPLES = (
    VariantExample(
        "# L1\nboxes = 4  # 4 boxes of mugs\nper_box = 6  # each box holds 6 mugs\nmugs = boxes * per_box\n"
        "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
        "Petra carries 4 boxes of mugs home. Each box holds 6 mugs. On the way, 5 mugs break. How many mugs are whole?",
        (
            "Petra carries 4 boxes of mugs home. On the way, 5 mugs break. Note that Petra carries 4 boxes of mugs home. How many mugs are whole?",
            "Petra carries 4 boxes of mugs home. On the way, 5 mugs break. Note that each box holds 6 mugs. How many mugs are whole?",
        ),
    ),
)


@variant_operator(NAME, problem_class=ProblemClass.UNDERSPECIFIED, examples=EXAMPLES)
def removed_sentence(subject: VariantSubject, random: Random) -> Iterable[VariantResult]:
    """Remove a sentence that carries a needed value; the near-twin says it elsewhere, or loses one that carries nothing."""
    sentences = [
        sentence for sentence in subject.question.sentences if not sentence.asks and _places(subject, sentence)
    ]
    random.shuffle(sentences)
    yield from twinned_first((_results(subject, sentence, random) for sentence in sentences), MOST)


def _places(subject: VariantSubject, sentence: Sentence) -> list[NumberPlace]:
    return [place for place in subject.question.places if sentence.start <= place.start < sentence.end]


def _results(subject: VariantSubject, sentence: Sentence, random: Random) -> list[VariantResult]:
    question, places = subject.question, _places(subject, sentence)
    text = question.text
    statement = QuestionStatement(text[: sentence.start], sentence.text, text[sentence.end :])
    unlocated = {subject.values[name] for name in question.unlocated}
    loose = [mention for mention in question.loose if sentence.start <= mention.start < sentence.end]
    if any(not unlocated.isdisjoint(mention.readings) for mention in loose):
        return [DiscardedVariant(NAME, sentence.text, VariantDiscard.UNLOCATED)]
    if len(places) == len(question.places) or not _told(question, sentence):
        return [DiscardedVariant(NAME, sentence.text, VariantDiscard.GRAMMAR, "nothing is left to reckon with")]
    mended = mending(text, sentence.start, sentence.end)
    if mended is None:
        return [DiscardedVariant(NAME, sentence.text, VariantDiscard.GRAMMAR, "the rest may refer to it")]
    recoveries = {place: recovery_reason(subject, place) for place in places}
    why = next((reason for reason in recoveries.values() if reason), "nobody would miss it")
    hidden = [place for place in places if not recoveries[place]]
    factors = [
        place for place in places if is_factor(subject, place, places) and not is_repetition_count(subject, place)
    ]
    missed = [place for place in hidden if statement.missed(factor=place in factors)]
    base = not missed
    if base:
        missed = [place for place in hidden if is_base_of_rest(subject, place, statement, places)]
    if not missed or all(place.value == 1 for place in missed):
        return [DiscardedVariant(NAME, sentence.text, VariantDiscard.RECOVERABLE, why)]
    if leaves_sum(subject, places):
        return [DiscardedVariant(NAME, sentence.text, VariantDiscard.RECOVERABLE, "the rest can be added up")]
    if _loses_what_is_asked(question, sentence):
        return [DiscardedVariant(NAME, sentence.text, VariantDiscard.GRAMMAR, "the question asks for what it told of")]
    gone = _gone(text, sentence)
    loss = NumberLoss(NAME, tuple(missed), (gone, *mended), tuple(places))
    own = [*sentence_led(question, places, gone)]
    # A change in the problem is not told after the change.
    if not base:
        own += words_stated(question, places, loss.edits, sentence.start, sentence.end)
    if len(places) == 1 and not base:
        own += stated(question, places[0], loss.edits)
    return variant_and_twin(subject, loss, own, random)


def _told(question: LocatedQuestion, sentence: Sentence) -> list[str]:
    """Return the statements of the other sentences: their words, or the condition of their question."""
    told = []
    for other in question.sentences:
        condition = condition_of(other) if other.asks else None
        if other != sentence and condition is not None:
            told.append(question.text[condition.first : condition.last])
        elif other != sentence and not other.asks:
            told.append(other.text)
    return told


def _loses_what_is_asked(question: LocatedQuestion, sentence: Sentence) -> bool:
    """Tell whether the question asks for a number of things that only one sentence mentions."""
    asked = " ".join(other.text for other in question.sentences if other.asks)
    match = _HOW_MANY.search(asked)
    if match is None:
        return False
    nouns = [singular_noun(word) for word in match["things"].lower().split() if is_plural(word.lower())]
    told = [text.lower() for text in _told(question, sentence)]
    return any(noun in sentence.text.lower() and not any(noun in text for text in told) for noun in nouns)


def _gone(text: str, sentence: Sentence) -> QuestionEdit:
    """Return the edit that takes a sentence out, with the white space after it."""
    end = sentence.end + len(text[sentence.end :]) - len(text[sentence.end :].lstrip())
    return QuestionEdit(sentence.start, end, text[sentence.start : end], "")
