"""Inputs of a problem that can take other values without making a statement of its text false, and why the others cannot."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.solution.unit_conversions import is_conversion_factor
from generators.variants.values.known_numbers import determined_inputs, known_reason
from generators.variants.values.reworked_solution import SolutionWording, constants_of
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.program import ir
from harness.text.number_forms import NumberKind
from harness.text.units import factor

_MINUTES = factor("minute", "hour")
_SMOOTH = frozenset({"+", "-", "*", "/"})


class FixedReason(enum.StrEnum):
    """Why an input keeps its value."""

    PLACE = "no number of the question that can be written anew says it"
    SHARED = "one number of the question says it and something else"
    KNOWN = "everybody knows it"
    HIDDEN = "the steps have a number that may have been worked out from it"
    PIECEWISE = "a step rounds, compares or takes a remainder"
    WORDS = "words of the solution hold on to what follows from it"
    RESTATED = "another number of the question may say what follows from it"
    UNUSED = "the answer does not depend on it"
    DETERMINED = "other numbers of the question may give it"


@dataclass(frozen=True, slots=True)
class ChangeableInputs:
    """The inputs that can have other values, in order, and why each of the others cannot."""

    variables: tuple[str, ...]
    fixed: dict[str, FixedReason]


def changeable_inputs(subject: VariantSubject, wording: SolutionWording | None = None) -> ChangeableInputs:
    """Return which inputs of a problem can have other values.

    Those of one value keep one value: one number still tells them.
    """
    source = subject.source
    wording = wording or SolutionWording(source)
    stuck, unused = _stuck(subject, wording), source.trace.dead()
    fixed: dict[str, FixedReason] = {}
    for entry in source.inputs:
        name = entry.variable
        why = FixedReason.UNUSED if name in unused else _own_reason(subject, name)
        if why is None:
            why = next((stuck[reached] for reached in _reached(source, name) if reached in stuck), None)
        if why is not None:
            fixed[name] = why
    names = [entry.variable for entry in source.inputs]
    return ChangeableInputs(tuple(name for name in names if name not in fixed), fixed)


def _reached(source: FlawSource, name: str) -> list[str]:
    return [name, *source.trace.descendants(name)]


def _own_reason(subject: VariantSubject, name: str) -> FixedReason | None:
    entry, place = subject.source.trace.by_name[name], subject.question.place_of.get(name)
    if place is None or not place.rewritable or place.form.kind is NumberKind.NAMED or place.form.rounded:
        return FixedReason.PLACE
    if place.form.kind is NumberKind.FRACTION and subject.question.text[place.end : place.end + 1].isalpha():
        return FixedReason.PLACE
    overlapping = (other for other in subject.question.places if other.start < place.end and place.start < other.end)
    if len(place.variables) > 1 or any(other is not place for other in overlapping):
        return FixedReason.SHARED
    if is_conversion_factor(entry) or (place.value <= 1 and place.value.denominator == 1):
        return FixedReason.KNOWN
    if (place.value == 100 and "%" in place.form.after) or known_reason(subject, place):
        return FixedReason.KNOWN
    return None


def _stuck(subject: VariantSubject, wording: SolutionWording) -> dict[str, FixedReason]:
    """Return the variables, given or worked out, that must keep their values, and why."""
    readings = {reading for mention in subject.question.loose for reading in mention.readings} - {1}
    reasons = (
        (FixedReason.HIDDEN, _hidden(subject)),
        (FixedReason.PIECEWISE, (step.variable for step in subject.source.steps if not _is_smooth(step.expression))),
        (FixedReason.WORDS, wording.held),
        (FixedReason.RESTATED, (name for name, value in subject.values.items() if value in readings)),
        (FixedReason.DETERMINED, determined_inputs(subject)),
    )
    stuck: dict[str, FixedReason] = {}
    for reason, names in reasons:
        for name in names:
            stuck.setdefault(name, reason)
    return stuck


def _is_smooth(node: object) -> bool:
    match node:
        case ir.Name() | ir.Const():
            return True
        case ir.Binary(operator, left, right):
            return operator in _SMOOTH and _is_smooth(left) and _is_smooth(right)
        case ir.Unary("-" | "+", operand):
            return _is_smooth(operand)
        case ir.Call("Fraction" | "float", arguments, ()):
            return all(map(_is_smooth, arguments))
    return False


def _hidden(subject: VariantSubject) -> Iterator[str]:
    """Yield the inputs from which a number that has no place of its own may have been worked out by the author."""
    source, places = subject.source, subject.question.place_of
    written = {name for name, place in places.items() if place.rewritable}
    unplaced: set[Exact] = {entry.value for entry in source.inputs if entry.variable not in written}
    unplaced = (unplaced | constants_of(source)) - {0, 1, 100}
    placed = {entry.variable: entry.value for entry in source.inputs if entry.variable in places}
    if not unplaced:
        return
    for name, value in placed.items():
        if not unplaced.isdisjoint(_made_of(value)):
            yield name
    large = {value for value in unplaced if value > 2}
    for (name, value), (other, more) in combinations(placed.items(), 2) if large else ():
        quotients = {Fraction(value) / more, Fraction(more) / value} if value and more else set()
        if not large.isdisjoint({value + more, value - more, more - value, value * more, *quotients}):
            yield from (name, other)


def _made_of(value: Exact) -> set[Exact]:
    """Return the values that an author may write for a number without showing how."""
    number = Fraction(value)
    sums = {number, 100 - number, 100 + number, 1 - number, 1 + number, number - 1}
    shares = {number / 100, number * 100, 1 - number / 100, 1 + number / 100, number / _MINUTES, number * _MINUTES}
    return {*sums, *shares, *([1 / number] if number else [])}
