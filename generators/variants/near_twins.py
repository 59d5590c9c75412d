"""Variants and their near-twins: texts of every class are edited in the same forms of words.

A number that goes in one text goes in the other, too, and is said after all: in parentheses or again. What lacks a number says another one twice.
So neither the words of a text nor how many numbers it has tell its class. Where a sentence is lost, both texts say another one twice.
"""

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
from generators.variants.question.number_context import is_exact, lowered, states_number
from generators.variants.question.question_edit import QuestionChange, QuestionEdit, StatedNumber
from generators.variants.removal.number_removal import LossForm, NumberRemoval, amount_start, phrase_end, removals_of
from generators.variants.removal.sentence_removal import places_in
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
from harness.text.lexicon import english
from harness.text.numbers import LimitSide, mentions
from harness.text.sentences import Sentence

NOTE = "Note that "
"""What a sentence begins with that becomes a note."""
SAYING_ELSEWHERE = 0.8
"""The share of contradictory problems in which a number goes from its place and is said after all."""
IN_PARENTHESES = " (exactly {})"
_IN_ORDER = english("variants").pattern("in_order", r"\b", r"\b")


@dataclass(frozen=True, slots=True)
class Saying:
    """A change after which a question says the same, in a `manner` of words, the inputs that it says anew, and the form in which their number goes or could go."""

    manner: str
    change: QuestionChange
    inputs: frozenset[str] = frozenset()
    form: LossForm | None = None

    @property
    def is_money(self) -> bool:
        """Tell whether it says an amount of money."""
        return any("$" in edit.after for edit in self.change.edits)


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
        changes = [variant.change, twin.change]
        touched = frozenset(name for change in changes for name in (*change.gone, *change.values))
        elsewhere = self._accompanied(changes, self._said_elsewhere, touched)
        if elsewhere == changes or self.random.random() > SAYING_ELSEWHERE:
            elsewhere = self._accompanied(changes, self._notes or self._wordings, touched)
        changes = elsewhere if states else self._accompanied(elsewhere, self._statements, touched)
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

    def said_twice(self, place: NumberPlace) -> Sequence[VariantResult]:
        """Return the problem in which a number and what says it again in parentheses differ, and the near-twin in which they agree."""
        sayings = [saying for saying in self._said_twice if saying.inputs == {*place.variables}]
        right = next((saying.change for saying in sayings if saying.manner == IN_PARENTHESES), None)
        wrong = right and next(clashing_inputs(self.subject, right, [place], self.random), None)
        if right is None or wrong is None:
            return (DiscardedVariant(self.operator, place.variables[0], VariantDiscard.NO_PLACE),)
        return self.clashing(wrong, right)

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
        for said in self._lost_and_said(loss):
            changes = self._accompanied(said, self._statements, loss.change.gone)
            if changes == said and loss.removal is not None:
                changes = self._accompanied(said, self._wordings, loss.change.gone)
            variant, twin = self._lacking(changes[0], loss), self._proposal(ProblemClass.SOLVABLE, changes[1])
            if variant is not None and variant.witnesses and twin is not None:
                return [variant, replace(twin, twin=variant.text)]
        return [plain]

    def _lost_and_said(self, loss: NumberLoss) -> Iterator[list[QuestionChange]]:
        """Yield the loss beside another number that is said twice, and a solvable question in which a number goes in the same form and is said in that manner.

        A lost sentence is kept there.
        """
        if loss.removal is None:
            yield from self._sentence_lost_and_kept(loss)
            return
        own = self._said_after(loss.missed[0], loss.removal)
        others = [saying for saying in self._said_elsewhere if saying.form is loss.removal.form]
        for saying in (*own, *self.random.sample(others, len(others))):
            again = [
                twice
                for twice in self._said_twice
                if (twice.manner, twice.is_money) == (saying.manner, saying.is_money)
                and twice.inputs.isdisjoint(loss.change.gone)
                and twice.change.is_apart(loss.change)
            ]
            if again:
                yield [loss.change | self.random.choice(again).change, saying.change]

    def _sentence_lost_and_kept(self, loss: NumberLoss) -> Iterator[list[QuestionChange]]:
        """Yield the loss of a sentence and the question that keeps it; both say another one with as many numbers again as a note, so that what is said twice tells nothing."""
        sentences, start = self.subject.question.sentences, loss.missed[0].start
        gone = next(sentence for sentence in sentences if sentence.start <= start < sentence.end)
        others = [own for own in sentences if own != gone and len(mentions(own.text)) == len(mentions(gone.text))]
        for other in self.random.sample(others, len(others)):
            for again in _noted(self.subject, other):
                said = _repeated(self.subject, other, again)
                yield [loss.change | said, said]

    def _proposal(self, problem_class: ProblemClass, change: QuestionChange) -> VariantProposal | None:
        return proposal_of(self.subject, self.operator, problem_class, change)

    def _lacking(self, change: QuestionChange, loss: NumberLoss) -> VariantProposal | None:
        """Return the underspecified problem after a change, with no witnesses where the loss leaves the answer as it is."""
        made = self._proposal(ProblemClass.UNDERSPECIFIED, change)
        return made and replace(made, witnesses=witnesses(self.subject, made.system, loss.missed))

    def _accompanied(
        self, changes: Sequence[QuestionChange], sayings: Sequence[Saying], touched: frozenset[str]
    ) -> list[QuestionChange]:
        """Return changes with one of the sayings that is apart from them and from the touched inputs, of a form and a manner drawn first.

        What hangs on a number that is gone may have a limit, not a value.
        """
        changed = frozenset(name for change in changes for name in change.values)
        fitting = [
            saying
            for saying in sayings
            if saying.inputs.isdisjoint(changed if saying.manner == LIMIT else touched)
            and all(map(saying.change.is_apart, changes))
        ]
        if not fitting:
            return [*changes]
        kind = self.random.choice(sorted({(saying.form or "", saying.manner) for saying in fitting}))
        saying = self.random.choice([saying for saying in fitting if (saying.form or "", saying.manner) == kind])
        return [change | saying.change for change in changes]

    def _said_after(self, place: NumberPlace, removal: NumberRemoval) -> Iterator[Saying]:
        """Yield how to make a removal and say its number after all: in parentheses, or again."""
        inputs = frozenset(place.variables)
        written = _in_parentheses(self.subject, place)
        if written is not None:
            change, edit = removal.change, written.edits[0]
            if edit.start == removal.edit.end:
                first = removal.edit
                edit = replace(first, after=f"{first.after}{edit.after}")
                moved = [replace(number, edit=edit) for number in change.stated]
                shift = len(first.after)
                said = [
                    replace(number, edit=edit, start=shift + number.start, end=shift + number.end)
                    for number in written.stated
                ]
                change, written = replace(change, edits=(edit,), stated=(*moved, *said)), QuestionChange(())
            yield Saying(IN_PARENTHESES, _as_given(change | written, place), inputs, removal.form)
        for saying in self._restated(place) if len(place.variables) == 1 else ():
            if saying.change.is_apart(removal.change):
                yield replace(saying, change=_as_given(removal.change | saying.change, place), form=removal.form)

    @cached_property
    def _said_elsewhere(self) -> list[Saying]:
        """Return the ways in which a number of the question goes from its place and is said after all."""
        return [saying for place, removal in self._removals for saying in self._said_after(place, removal)]

    @cached_property
    def _removals(self) -> list[tuple[NumberPlace, NumberRemoval]]:
        question = self.subject.question
        places = [place for place in question.places if states_number(question, place)]
        return [(place, removal) for place in places for removal in removals_of(self.subject, place, self.random)]

    @cached_property
    def _notes(self) -> list[Saying]:
        """Return the sentences that can be notes: `Note that each box holds 6 mugs`."""
        return [saying for sentence in self.subject.question.sentences for saying in _noted(self.subject, sentence)]

    @cached_property
    def _wordings(self) -> list[Saying]:
        """Return the ways to say what the question says: a number twice, or a sentence as a note."""
        return [*self._said_twice, *self._notes]

    @cached_property
    def _said_twice(self) -> list[Saying]:
        """Return the ways to say a number that could go a second time: in parentheses, or again."""
        question, sayings = self.subject.question, list[Saying]()
        for place in question.places:
            change = _in_parentheses(self.subject, place)
            if change is not None and states_number(question, place):
                sayings.append(Saying(IN_PARENTHESES, change, frozenset(place.variables)))
            sayings += self._restated(place)
        return sayings

    @cached_property
    def _statements(self) -> list[Saying]:
        """Return the ways to say more than the question: an input again, a result, or a limit that it keeps."""
        trace = self.subject.source.trace
        sayings = [saying for saying in self._said_twice if saying.manner == RESTATED]
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


