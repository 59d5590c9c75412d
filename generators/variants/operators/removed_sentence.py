"""Underspecified variants that lose a sentence with a needed value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from generators.variants.question.input_places import NumberPlace
from generators.variants.question.question_edit import EditedQuestion
from generators.variants.removal.dispensable_statements import QuestionStatement
from generators.variants.removal.irrelevant_text import padding_sentences, removal
from generators.variants.removal.recoverability import recovery_reason
from generators.variants.removal.statement_moves import moves
from generators.variants.removal.underspecification import is_factor, is_repetition_count, system_without, witnesses
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
from harness.text.sentences import Sentence

NAME = "removed_sentence"
MOST = 2
EXAMPLES = (
    VariantExample(
        "# L1\nboxes = 4  # 4 boxes of mugs\nper_box = 6  # each box holds 6 mugs\nmugs = boxes * per_box\n"
        "# L2\nbroken = 5  # 5 mugs broke\nleft = mugs - broken",
        "Petra carries 4 boxes of mugs home. Each box holds 6 mugs. On the way, 5 mugs break. How many mugs are whole?",
        (
            "Petra carries 4 boxes of mugs home. On the way, 5 mugs break. How many mugs are whole?",
            "Petra carries 4 boxes of mugs home. On the way, 5 mugs break. How many mugs are whole if each box holds 6 mugs?",
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
    yield from first_variants((_variant_and_twin(subject, sentence, random) for sentence in sentences), MOST)


def _variant_and_twin(subject: VariantSubject, sentence: Sentence, random: Random) -> list[VariantResult]:
    variant = _variant(subject, sentence)
    return [variant, *_twin(variant, sentence, random)] if isinstance(variant, VariantProposal) else [variant]


def _places(subject: VariantSubject, sentence: Sentence) -> list[NumberPlace]:
    return [place for place in subject.question.places if sentence.start <= place.start < sentence.end]


def _variant(subject: VariantSubject, sentence: Sentence) -> VariantResult:
    question, places = subject.question, _places(subject, sentence)
    text = question.text
    statement = QuestionStatement(text[: sentence.start], sentence.text, text[sentence.end :])
    unlocated = {subject.values[name] for name in question.unlocated}
    loose = [mention for mention in question.loose if sentence.start <= mention.start < sentence.end]
    if any(not unlocated.isdisjoint(mention.readings) for mention in loose):
        return DiscardedVariant(NAME, sentence.text, VariantDiscard.UNLOCATED)
    if len(places) == len(question.places):
        return DiscardedVariant(NAME, sentence.text, VariantDiscard.GRAMMAR, "nothing is left to reckon with")
    if not statement.leaves_whole:
        return DiscardedVariant(NAME, sentence.text, VariantDiscard.GRAMMAR, "the rest may refer to it")
    recoveries = [recovery for place in places if (recovery := recovery_reason(subject, place))]
    why = recoveries[0] if recoveries else "nobody would miss it"
    factors = [
        place for place in places if is_factor(subject, place, places) and not is_repetition_count(subject, place)
    ]
    missed = [place for place in places if statement.missed(factor=place in factors)]
    if recoveries or not missed or all(place.value == 1 for place in missed):
        return DiscardedVariant(NAME, sentence.text, VariantDiscard.RECOVERABLE, why)
    edits = (removal(text, sentence).edit(text),)
    gone = frozenset(name for place in places for name in place.variables)
    system = system_without(subject, EditedQuestion(text, edits), gone)
    values = witnesses(subject, system, missed) if system is not None else ()
    if system is None or not values:
        return DiscardedVariant(NAME, sentence.text, VariantDiscard.SAME_ANSWER)
    return VariantProposal(subject, NAME, ProblemClass.UNDERSPECIFIED, edits, system, witnesses=values)


def _twin(variant: VariantProposal, sentence: Sentence, random: Random) -> Iterator[VariantProposal]:
    subject, question = variant.subject, variant.subject.question
    idle = list(padding_sentences(question))
    later = list(moves(question, sentence))
    if idle and (not later or random.random() < 0.5):
        chosen = min(idle, key=lambda candidate: abs(len(candidate.text) - len(sentence.text)))
        edited = EditedQuestion(question.text, (removal(question.text, chosen).edit(question.text),))
        system = system_without(subject, edited, frozenset())
    elif later:
        move = random.choice(later)
        edited, system = move.edited, move.system(subject)
    else:
        return
    if system is not None:
        yield VariantProposal(subject, NAME, ProblemClass.SOLVABLE, edited.edits, system, twin=variant.text)
