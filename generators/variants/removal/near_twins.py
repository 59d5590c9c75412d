"""Underspecified variants and their near-twins: the twin gives elsewhere the number that the variant lacks.

The variant gives another number of its problem in the same way, so that the words of a text do not tell whether its numbers suffice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from generators.variants.question.input_places import NumberPlace
from generators.variants.question.question_edit import EditedQuestion, QuestionEdit
from generators.variants.question.vague_context import dollar_sign
from generators.variants.removal.number_statements import GIVEN_LEADS
from generators.variants.removal.relocated_numbers import NumberElsewhere, given_elsewhere, led_unnumbered
from generators.variants.removal.underspecification import system_without, witnesses
from generators.variants.variant_proposal import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import ConstraintSystem, Fact, FactSource, ProblemClass
from harness.text.nouns import phrase_at
from harness.text.numbers import mentions
from harness.text.sentences import sentences_of


@dataclass(frozen=True, slots=True)
class NumberLoss:
    """Edits after which a question no longer says the numbers of some places, one of which a reader would miss."""

    operator: str
    missed: tuple[NumberPlace, ...]
    edits: tuple[QuestionEdit, ...]
    places: tuple[NumberPlace, ...] = ()

    @property
    def gone(self) -> frozenset[str]:
        """Return the variables that are no longer given."""
        return frozenset(name for place in (*self.missed, *self.places) for name in place.variables)

    @property
    def what(self) -> str:
        """Return the words that the edits take away."""
        return " … ".join(edit.before for edit in self.edits if edit.before)


def variant_and_twin(
    subject: VariantSubject,
    loss: NumberLoss,
    own: Sequence[NumberElsewhere],
    random: Random,
    *,
    spare: Sequence[NumberElsewhere] = (),
) -> list[VariantResult]:
    """Return the problem without numbers and the near-twin that gives them elsewhere, as far as both can be told.

    `own` are ways to give the numbers after all, `spare` those for where nothing can be told in the manner of any of them.
    """
    lacking = system_without(subject, EditedQuestion(subject.question.text, loss.edits), loss.gone)
    if lacking is None:
        return [DiscardedVariant(loss.operator, loss.what, VariantDiscard.UNLOCATED, "it holds another number, too")]
    values = witnesses(subject, lacking, loss.missed)
    if not values:
        return [DiscardedVariant(loss.operator, loss.what, VariantDiscard.SAME_ANSWER)]
    plain = VariantProposal(subject, loss.operator, ProblemClass.UNDERSPECIFIED, loss.edits, lacking, witnesses=values)
    pair = _pair(subject, loss, own, spare, random)
    if pair is None:
        return [plain]
    chosen, other = pair
    variant, twin = _giving_another(plain, loss, other), _twin(subject, loss, chosen)
    return [plain] if variant is None or twin is None else [variant, replace(twin, twin=variant.text)]


def _pair(
    subject: VariantSubject,
    loss: NumberLoss,
    own: Sequence[NumberElsewhere],
    spare: Sequence[NumberElsewhere],
    random: Random,
) -> tuple[NumberElsewhere, NumberElsewhere] | None:
    """Return a way to give the lost numbers and one to give another, or to say something without a number, in the same manner."""
    others = _others(subject, loss)
    for ways, possible in ((own, others), (spare, others)):
        pair = _alike(loss, ways, possible, random)
        if pair is not None:
            return pair
    untouched = [way for way in led_unnumbered(subject.question) if _apart(loss.edits, way.edits)]
    return _alike(loss, own, untouched, random) or _alike(loss, spare, untouched, random)


def _others(subject: VariantSubject, loss: NumberLoss) -> list[NumberElsewhere]:
    """Return the ways to give a number that stays."""
    gone = {*loss.missed, *loss.places}
    return [
        other
        for place in subject.question.places
        if place not in gone
        for other in given_elsewhere(subject.question, place)
        if gone.isdisjoint(number.place for number in other.numbers)
        and _apart(loss.edits, other.edits)
        and not _alike_counted(subject, loss, place, other)
    ]


def _alike(
    loss: NumberLoss, own: Sequence[NumberElsewhere], others: Sequence[NumberElsewhere], random: Random
) -> tuple[NumberElsewhere, NumberElsewhere] | None:
    """Return a way to give the lost numbers and one to give another in the same manner, such that both texts have as many numbers.

    Where that cannot be, they differ by one, and where that cannot be either, there is no such pair.
    """
    lost = _more_numbers(loss.edits)
    pairs: dict[int, list[tuple[NumberElsewhere, NumberElsewhere]]] = {}
    for way in own:
        for other in others:
            if way.manner == other.manner:
                more = lost + _more_numbers(other.edits) - _more_numbers(way.edits)
                pairs.setdefault(abs(more), []).append((way, other))
    fewest = min(pairs, default=2)
    return random.choice(pairs[fewest]) if fewest <= 1 else None


def _more_numbers(edits: Sequence[QuestionEdit]) -> int:
    """Return how many numbers more a text has with edits."""
    return sum(_numbers(edit.after) - _numbers(edit.before) for edit in edits)


@lru_cache(maxsize=1_024)
def _numbers(words: str) -> int:
    return len(mentions(words))


def _alike_counted(subject: VariantSubject, loss: NumberLoss, place: NumberPlace, other: NumberElsewhere) -> bool:
    """Tell whether a phrase that gives a number with what it counts alone could be heard as giving a lost one."""
    if other.manner not in GIVEN_LEADS:
        return False
    text = subject.question.text
    return any(_counted(text, place) == _counted(text, lost) for lost in (*loss.missed, *loss.places))


def _counted(text: str, place: NumberPlace) -> str:
    phrase = phrase_at(text, place.end)
    return "$" if dollar_sign(text, place.start) else "" if phrase is None else phrase.noun


def _apart(edits: Sequence[QuestionEdit], others: Sequence[QuestionEdit]) -> bool:
    return all(edit.end < other.start or other.end < edit.start for edit in edits for other in others)


def _giving_another(plain: VariantProposal, loss: NumberLoss, other: NumberElsewhere) -> VariantProposal | None:
    """Return an underspecified variant that gives another number elsewhere too."""
    subject = plain.subject
    edited = EditedQuestion(subject.question.text, tuple(sorted((*loss.edits, *other.edits))))
    spans = _spans(edited, other)
    system = system_without(subject, edited, loss.gone, {} if other.again else spans)
    if system is None:
        return None
    if other.again:
        system = _stated_again(system, subject, edited, spans)
    return replace(plain, edits=edited.edits, system=system)


def _spans(edited: EditedQuestion, way: NumberElsewhere) -> dict[str, tuple[int, int]]:
    return {
        name: edited.inserted(way.inserted, number.start, number.end)
        for number in way.numbers
        for name in number.place.variables
    }


def _stated_again(
    system: ConstraintSystem, subject: VariantSubject, edited: EditedQuestion, spans: Mapping[str, tuple[int, int]]
) -> ConstraintSystem:
    sentences = sentences_of(edited.text)
    again = []
    for name, span in spans.items():
        words = next(sentence.text for sentence in sentences if sentence.start <= span[0] < sentence.end)
        again.append(Fact(f"again:{name}", name, subject.values[name], FactSource.TEXT, words, span))
    return replace(system, facts=(*system.facts, *again))


def _twin(subject: VariantSubject, loss: NumberLoss, own: NumberElsewhere) -> VariantProposal | None:
    edited = EditedQuestion(subject.question.text, own.edits)
    system = system_without(subject, edited, frozenset(), _spans(edited, own))
    if system is None:
        return None
    return VariantProposal(subject, loss.operator, ProblemClass.SOLVABLE, own.edits, system)
