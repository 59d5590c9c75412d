"""Inputs of a problem that cannot take other values without making a statement of its text false, and why."""

import enum
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from generators.variants.values.redundant_numbers import determined_inputs, known_reason, results_of
from generators.variants.values.solution_wording import SolutionWording, constants_of
from generators.variants.variant_source import VariantSubject
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


def fixed_inputs(subject: VariantSubject, wording: SolutionWording) -> dict[str, FixedReason]:
    """Return the inputs of a problem that cannot have other values, and why.

    Inputs of one value keep one value: one number still tells them.
    """
    trace = subject.source.trace
    stuck, unused = _stuck(subject, wording), trace.dead()
    fixed: dict[str, FixedReason] = {}
    for name in (entry.variable for entry in subject.source.inputs):
        reached = (stuck[other] for other in (name, *trace.descendants(name)) if other in stuck)
        why = FixedReason.UNUSED if name in unused else _own_reason(subject, name) or next(reached, None)
        if why is not None:
            fixed[name] = why
    return fixed


def _own_reason(subject: VariantSubject, name: str) -> FixedReason | None:
    place = subject.question.place_of.get(name)
    if place is None or not place.rewritable or place.form.kind is NumberKind.NAMED or place.form.rounded:
        return FixedReason.PLACE
    if len(place.variables) > 1:
        return FixedReason.SHARED
    whole = place.value == 100 and "%" in place.form.after
    return FixedReason.KNOWN if place.value in {0, 1} or whole or known_reason(subject, place) else None


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
    unplaced = {
        entry.value for entry in source.inputs if not (place := places.get(entry.variable)) or not place.rewritable
    }
    unplaced = (unplaced | constants_of(source)) - {0, 1, 100}
    placed = {entry.variable: entry.value for entry in source.inputs if entry.variable in places}
    for name, value in placed.items():
        made = {*results_of(value, 100), *results_of(value, 1), value, *results_of(value, _MINUTES)}
        made |= {1 - Fraction(value) / 100, 1 + Fraction(value) / 100}
        if not unplaced.isdisjoint(made):
            yield name
    large = {value for value in unplaced if value > 2}
    for (name, value), (other, more) in combinations(placed.items(), 2) if large else ():
        if not large.isdisjoint(results_of(value, more)):
            yield from (name, other)
