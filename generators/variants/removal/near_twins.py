"""Underspecified variants and their near-twins: the twin says again, or in a note, the number that the variant lacks.

The variant says another number of its problem in the same way, so that the words of a text do not tell whether its numbers suffice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from generators.variants.question.input_places import NumberPlace
from generators.variants.question.number_context import lowered, states_number
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.removal.number_removal import NumberRemoval, unsaid_number, vague_numbers
from generators.variants.removal.underspecification import witnesses
from generators.variants.values.known_numbers import recovery_reason
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ConstraintSystem, ProblemClass
from harness.text.lexicon import english
from harness.text.sentences import Sentence

NOTE = "Note that "
"""What a sentence begins with that becomes a note."""
IN_PARENTHESES = " ({}, to be exact)"
_IN_ORDER = english("variants").pattern("in_order", r"\b", r"\b")


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


@dataclass(frozen=True, slots=True)
class _Saying:
    """Edits that say numbers of a question in a `manner` of words; `spans` are variables in the text of the last edit."""

    manner: str
    edits: tuple[QuestionEdit, ...]
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)

    def system(
        self, subject: VariantSubject, edits: Sequence[QuestionEdit], gone: frozenset[str]
    ) -> ConstraintSystem | None:
        """Return the constraints of the question after edits that hold those of the saying."""
        edited = EditedQuestion(subject.question.text, tuple(edits))
        spans = {name: edited.inserted(self.edits[-1], *span) for name, span in self.spans.items()}
        return subject.system_after(edited, gone=gone, spans=spans)


def single_loss(
    subject: VariantSubject, operator: str, place: NumberPlace, removals: Sequence[NumberRemoval], random: Random
) -> list[VariantResult]:
    """Return the problem after one of the removals of a number and its near-twin, or why there is none."""
    what = subject.question.text[place.start : place.end]
    if not states_number(subject.question, place):
        return [DiscardedVariant(operator, what, VariantDiscard.GRAMMAR, "the question asks about it")]
    if not removals:
        return [DiscardedVariant(operator, what, VariantDiscard.GRAMMAR, "its sentence needs a number there")]
    removal = random.choice(removals)
    reason = recovery_reason(subject, place)
    if reason:
        return [DiscardedVariant(operator, removal.edit.before, VariantDiscard.RECOVERABLE, reason)]
    return variant_and_twin(subject, NumberLoss(operator, (place,), (removal.edit,), (place,), removal), random)


def variant_and_twin(subject: VariantSubject, loss: NumberLoss, random: Random) -> list[VariantResult]:
    """Return the problem without numbers and the near-twin that says them after all, as far as both can be written."""
    what = " … ".join(edit.before for edit in loss.edits)
    lacking = subject.system_after(EditedQuestion(subject.question.text, loss.edits), gone=loss.gone)
    if lacking is None:
        return [DiscardedVariant(loss.operator, what, VariantDiscard.UNLOCATED, "it holds another number, too")]
    values = witnesses(subject, lacking, loss.missed)
    if not values:
        return [DiscardedVariant(loss.operator, what, VariantDiscard.SAME_ANSWER)]
    plain = VariantProposal(subject, loss.operator, ProblemClass.UNDERSPECIFIED, loss.edits, lacking, witnesses=values)
    own, others = list(_own_sayings(subject, loss)), list(_other_sayings(subject, loss))
    pairs = [(saying, other) for saying in own for other in others if saying.manner == other.manner]
    random.shuffle(pairs)
    for saying, other in pairs:
        edits = tuple(sorted((*loss.edits, *other.edits)))
        system, whole = other.system(subject, edits, loss.gone), saying.system(subject, saying.edits, frozenset())
        if system is not None and whole is not None:
            variant = replace(plain, edits=edits, system=system)
            text = variant.text
            return [
                variant,
                VariantProposal(subject, loss.operator, ProblemClass.SOLVABLE, saying.edits, whole, twin=text),
            ]
    return [plain]


def _own_sayings(subject: VariantSubject, loss: NumberLoss) -> Iterator[_Saying]:
    """Yield the ways to say the lost numbers after all: one in parentheses, or their sentence as a note."""
    if loss.removal is not None:
        yield from _in_parentheses(loss.missed[0], loss.removal)
    sentence = subject.question.sentence_at(loss.missed[0].start)
    if sentence is not None:
        yield from _noted(subject, sentence)


def _other_sayings(subject: VariantSubject, loss: NumberLoss) -> Iterator[_Saying]:
    """Yield the ways to say what stays in the same manners: another number in parentheses, or a sentence without a lost number as a note."""

    def is_apart(start: int, end: int) -> bool:
        return all(edit.end <= start or end <= edit.start for edit in loss.edits)

    for place in subject.question.places:
        if place not in loss.places and is_apart(place.start, place.end) and states_number(subject.question, place):
            removal = unsaid_number(subject, place)
            for other in vague_numbers(subject, place)[-1:] if removal is None else (removal,):
                yield from _in_parentheses(place, other)
    for sentence in subject.question.sentences:
        if is_apart(sentence.start, sentence.end):
            yield from _noted(subject, sentence)


def _in_parentheses(place: NumberPlace, removal: NumberRemoval) -> Iterator[_Saying]:
    """Yield how to make a removal and say its number in parentheses after what it counts."""
    end, said = removal.end_of_phrase, IN_PARENTHESES.format(removal.written)
    if end is None:
        return
    edits: tuple[QuestionEdit, ...] = (removal.edit, QuestionEdit(end, end, "", said))
    if end == removal.edit.end:
        edits = (replace(removal.edit, after=f"{removal.edit.after}{said}"),)
    first = len(edits[-1].after) - len(said) + IN_PARENTHESES.index("{")
    span = first + len(removal.written) - (place.end - place.start), first + len(removal.written)
    yield _Saying(IN_PARENTHESES, edits, dict.fromkeys(place.variables, span))


def _noted(subject: VariantSubject, sentence: Sentence) -> Iterator[_Saying]:
    """Yield how to begin a sentence as a note: `Note that each box holds 6 mugs`."""
    words = lowered(sentence.text, subject.question)
    if words is None or sentence.asks or not sentence.text.endswith(".") or _IN_ORDER.search(sentence.text):
        return
    first = sentence.text[: sentence.text[0] != words[0]]
    edit = QuestionEdit(sentence.start, sentence.start + len(first), first, f"{NOTE}{words[: len(first)]}")
    yield _Saying(NOTE, (edit,))
