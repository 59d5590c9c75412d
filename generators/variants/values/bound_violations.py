"""Values of an input that would violate a bound that the words of its problem set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.quantity_bounds import cycle_of, line_of
from generators.variants.question.input_places import NumberPlace
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, BoundKind
from harness.domain import Exact
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import TraceEntry, propagate
from harness.text.lexicon import english
from harness.text.numbers import whole_as_int

_LISTS = english("variants")
MOST_STEPS = 5
_AMOUNTS = frozenset({Quantity.COUNT, Quantity.TIME, Quantity.MEASURE, Quantity.MONEY})
_LEFT = re.compile(r"\b(?:left|remain|remains|remained|remaining|the rest|leftover)\b")
_NEEDED = re.compile(rf"\b(?:{_LISTS.either('needed')})\b")
_OWING = re.compile(rf"\b(?:{_LISTS.either('owing')})\b")
_TAKING, _GETTING, _SPENDING, _EARNING = (
    re.compile(rf"\b(?:{_LISTS.either(name)})\b") for name in ("taking", "getting", "spending", "earning")
)
_UNSURE = re.compile(rf"\b(?:{_LISTS.either('unsure')})\b")


@dataclass(frozen=True, slots=True)
class BoundViolation:
    """The forbidden values of an input: values that break a bound, and the bound, which the problem's own value meets."""

    variable: str
    place: NumberPlace
    bound: Bound
    breaking: tuple[Exact, ...]


def bound_violations(subject: VariantSubject) -> Iterator[BoundViolation]:
    """Yield values that the words of a problem make impossible, input by input."""
    for name, place in subject.question.place_of.items():
        if _is_own(place) and not place.form.rounded:
            yield from _beyond_cycle(subject, name, place)
    for step in subject.source.steps:
        yield from _more_than_there_is(subject, step)


def _is_own(place: NumberPlace) -> bool:
    return place.rewritable and len(place.variables) == 1


def _beyond_cycle(subject: VariantSubject, name: str, place: NumberPlace) -> Iterator[BoundViolation]:
    """Yield more hours than a day has, more days than a week has."""
    most = cycle_of(subject, place)
    if most is not None and 0 < place.value <= most:
        bound = Bound(f"at-most-{most}:{name}", name, BoundKind.AT_MOST, f"there cannot be more than {most}", most)
        yield BoundViolation(name, place, bound, tuple(range(most + 1, most + most // 4 + 3)))


def _beyond(limit: Exact, *, larger: bool) -> tuple[Exact, ...]:
    """Return values a little beyond a limit, coarse where it is round."""
    grain = 1
    while limit.denominator == 1 and limit > grain * 10 and limit % (grain * 10) == 0:
        grain *= 10
    steps = [*range(1, MOST_STEPS + 1), *(grain * count for count in range(1, MOST_STEPS + 1))]
    values = dict.fromkeys(Fraction(limit + step if larger else limit - step) for step in steps)
    return tuple(whole_as_int(value) for value in values if value > 1)


def _more_than_there_is(subject: VariantSubject, step: TraceEntry) -> Iterator[BoundViolation]:
    """Yield parts larger and wholes smaller than what is left of them allows, for the numbers from which a rest is computed."""
    unit, text, name = subject.units[step.variable], subject.question.text, step.variable.replace("_", " ")
    told = f"{line_of(subject, step)} {name}"
    asked = " ".join(sentence.text for sentence in subject.question.sentences if sentence.asks)
    if not isinstance(step.expression, ir.Binary) or step.expression.operator != "-" or unit.quantity not in _AMOUNTS:
        return
    if step.value <= 0 or _OWING.search(text) or not (_LEFT.search(text) and _LEFT.search(told)):
        return
    if _NEEDED.search(name) or _NEEDED.search(asked):
        return
    slopes = dict(_slopes(subject, step))
    lessening = [name for name, slope in slopes.items() if slope < 0]
    sure = _LEFT.search(asked) is not None and " than " not in asked
    if not lessening or not (sure or all(_takes(subject, name, unit.quantity) for name in lessening)):
        return
    words = f"{unit.noun or 'what'} cannot be fewer than none"
    bound = Bound(f"not-negative:{step.variable}", step.variable, BoundKind.NOT_NEGATIVE, words)
    for name, slope in sorted(slopes.items(), key=lambda pair: pair[1] > 0):
        place = subject.question.place_of[name]
        most = Fraction(place.value) - step.value / slope
        most = Fraction(floor(most) if slope < 0 else ceil(most))
        if _is_own(place):
            yield BoundViolation(name, place, bound, _beyond(most, larger=slope < 0))


def _slopes(subject: VariantSubject, step: TraceEntry) -> Iterator[tuple[str, Fraction]]:
    """Yield by how much a step grows with each located input that it grows or shrinks with, evenly, as far as that can be told."""
    for name, place in subject.question.place_of.items():
        reached = step.variable in subject.source.trace.descendants(name)
        if not reached or subject.units[name].quantity is Quantity.SHARE or place.value.denominator != 1:
            continue
        try:
            results = [
                Fraction(propagate(subject.source.trace, name, place.value + more).values[step.variable])
                for more in (1, 2)
            ]
        except (Refusal, ProgramError):
            continue
        slope = results[0] - step.value
        if slope != 0 and results[1] - results[0] == slope:
            yield name, slope


def _takes(subject: VariantSubject, name: str, quantity: Quantity) -> bool:
    """Tell whether the sentence of a number tells of taking, and of nothing that comes to what there was."""
    sentence = subject.question.sentence_at(subject.question.place_of[name].start)
    if sentence is None or _UNSURE.search(sentence.text):
        return False
    taking, getting = (_SPENDING, _EARNING) if quantity is Quantity.MONEY else (_TAKING, _GETTING)
    return taking.search(sentence.text) is not None and getting.search(sentence.text) is None
