"""Variants and their near-twins: both say in the same words, and in like number, what the problem says anyhow.

A contradictory text, an underspecified one and a solvable one are edited alike: a sentence becomes a note, a number is said in parentheses or
again, a result or a limit is stated truly. So the words of a text do not tell its class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from generators.variants.insertion.placement import PlacedStatement, placed_statements
from generators.variants.insertion.restatements import restatements
from generators.variants.insertion.stated_facts import (
    LIMIT,
    RESTATED,
    STATED,
    clashing_inputs,
    false_statements,
    limits,
    true_statement,
)
from generators.variants.question.input_places import NumberPlace
from generators.variants.question.number_context import lowered, states_number
from generators.variants.question.question_edit import QuestionChange, QuestionEdit, StatedNumber
from generators.variants.removal.number_removal import (
    NumberRemoval,
    removals_of,
)
from generators.variants.removal.sentence_removal import places_in, removal_fault, without_sentence
from generators.variants.removal.underspecification import witnesses
from generators.variants.values.known_numbers import recovery_reason
from generators.variants.variant_proposal import (
    DiscardedVariant,
    VariantDiscard,
    VariantProposal,
    VariantResult,
    proposal_of,
)
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Fact, FactSource, ProblemClass
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import propagate
from harness.text.lexicon import english
from harness.text.numbers import LimitSide, mentions
from harness.text.sentences import Sentence

NOTE = "Note that "
"""What a sentence begins with that becomes a note."""
LOSING = 0.9
"""The share of contradictory problems that lack a number as underspecified ones do, beside what clashes."""
IN_PARENTHESES = " (exactly {})"
_IN_ORDER = english("variants").pattern("in_order", r"\b", r"\b")


@dataclass(frozen=True, slots=True)
class Saying:
    """A change after which a question says the same, in a `manner` of words, and the inputs that it says anew."""

    manner: str
    change: QuestionChange
    inputs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NumberLoss:
    """A change after which a question no longer says the numbers of some places, of which a reader would miss the `missed`."""

    change: QuestionChange
    missed: tuple[NumberPlace, ...]
    removal: NumberRemoval | None = None


@dataclass(frozen=True)
class NearTwins:
    """What an operator makes of a problem: variants, each with a near-twin where there is one."""

    subject: VariantSubject
    operator: str
    random: Random

    def accompanied_pair(
        self, variant: VariantProposal | None, twin: VariantProposal | None, *, states: bool = False
    ) -> list[VariantProposal]:
        """Return a contradictory problem and its near-twin, both with words that say something again; where they state nothing themselves, a result, too."""
        if variant is None or twin is None:
            return []
        pair = [variant.change, twin.change]
        lost = self._without_a_number(*pair) if self.random.random() < LOSING else None
        changes = lost or self._accompanied(pair, self._wordings)
        changes = changes if states else self._accompanied(changes, self._statements)
        wrong, right = map(self.subject.system_after, changes)
        if wrong is None or right is None:
            return []
        variant = replace(variant, change=changes[0], system=wrong)
        return [variant, replace(twin, change=changes[1], system=right, twin=variant.text)]

    def misstated(self, placed: PlacedStatement, kind: str, places: Iterable[NumberPlace]) -> Sequence[VariantResult]:
        """Return the problem with a statement that its numbers contradict, and the near-twin whose numbers it follows from.

        One of the places gets another number where it can; else the statement is false.
        """
        subject, name = self.subject, placed.statement.variable
        right, wrong = true_statement(placed, kind), false_statements(subject, placed, kind)
        if right is None or not wrong:
            return (DiscardedVariant(self.operator, name, VariantDiscard.UNWRITABLE, placed.statement.before),)
        changed = clashing_inputs(subject, right, places, self.random, most=placed.statement.tells_need)
        return self.clashing(next(changed, None) or self.random.choice(wrong), right)

    def clashing(self, wrong: QuestionChange, right: QuestionChange) -> list[VariantProposal]:
        """Return the contradictory problem whose changed inputs, or else whose statements, clash with the rest, and its near-twin."""
        clash = tuple(f"fact:{name}" for name in wrong.values) or wrong.constraint_names
        variant, twin = self._proposal(ProblemClass.CONTRADICTORY, wrong), self._proposal(ProblemClass.SOLVABLE, right)
        return self.accompanied_pair(variant and replace(variant, clash=clash), twin, states=True)

    def single_loss(self, place: NumberPlace, removals: Sequence[NumberRemoval]) -> list[VariantResult]:
        """Return the problem after one of the removals of a number and its near-twin, or why there is none."""
        what = self.subject.question.text[place.start : place.end]
        if not states_number(self.subject.question, place):
            return [DiscardedVariant(self.operator, what, VariantDiscard.GRAMMAR, "the question asks about it")]
        if not removals:
            return [DiscardedVariant(self.operator, what, VariantDiscard.GRAMMAR, "its sentence needs a number there")]
        removal = self.random.choice(removals)
        reason = recovery_reason(self.subject, place)
        if reason:
            return [DiscardedVariant(self.operator, removal.edit.before, VariantDiscard.RECOVERABLE, reason)]
        return self.underspecified(NumberLoss(removal.change, (place,), removal))

    def underspecified(self, loss: NumberLoss) -> list[VariantResult]:
        """Return the problem without numbers and the near-twin that says them after all, as far as both can be written."""
        what = " … ".join(edit.before for edit in loss.change.edits)
        plain = self._lacking(loss.change, loss)
        if plain is None:
            return [DiscardedVariant(self.operator, what, VariantDiscard.UNLOCATED, "it holds another number, too")]
        if not plain.witnesses:
            return [DiscardedVariant(self.operator, what, VariantDiscard.SAME_ANSWER)]
        for changes in self._lost_and_said(loss, [loss.change, QuestionChange(())]):
            changes = self._accompanied(changes, self._statements)
            variant, twin = self._lacking(changes[0], loss), self._proposal(ProblemClass.SOLVABLE, changes[1])
            if variant is not None and variant.witnesses and twin is not None:
                return [variant, replace(twin, twin=variant.text)]
        return [plain]

    def _lost_and_said(self, loss: NumberLoss, changes: Sequence[QuestionChange]) -> Iterator[list[QuestionChange]]:
        """Yield a change with the loss, and another number said in the manner in which the second change says the lost one, in random order."""
        lacking, whole = changes
        others = [
            saying
            for saying in self._wordings
            if saying.change.is_apart(lacking) and saying.inputs.isdisjoint(loss.change.gone | lacking.values.keys())
        ]
        pairs = [
            (saying, other)
            for saying in self._own_sayings(loss)
            for other in others
            if saying.manner == other.manner and saying.change.is_apart(whole)
        ]
        self.random.shuffle(pairs)
        pairs.sort(key=lambda pair: pair[0].manner != RESTATED)
        for saying, other in pairs:
            yield [lacking | other.change, whole | saying.change]

    def _without_a_number(self, wrong: QuestionChange, right: QuestionChange) -> list[QuestionChange] | None:
        """Return contradictory and solvable changes that lose a number beside what clashes, and say it elsewhere; `None` where there is none."""
        question, trace = self.subject.question, self.subject.source.trace
        clashing = {*wrong.values, *(number.fact.variable for number in wrong.stated)}
        clashing |= {name for bound in wrong.bounds for name in (bound.variable, bound.limit) if isinstance(name, str)}
        said = {mention.readings[0] for edit in wrong.edits for mention in mentions(edit.after)}
        open_to_loss = {
            place
            for place in question.places
            if place.value not in said
            and clashing.isdisjoint({*place.variables}.union(*map(trace.descendants, place.variables)))
            and states_number(question, place)
            and self._is_straight(place)
        }
        sentences = [
            NumberLoss(without_sentence(question, sentence), places)
            for sentence in question.sentences
            if (places := places_in(question, sentence))
            and open_to_loss.issuperset(places)
            and not sentence.asks
            and not removal_fault(self.subject, sentence)
        ]
        numbers = [
            NumberLoss(removal.change, (place,), removal)
            for place in question.places
            if place in open_to_loss
            for removal in removals_of(self.subject, place, self.random)
        ]
        for loss in (*sentences, *self.random.sample(numbers, len(numbers))):
            if loss.change.is_apart(wrong):
                for changes in self._lost_and_said(loss, [wrong | loss.change, right]):
                    return changes
        return None

    def _is_straight(self, place: NumberPlace) -> bool:
        """Tell whether all results grow evenly with an input: solvers end on a system that leaves it open."""
        name, trace = place.variables[0], self.subject.source.trace
        try:
            first, second, third = (
                propagate(trace, name, self.subject.values[name] + more).values for more in range(3)
            )
        except (Refusal, ProgramError):
            return False
        return len(place.variables) == 1 and all(2 * second[key] == first[key] + third[key] for key in first)

    def _proposal(self, problem_class: ProblemClass, change: QuestionChange) -> VariantProposal | None:
        return proposal_of(self.subject, self.operator, problem_class, change)

    def _lacking(self, change: QuestionChange, loss: NumberLoss) -> VariantProposal | None:
        """Return the underspecified problem after a change, with no witnesses where the loss leaves the answer as it is."""
        made = self._proposal(ProblemClass.UNDERSPECIFIED, change)
        return made and replace(made, witnesses=witnesses(self.subject, made.system, loss.missed))

    def _accompanied(self, changes: Sequence[QuestionChange], sayings: Sequence[Saying]) -> list[QuestionChange]:
        """Return changes with one of the sayings that touch none of them, of a manner drawn first.

        What hangs on a number that is gone may have a limit, not a value.
        """
        changed = frozenset(name for change in changes for name in change.values)
        touched = frozenset(name for change in changes for name in change.gone) | changed
        fitting = [
            saying
            for saying in sayings
            if saying.inputs.isdisjoint(changed if saying.manner == LIMIT else touched)
            and all(map(saying.change.is_apart, changes))
        ]
        if not fitting:
            return [*changes]
        manner = self.random.choice(sorted({saying.manner for saying in fitting}))
        saying = self.random.choice([saying for saying in fitting if saying.manner == manner])
        return [change | saying.change for change in changes]

    def _own_sayings(self, loss: NumberLoss) -> Iterator[Saying]:
        """Yield the ways to say the lost numbers after all: one in parentheses or again, or their sentence as a note."""
        place = loss.missed[0]
        if loss.removal is not None:
            yield from _in_parentheses(place, loss.removal)
            for saying in self._restated(place):
                if saying.change.is_apart(loss.change) and len(place.variables) == 1:
                    moved = replace(saying.change.stated[0], fact=_given(place.variables[0], place))
                    yield replace(saying, change=loss.change | replace(saying.change, stated=(moved,)))
        sentence = self.subject.question.sentence_at(place.start)
        if sentence is not None:
            yield from _noted(self.subject, sentence)

    @cached_property
    def _wordings(self) -> list[Saying]:
        """Return the ways to say what the question says: a number in parentheses or again, a sentence as a note."""
        question, sayings = self.subject.question, list[Saying]()
        for place in question.places:
            if states_number(question, place):
                for removal in removals_of(self.subject, place, self.random):
                    sayings += _in_parentheses(place, removal)
            sayings += self._restated(place)
        for sentence in question.sentences:
            sayings += _noted(self.subject, sentence)
        return sayings

    @cached_property
    def _statements(self) -> list[Saying]:
        """Return the ways to say more than the question: an input again, a result, or a limit that it keeps."""
        sayings, trace = [saying for saying in self._wordings if saying.manner == RESTATED], self.subject.source.trace
        for placed in placed_statements(self.subject):
            if isinstance(placed, PlacedStatement):
                name = placed.statement.variable
                below = (entry.variable for entry in self.subject.source.inputs)
                inputs = frozenset(other for other in below if name in trace.descendants(other))
                stated = true_statement(placed, STATED)
                kept = [limits(self.subject, placed, side, self.random)[:1] for side in LimitSide]
                sayings += [Saying(STATED, stated, inputs)] if stated is not None else []
                sayings += [Saying(LIMIT, change, inputs) for changes in kept for change in changes]
        return sayings

    def _restated(self, place: NumberPlace) -> Iterator[Saying]:
        for placed in restatements(self.subject.question, place, place.variables[0], self.random):
            change = true_statement(placed, RESTATED)
            if change is not None and not mentions(f"{placed.statement.before} {placed.statement.after}"):
                yield Saying(RESTATED, change, frozenset(place.variables))


def _given(name: str, place: NumberPlace) -> Fact:
    return Fact(f"fact:{name}", name, place.value, FactSource.TEXT, "")


def _in_parentheses(place: NumberPlace, removal: NumberRemoval) -> Iterator[Saying]:
    """Yield how to make a removal and say its number in parentheses after what it counts."""
    end, said = removal.end_of_phrase, IN_PARENTHESES.format(removal.written)
    if end is None:
        return
    change, edit = removal.change, QuestionEdit(end, end, "", said)
    if end == removal.edit.end:
        edit = replace(removal.edit, after=f"{removal.edit.after}{said}")
        moved = tuple(replace(number, edit=edit) for number in change.stated)
        change = replace(change, edits=(edit,), stated=moved)
    last = len(edit.after) - len(said) + IN_PARENTHESES.index("{") + len(removal.written)
    stated = [
        StatedNumber(_given(name, place), edit, last - (place.end - place.start), last) for name in place.variables
    ]
    again = QuestionChange((edit,), gone=frozenset(place.variables), stated=tuple(stated))
    yield Saying(IN_PARENTHESES, change | again, frozenset(place.variables))


def _noted(subject: VariantSubject, sentence: Sentence) -> Iterator[Saying]:
    """Yield how to begin a sentence as a note: `Note that each box holds 6 mugs`."""
    words = lowered(sentence.text, subject.question)
    if words is None or sentence.asks or not sentence.text.endswith(".") or _IN_ORDER.search(sentence.text):
        return
    first = sentence.text[: sentence.text[0] != words[0]]
    edit = QuestionEdit(sentence.start, sentence.start + len(first), first, f"{NOTE}{words[: len(first)]}")
    yield Saying(NOTE, QuestionChange((edit,)))
