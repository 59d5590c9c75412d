"""Underspecified variants and their near-twins: the twin says again, or in a note, the number that the variant lacks.

The variant says another number of its problem in the same way, so that the words of a text do not tell whether its numbers suffice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from generators.variants.question.number_context import NumberContext, lowered, states_number
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.removal.number_removal import NumberRemoval, unsaid_number
from generators.variants.removal.underspecification import system_without, witnesses
from generators.variants.values.known_numbers import recovery_reason
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ProblemClass
from harness.text.lexicon import english
from harness.text.numbers import mentions
from harness.text.sentences import Sentence

NOTE = "Note that "
"""What a sentence begins with that becomes a note."""
IN_PARENTHESES = " ({}, to be exact)"
_IN_ORDER = re.compile(rf"\b(?:{english('variants').either('in_order')})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NumberLoss:
    """Edits after which a question no longer says the numbers of some places, of which a reader would miss the `missed`."""

    operator: str
    missed: tuple[NumberPlace, ...]
    edits: tuple[QuestionEdit, ...]
    places: tuple[NumberPlace, ...]
    removal: NumberRemoval | None = None

    @property
    def gone(self) -> frozenset[str]:
        """Return the variables that are no longer given."""
        return frozenset(name for place in self.places for name in place.variables)

    @property
    def what(self) -> str:
        """Return the words that the edits take away."""
        return " … ".join(edit.before for edit in self.edits if edit.before)


@dataclass(frozen=True, slots=True)
class _Saying:
    """Edits that say numbers of a question in a `manner` of words; `spans` are where variables stand in the text of the `inserted` one."""

    manner: str
    edits: tuple[QuestionEdit, ...]
    inserted: QuestionEdit
    spans: tuple[tuple[str, int, int], ...]


def single_loss(
    subject: VariantSubject, operator: str, place: NumberPlace, removals: Sequence[NumberRemoval], random: Random
) -> list[VariantResult]:
    """Return the problem after one of the removals of a number and its near-twin, or why there is none."""
    question = subject.question
    what = question.text[place.start : place.end]
    if not states_number(question, place):
        return [DiscardedVariant(operator, what, VariantDiscard.GRAMMAR, "the question asks about it")]
    if not removals:
        return [DiscardedVariant(operator, what, VariantDiscard.GRAMMAR, "its sentence needs a number there")]
    removal = random.choice(removals)
    edit = removal.edit(question.text)
    reason = recovery_reason(subject, place)
    if reason:
        return [DiscardedVariant(operator, edit.before, VariantDiscard.RECOVERABLE, reason)]
    return variant_and_twin(subject, NumberLoss(operator, (place,), (edit,), (place,), removal), random)


def variant_and_twin(subject: VariantSubject, loss: NumberLoss, random: Random) -> list[VariantResult]:
    """Return the problem without numbers and the near-twin that says them after all, as far as both can be written."""
    text = subject.question.text
    lacking = system_without(subject, EditedQuestion(text, loss.edits), loss.gone)
    if lacking is None:
        return [DiscardedVariant(loss.operator, loss.what, VariantDiscard.UNLOCATED, "it holds another number, too")]
    values = witnesses(subject, lacking, loss.missed)
    if not values:
        return [DiscardedVariant(loss.operator, loss.what, VariantDiscard.SAME_ANSWER)]
    plain = VariantProposal(subject, loss.operator, ProblemClass.UNDERSPECIFIED, loss.edits, lacking, witnesses=values)
    own, others = list(_own_sayings(subject.question, loss)), list(_other_sayings(subject.question, loss))
    pairs = [(way, other) for way in own for other in others if way.manner == other.manner]
    random.shuffle(pairs)
    for way, other in pairs:
        edited = EditedQuestion(text, tuple(sorted((*loss.edits, *other.edits))))
        system = system_without(subject, edited, loss.gone, _spans(edited, other))
        restored = EditedQuestion(text, way.edits)
        whole = system_without(subject, restored, frozenset(), _spans(restored, way))
        if system is not None and whole is not None:
            variant = replace(plain, edits=edited.edits, system=system)
            twin = VariantProposal(subject, loss.operator, ProblemClass.SOLVABLE, way.edits, whole, twin=variant.text)
            return [variant, twin]
    return [plain]


def _spans(edited: EditedQuestion, way: _Saying) -> dict[str, tuple[int, int]]:
    return {name: edited.inserted(way.inserted, start, end) for name, start, end in way.spans}


def _own_sayings(question: LocatedQuestion, loss: NumberLoss) -> Iterator[_Saying]:
    """Yield the ways to say the lost numbers after all: one in parentheses, or their sentence as a note."""
    if loss.removal is not None:
        yield from _in_parentheses(question.text, loss.missed[0], loss.removal)
    sentence = question.sentence_at(loss.missed[0].start)
    if sentence is not None:
        yield from _noted(question, sentence)


def _other_sayings(question: LocatedQuestion, loss: NumberLoss) -> Iterator[_Saying]:
    """Yield the ways to say what stays in the same manners: another number in parentheses, or a sentence without a lost number as a note."""
    for place in question.places:
        if place not in loss.places and states_number(question, place) and _is_apart(place.start, place.end, loss):
            removal = unsaid_number(question, NumberContext(question.text, place))
            if removal is not None:
                yield from _in_parentheses(question.text, place, removal)
    for sentence in question.sentences:
        if _is_apart(sentence.start, sentence.end, loss):
            yield from _noted(question, sentence)


def _is_apart(start: int, end: int, loss: NumberLoss) -> bool:
    return all(edit.end <= start or end <= edit.start for edit in loss.edits)


def _in_parentheses(text: str, place: NumberPlace, removal: NumberRemoval) -> Iterator[_Saying]:
    """Yield how to make a removal and say its number in parentheses after what it counts."""
    end = removal.end_of_phrase
    if end is None:
        return
    before, _, after = IN_PARENTHESES.partition("{}")
    said = f"{before}{removal.written}{after}"
    edits = [removal.edit(text)]
    if end > removal.end:
        edits.append(QuestionEdit(end, end, "", said))
    else:
        edits = [replace(edits[0], after=f"{removal.words}{said}")]
    sign = len(removal.written) - len(removal.written.lstrip("$ "))
    start = len(edits[-1].after) - len(said) + len(before) + sign
    spans = tuple((name, start, start + place.end - place.start) for name in place.variables)
    yield _Saying(IN_PARENTHESES, tuple(edits), edits[-1], spans)


def _noted(question: LocatedQuestion, sentence: Sentence) -> Iterator[_Saying]:
    """Yield how to begin a sentence as a note: `Note that each box holds 6 mugs`."""
    if sentence.asks or not sentence.text.endswith(".") or _IN_ORDER.search(sentence.text):
        return
    begins = any(mention.start == 0 for mention in mentions(sentence.text)[:1])
    words = sentence.text[0].lower() + sentence.text[1:] if begins else lowered(sentence.text, question)
    if words is None:
        return
    places = [place for place in question.places if sentence.start <= place.start < sentence.end]
    edit = QuestionEdit(sentence.start, sentence.end, sentence.text, f"{NOTE}{words}")
    shift = len(NOTE) - sentence.start
    spans = tuple((name, place.start + shift, place.end + shift) for place in places for name in place.variables)
    yield _Saying(NOTE, (edit,), edit, spans)
