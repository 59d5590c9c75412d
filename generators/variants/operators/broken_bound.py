"""Contradictory variants in which an input gets a value that breaks the bound of a quantity."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from random import Random

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.input_places import NumberPlace, is_exact
from generators.variants.insertion.stated_facts import breaking_changes
from generators.variants.near_twins import NearTwins
from generators.variants.question_edit import QuestionChange
from generators.variants.values.redundant_numbers import hidden_inputs
from generators.variants.variant_operator import (
    DiscardedVariant,
    VariantDiscard,
    VariantExample,
    VariantResult,
    variant_operator,
)
from generators.variants.variant_source import AMOUNTS, VariantSubject, not_negative
from harness.constraint_system import Bound, ProblemClass
from harness.domain import Exact
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import TraceEntry, propagate
from harness.text.lexicon import english
from harness.text.numbers import whole_as_int

STEPS_BEYOND = 5
_LEFT, _NEEDED, _OWING, _INCOME = (
    english("variants").pattern(name, r"\b", r"\b") for name in ("left", "needed", "owing", "income")
)
NAME = "broken_bound"
MOST = 3
MOST_VALUES = 2
_EDITED = "A table has {}. The guests ate {}. How many rolls that are left does each of 4 children get?"


@dataclass(frozen=True, slots=True)
class BoundViolation:
    """The forbidden values of an input: values that break a bound, and the bound, which the problem's own value meets."""

    variable: str
    place: NumberPlace
    bound: Bound
    breaking: tuple[Exact, ...]


def bound_violations(subject: VariantSubject) -> Iterator[BoundViolation]:
    """Yield values that the words of a problem make impossible, input by input."""
    places = {name: place for name, place in subject.question.place_of.items() if place.is_own}
    for bound in subject.system.bounds:
        if isinstance(bound.limit, int) and bound.variable in places:
            breaking = range(bound.limit + 1, bound.limit + bound.limit // 4 + 3)
            yield BoundViolation(bound.variable, places[bound.variable], bound, tuple(breaking))
    for step in subject.source.steps:
        yield from _more_than_there_is(subject, step)


def _more_than_there_is(subject: VariantSubject, step: TraceEntry) -> Iterator[BoundViolation]:
    """Yield parts larger and wholes smaller than what is left of them allows, where the problem asks for what is left."""
    unit = subject.units[step.variable]
    told = f"{subject.line_of(step.variable)} {step.variable.replace('_', ' ')}"
    question, trace = subject.question, subject.source.trace
    asked = " ".join(sentence.text for sentence in question.sentences if sentence.asks)
    rest = isinstance(step.expression, ir.Binary) and step.expression.operator == "-" and step.value > 0
    reached = (place for name, place in question.place_of.items() if step.variable in trace.descendants(name))
    exact = all(is_exact(question, place.start, place.end) for place in reached)
    left = rest and exact and unit.quantity in AMOUNTS and _LEFT.search(asked) and _LEFT.search(told)
    income = unit.quantity is Quantity.MONEY and _INCOME.search(question.text)
    if not left or income or _NEEDED.search(asked) or _OWING.search(question.text):
        return
    bound = not_negative(step.variable, unit)
    for name, slope in sorted(_slopes(subject, step), key=lambda pair: pair[1] > 0):
        place = question.place_of[name]
        most = Fraction(place.value) - step.value / slope
        if place.is_own:
            yield BoundViolation(name, place, bound, _values_beyond(floor(most) if slope < 0 else ceil(most), slope))


def _values_beyond(limit: int, slope: Fraction) -> tuple[Exact, ...]:
    """Return values a little beyond a limit, coarse where it is round: above it where more breaks a bound, else below."""
    grain = 1
    while limit > grain * 10 and limit % (grain * 10) == 0:
        grain *= 10
    steps = dict.fromkeys([*range(1, STEPS_BEYOND + 1), *(grain * count for count in range(1, STEPS_BEYOND + 1))])
    values = (limit + step if slope < 0 else limit - step for step in steps)
    return tuple(whole_as_int(value) for value in values if value > 1)


def _slopes(subject: VariantSubject, step: TraceEntry) -> Iterator[tuple[str, Fraction]]:
    """Yield by how much a step grows with each located input that it grows or shrinks with, evenly, as far as that can be told."""
    for name, place in subject.question.place_of.items():
        reached = step.variable in subject.source.trace.descendants(name)
        if not reached or subject.units[name].quantity is Quantity.SHARE or place.value.denominator != 1:
            continue
        try:
            larger = [propagate(subject.source.trace, name, place.value + more).values for more in (1, 2)]
        except (Refusal, ProgramError):
            continue
        first, second = (Fraction(values[step.variable]) for values in larger)
        slope = first - step.value
        if slope != 0 and second - first == slope:
            yield name, slope


@variant_operator(
    NAME,
    VariantExample(
        "# L1\nrolls = 48 # 48 rolls\neaten = 20 # ate 20 rolls\nleft = rolls - eaten\n"
        "# L2\nchildren = 4 # 4 children\neach = left / children",
        "A table has 48 rolls. The guests ate 20 rolls. How many rolls that are left does each of 4 children get?",
        (
            _EDITED.format("some rolls (exactly 48)", "52 rolls"),
            _EDITED.format("some rolls (exactly 48)", "20 rolls"),
            _EDITED.format("18 rolls", "rolls (exactly 20)"),
        ),
    ),
    VariantExample(
        "# L1\ndays = 4 # 4 days a week\nweeks = 9 # 9 weeks\nworked = days * weeks\n"
        "# L2\npay = 80 # 80 dollars a day\nearned = worked * pay",
        "Ida paints 4 days a week. She does so for 9 weeks. At $80 a day, what has Ida earned?",
        ("Ida paints 8 days a week. She does so for several weeks (exactly 9). At $80 a day, what has Ida earned?",),
    ),
    problem_class=ProblemClass.CONTRADICTORY,
)
def broken_bound(subject: VariantSubject, random: Random) -> Iterator[VariantResult]:
    """Change an input so that a bound breaks; the twin keeps it."""
    changed: set[str] = set()
    violations, twins = list(bound_violations(subject)), NearTwins(subject, NAME, random)
    hidden = {*hidden_inputs(subject)} if violations else set()
    for violation in violations:
        name, bound = violation.variable, violation.bound
        if name in changed or len(changed) == MOST:
            continue
        if name in hidden and bound.variable != name:
            yield DiscardedVariant(NAME, name, VariantDiscard.STALE, "the steps may have a number made of it")
            continue
        kept = QuestionChange((), bounds=(bound,))
        broken = list(breaking_changes(subject, kept, violation.place, violation.breaking))
        # A value as long as the right one does not show.
        alike = [change for change in broken if len(change.edits[0].after) == len(change.edits[0].before)] or broken
        for wrong in random.sample(alike, min(MOST_VALUES, len(alike))):
            yield from twins.clashing(wrong, kept)
        if broken:
            changed.add(name)
        else:
            yield DiscardedVariant(NAME, name, VariantDiscard.UNWRITABLE)
