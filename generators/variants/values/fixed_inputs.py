"""Inputs of a problem that cannot take other values without making a statement of its text false."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from generators.variants.values.redundant_numbers import determined_inputs, known_reason, results_of
from generators.variants.values.solution_wording import SolutionWording, constants_of
from generators.variants.variant_source import VariantSubject
from harness.text.number_forms import NumberKind
from harness.text.units import factor

_MINUTES = factor("minute", "hour")


def fixed_inputs(subject: VariantSubject, wording: SolutionWording) -> frozenset[str]:
    """Return the inputs of a problem that cannot have other values.

    The answer does not depend on them, or a number that cannot be written anew, knowledge, words of the solution, or other numbers of
    the question hold on to them or to what follows from them.
    """
    trace = subject.source.trace
    readings = {reading for mention in subject.question.loose for reading in mention.readings} - {1}
    stated = (name for name, value in subject.values.items() if value in readings)
    stuck = {*hidden_inputs(subject), *wording.held, *stated, *determined_inputs(subject)}
    names = (entry.variable for entry in subject.source.inputs)
    return frozenset(trace.dead()) | {
        name for name in names if not _is_free(subject, name) or not stuck.isdisjoint((name, *trace.descendants(name)))
    }


def _is_free(subject: VariantSubject, name: str) -> bool:
    """Tell whether a number of the question gives an input alone, can be written anew and is no knowledge."""
    place = subject.question.place_of.get(name)
    if place is None or not place.is_own or place.form.kind is NumberKind.NAMED:
        return False
    whole = place.value == 100 and "%" in place.form.after
    return place.value not in {0, 1} and not whole and not known_reason(subject, place)


def hidden_inputs(subject: VariantSubject) -> Iterator[str]:
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
