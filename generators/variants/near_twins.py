"""Variants and their near-twins: texts of every class are edited in the same forms of words.

A number that goes in one text goes in the other, too, and is said after all: in parentheses or again. What lacks a number says another one twice.
So neither the words of a text nor how many numbers it has tell its class. A sentence less has what lost one, and in every class what says two in one.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from random import Random

from generators.variants.input_places import NumberPlace, is_exact, states_number
from generators.variants.insertion.placement import placed_statements
from generators.variants.insertion.quantity_statements import QuantityStatement, is_one_clause, restatement
from generators.variants.insertion.stated_facts import (
    LIMIT,
    RESTATED,
    STATED,
    clashing_inputs,
    false_statements,
    limits,
    stated,
)
from generators.variants.question_edit import QuestionChange, QuestionEdit, StatedNumber
from generators.variants.removal.number_removal import LossForm, amount_start, loss_form, phrase_end, removals_of
from generators.variants.removal.underspecification import witnesses
from generators.variants.values.redundant_numbers import recovery_reason
from generators.variants.variant_operator import DiscardedVariant, VariantDiscard, VariantProposal, VariantResult
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Fact, FactSource, ProblemClass
from harness.text.lexicon import english
from harness.text.names import lowered
from harness.text.numbers import LimitSide, mentions
from harness.text.sentences import Sentence

JOINT = ", and "
"""What joins two sentences."""
JOINED = 0.35
"""The share of problems in which two sentences become one, where two can."""
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


@dataclass(frozen=True)
class NearTwins:
    """What an operator makes of a problem: variants, each with a near-twin where there is one."""

    subject: VariantSubject
    operator: str
    random: Random

    def misstated(
        self, statement: QuantityStatement, kind: str, places: Iterable[NumberPlace]
    ) -> Sequence[VariantResult]:
        """Return the problem with a statement that its numbers contradict, and the near-twin whose numbers it follows from.

        One of the places gets another number where it can; else the statement is false.
        """
        subject, name = self.subject, statement.variable
        right = stated(statement, statement.value, kind)
        wrong = [] if right is None else false_statements(subject, statement, right, kind)
        if right is None or not wrong:
            return (DiscardedVariant(self.operator, name, VariantDiscard.UNWRITABLE, statement.before),)
        changed = clashing_inputs(subject, right, places, self.random)
        return self.clashing(next(changed, None) or self.random.choice(wrong), right, states=True)

    def said_twice(self, place: NumberPlace) -> Sequence[VariantResult]:
        """Return the problem in which a number and a sentence or parentheses that say it again differ, and the near-twin in which they agree."""
        again = restatement(self.subject.question, place, place.variables[0])
        if again is not None:
            return self.misstated(again, RESTATED, [place])
        sayings = [saying for saying in self._repetitions if saying.inputs == {*place.variables}]
        right = next((saying.change for saying in sayings if saying.manner == IN_PARENTHESES), None)
        wrong = right and next(clashing_inputs(self.subject, right, [place], self.random), None)
        if right is None or wrong is None:
            return (DiscardedVariant(self.operator, place.variables[0], VariantDiscard.NO_PLACE),)
        return self.clashing(wrong, right, states=True)

    def clashing(self, wrong: QuestionChange, right: QuestionChange, *, states: bool = False) -> list[VariantProposal]:
        """Return the problem whose changed inputs and false statements clash with the rest, and its near-twin, both with words that say something again; where they state nothing themselves, a result, too."""
        changes = [wrong, right]
        touched = frozenset(name for change in changes for name in (*change.gone, *change.values))
        changes = self._with_saying(changes, self._moved_numbers or self._repetitions, touched)
        changes = changes if states else self._with_saying(changes, self._statements, touched)
        changes = self._with_joint(changes, touched)
        variant = self._proposal(ProblemClass.CONTRADICTORY, changes[0])
        twin = self._proposal(ProblemClass.SOLVABLE, changes[1])
        if variant is None or twin is None or not twin.edits:
            return []
        # What the near-twin states, too, is true: the certificate checks it at the original values, as a part of the rest.
        kept = {number.fact.name for number in right.stated if number in wrong.stated}
        kept |= {bound.name for bound in right.bounds} if kept else set()
        added = (name for name in wrong.constraint_names if name not in kept)
        clash = (*(f"fact:{name}" for name in wrong.values), *added)
        return [replace(variant, clash=clash), replace(twin, twin=variant.text)]

    def single_loss(self, place: NumberPlace, removals: Sequence[QuestionChange]) -> list[VariantResult]:
        """Return the problem after one of the removals of a number and its near-twin, or why there is none."""
        what = self.subject.question.text[place.start : place.end]
        if not states_number(self.subject.question, place):
            return [DiscardedVariant(self.operator, what, VariantDiscard.GRAMMAR, "the question asks about it")]
        if not removals:
            return [DiscardedVariant(self.operator, what, VariantDiscard.GRAMMAR, "its sentence needs a number there")]
        removal = self.random.choice(removals)
        reason = recovery_reason(self.subject, place)
        if reason:
            return [DiscardedVariant(self.operator, removal.edits[0].before, VariantDiscard.RECOVERABLE, reason)]
        return self.underspecified(removal, [place], twinned=True)

    def underspecified(
        self, change: QuestionChange, missed: Sequence[NumberPlace], *, twinned: bool = False
    ) -> list[VariantResult]:
        """Return the problem after a change that takes its numbers out, of which a reader would miss some, and the near-twin that says them after all, as far as both can be written.

        What lost a sentence, not by the removal of a number, has none: a solvable text with as few words would be another problem.
        """
        what = " … ".join(edit.before for edit in change.edits)
        plain = self._lacking(change, missed)
        if plain is None:
            return [DiscardedVariant(self.operator, what, VariantDiscard.UNLOCATED, "it holds another number, too")]
        if not plain.witnesses:
            return [DiscardedVariant(self.operator, what, VariantDiscard.SAME_ANSWER)]
        for said in self._losses(missed[0], change) if twinned else ():
            changes = self._with_joint(self._with_more(said, change.gone), change.gone)
            variant, twin = self._lacking(changes[0], missed), self._proposal(ProblemClass.SOLVABLE, changes[1])
            if variant is not None and variant.witnesses and twin is not None:
                return [variant, replace(twin, twin=variant.text)]
        alone = self._with_more([change], change.gone)
        alone = self._with_joint(alone, change.gone) if twinned else alone
        variant = self._lacking(alone[0], missed)
        return [plain if variant is None or not variant.witnesses else variant]

    def _with_more(self, changes: Sequence[QuestionChange], touched: frozenset[str]) -> list[QuestionChange]:
        """Return changes with more that is stated, or else a number that is said twice."""
        more = self._with_saying(changes, self._statements, touched)
        return more if more != changes else self._with_saying(changes, self._repetitions, touched)

    def _with_joint(self, changes: Sequence[QuestionChange], touched: frozenset[str]) -> list[QuestionChange]:
        """Return changes of which a share also joins two sentences, in each class as many."""
        return self._with_saying(changes, self._joints if self.random.random() < JOINED else [], touched)

    def _losses(self, place: NumberPlace, removal: QuestionChange) -> Iterator[list[QuestionChange]]:
        """Yield the loss of a number beside another one that is said twice, and a solvable question in which a number goes in the same form and is said in that manner."""
        own = self._losses_of(place, removal)
        others = [saying for saying in self._moved_numbers if saying.form is loss_form(removal)]
        for saying in (*own, *self.random.sample(others, len(others))):
            form = saying.manner, saying.is_money
            alike = (twice for twice in self._repetitions if (twice.manner, twice.is_money) == form)
            again = [own for own in alike if own.inputs.isdisjoint(removal.gone) and own.change.is_apart(removal)]
            if again:
                yield [removal | self.random.choice(again).change, saying.change]

    def _proposal(self, problem_class: ProblemClass, change: QuestionChange) -> VariantProposal | None:
        return VariantProposal.of_change(self.subject, self.operator, problem_class, change)

    def _lacking(self, change: QuestionChange, missed: Sequence[NumberPlace]) -> VariantProposal | None:
        """Return the underspecified problem after a change, with no witnesses where the loss leaves the answer as it is."""
        made = self._proposal(ProblemClass.UNDERSPECIFIED, change)
        return made and replace(made, witnesses=witnesses(self.subject, made.system, missed))

    def _with_saying(
        self, changes: Sequence[QuestionChange], sayings: Sequence[Saying], touched: frozenset[str]
    ) -> list[QuestionChange]:
        """Return changes with one of the sayings that is apart from them and from the touched inputs, of a form and a manner drawn first.

        What hangs on a number that is gone may have a limit, not a value.
        """
        changed = frozenset(name for change in changes for name in change.values)
        free = (own for own in sayings if own.inputs.isdisjoint(changed if own.manner == LIMIT else touched))
        fitting = [saying for saying in free if all(map(saying.change.is_apart, changes))]
        if not fitting:
            return [*changes]
        kind = self.random.choice(sorted({(saying.form or "", saying.manner) for saying in fitting}))
        saying = self.random.choice([saying for saying in fitting if (saying.form or "", saying.manner) == kind])
        return [change | saying.change for change in changes]

    def _losses_of(self, place: NumberPlace, removal: QuestionChange) -> Iterator[Saying]:
        """Yield how to make a removal and say its number after all: in parentheses, or again."""
        form = loss_form(removal)
        again = [Saying(IN_PARENTHESES, written)] if (written := _in_parentheses(self.subject, place, "fact")) else []
        again += self._restatements(place, "fact") if len(place.variables) == 1 else []
        for saying in again:
            if saying.manner == IN_PARENTHESES or saying.change.is_apart(removal):
                yield Saying(saying.manner, removal | saying.change, frozenset(place.variables), form)

    @cached_property
    def _moved_numbers(self) -> list[Saying]:
        """Return the ways in which a number of the question goes from its place and is said after all."""
        question = self.subject.question
        places = [place for place in question.places if states_number(question, place)]
        removals = [(place, removal) for place in places for removal in removals_of(self.subject, place, self.random)]
        return [saying for place, removal in removals for saying in self._losses_of(place, removal)]

    @cached_property
    def _joints(self) -> list[Saying]:
        """Return how to say two sentences in one: `Ann packs 4 boxes, and each box holds 6 mugs`."""
        return [saying for pair in pairwise(self.subject.question.sentences) for saying in _joint(self.subject, *pair)]

    @cached_property
    def _repetitions(self) -> list[Saying]:
        """Return the ways to say a number that could go a second time: in parentheses, or again."""
        question, sayings = self.subject.question, list[Saying]()
        for place in question.places:
            change = _in_parentheses(self.subject, place, RESTATED)
            if change is not None and states_number(question, place):
                sayings.append(Saying(IN_PARENTHESES, change, frozenset(place.variables)))
            sayings += self._restatements(place, RESTATED)
        return sayings

    @cached_property
    def _statements(self) -> list[Saying]:
        """Return the ways to say more than the question: an input again, a result, or a limit that it keeps."""
        trace = self.subject.source.trace
        sayings = [saying for saying in self._repetitions if saying.manner == RESTATED]
        for statement in placed_statements(self.subject):
            if isinstance(statement, QuantityStatement):
                name = statement.variable
                below = (entry.variable for entry in self.subject.source.inputs)
                inputs = frozenset(other for other in below if name in trace.descendants(other))
                right = stated(statement, statement.value, STATED)
                kept = [limits(self.subject, statement, side, self.random)[:1] for side in LimitSide]
                sayings += [Saying(STATED, right, inputs)] if right is not None else []
                sayings += [Saying(LIMIT, change, inputs) for changes in kept for change in changes]
        return sayings

    def _restatements(self, place: NumberPlace, kind: str) -> list[Saying]:
        """Return how to say a number again in a sentence, as the fact `kind:variable`, if that can be done."""
        again = restatement(self.subject.question, place, place.variables[0])
        change = None if again is None else stated(again, again.value, kind)
        if again is None or change is None or mentions(f"{again.before} {again.after}"):
            return []
        return [Saying(RESTATED, change, frozenset(place.variables))]


def _in_parentheses(subject: VariantSubject, place: NumberPlace, kind: str) -> QuestionChange | None:
    """Return how to say a number again in parentheses after what it counts, as the facts `kind:variable`; `None` where one cannot tell where that ends, or it is no exact number of them: `at least 4 boxes`, `4 boxes or more`, `4 dozen boxes`."""
    text, end = subject.question.text, phrase_end(subject.question.text, place)
    if end is None or not place.rewritable or place.form.rounded or place.value == 1:
        return None
    start, between = amount_start(text, place), text[place.end : end].rpartition(" ")[0]
    if text[start - 1 : start].strip() or mentions(between) or not is_exact(subject.question, place.start, place.end):
        return None
    written = text[start : place.end].lower()
    said = IN_PARENTHESES.format(written)
    edit, last = QuestionEdit(end, end, "", said), IN_PARENTHESES.index("{") + len(written)
    facts = [Fact(f"{kind}:{name}", name, place.value, FactSource.TEXT, "") for name in place.variables]
    numbers = (StatedNumber(fact, edit, last - (place.end - place.start), last) for fact in facts)
    return QuestionChange((edit,), stated=tuple(numbers))


def _joint(subject: VariantSubject, first: Sentence, second: Sentence) -> Iterator[Saying]:
    """Yield how to say two sentences of one clause in one, unless the second leads on from the first."""
    words = lowered(second.text, subject.question.text)
    if words is None or not (is_one_clause(first) and is_one_clause(second)) or _IN_ORDER.match(second.text):
        return
    start, end = first.end - 1, second.start + (second.text[0] != words[0])
    edit = QuestionEdit(start, end, subject.question.text[start:end], f"{JOINT}{words[: end - second.start]}")
    yield Saying(JOINT, QuestionChange((edit,)))