def _as_given(change: QuestionChange, place: NumberPlace) -> QuestionChange:
    """Return a change in which the number said again is the one that the question gives."""
    stated = [
        replace(number, fact=replace(number.fact, name=f"fact:{number.fact.variable}"))
        if number.fact.variable in place.variables
        else number
        for number in change.stated
    ]
    return replace(change, stated=tuple(stated))


def _in_parentheses(subject: VariantSubject, place: NumberPlace) -> QuestionChange | None:
    """Return how to say a number again in parentheses after what it counts; `None` where one cannot tell where that ends, or it is no exact number: `at least 4 boxes`, `4 boxes or more`."""
    text, end = subject.question.text, phrase_end(subject.question.text, place)
    if end is None or not place.rewritable or place.form.rounded or place.value == 1:
        return None
    start = amount_start(text, place)
    if text[start - 1 : start].strip() or not is_exact(subject.question, place.start, place.end):
        return None
    written = text[start : place.end].lower()
    said = IN_PARENTHESES.format(written)
    edit, last = QuestionEdit(end, end, "", said), IN_PARENTHESES.index("{") + len(written)
    facts = [Fact(f"{RESTATED}:{name}", name, place.value, FactSource.TEXT, "") for name in place.variables]
    return QuestionChange(
        (edit,), stated=tuple(StatedNumber(fact, edit, last - (place.end - place.start), last) for fact in facts)
    )


def _noted(subject: VariantSubject, sentence: Sentence) -> Iterator[Saying]:
    """Yield how to begin a sentence as a note: `Note that each box holds 6 mugs`."""
    words = lowered(sentence.text, subject.question)
    if words is None or sentence.asks or not sentence.text.endswith(".") or _IN_ORDER.search(sentence.text):
        return
    first = sentence.text[: sentence.text[0] != words[0]]
    edit = QuestionEdit(sentence.start, sentence.start + len(first), first, f"{NOTE}{words[: len(first)]}")
    yield Saying(NOTE, QuestionChange((edit,)))


def _repeated(subject: VariantSubject, sentence: Sentence, noted: Saying) -> QuestionChange:
    """Return how to say a sentence again after it, as it is said as a note."""
    (first,) = noted.change.edits
    said = f" {first.after}"
    shift = len(said) - len(first.before) - sentence.start
    edit = QuestionEdit(sentence.end, sentence.end, "", f"{said}{sentence.text[len(first.before) :]}")
    stated = (
        StatedNumber(
            Fact(f"{RESTATED}:{name}", name, subject.values[name], FactSource.TEXT, ""),
            edit,
            place.start + shift,
            place.end + shift,
        )
        for place in places_in(subject.question, sentence)
        for name in place.variables
    )
    return QuestionChange((edit,), stated=tuple(stated))
