"""The bounds that the kinds and the words of a problem's quantities set on their values, and the values that would break one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from generators.flaws.solution.quantity_units import Quantity, Unit
from generators.variants.question.input_places import LocatedQuestion, NumberPlace
from harness.constraint_system import Bound, BoundKind
from harness.domain import Exact
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import TraceEntry, propagate
from harness.text.lexicon import english
from harness.text.numbers import whole_as_int
from harness.text.units import DAYS, TIMES, factor, singular_unit

if TYPE_CHECKING:
    from generators.variants.variant_source import VariantSubject

_LISTS = english("variants")
MOST_STEPS = 5
_AMOUNTS = frozenset({Quantity.COUNT, Quantity.TIME, Quantity.MEASURE, Quantity.MONEY})
_SUMMED, _LEFT, _NEEDED, _OWING = (_LISTS.pattern(name, r"\b", r"\b") for name in ("summed", "left", "needed", "owing"))


@dataclass(frozen=True, slots=True)
class BoundViolation:
    """The forbidden values of an input: values that break a bound, and the bound, which the problem's own value meets."""

    variable: str
    place: NumberPlace
    bound: Bound
    breaking: tuple[Exact, ...]


def bounds_of(entries: Iterable[TraceEntry], question: LocatedQuestion, units: Mapping[str, Unit]) -> tuple[Bound, ...]:
    """Return the bounds that a problem's quantities meet by their kinds.

    Amounts are not negative, unless something was taken away or compared; hours a day, days a week and the like are at most as
    many as there are.
    """
    bounds = []
    for entry in entries:
        name, place = entry.variable, question.place_of.get(entry.variable)
        subtracted = isinstance(entry.expression, ir.Binary) and entry.expression.operator == "-"
        if not subtracted and entry.value >= 0 and units[name].quantity in _AMOUNTS | {Quantity.SHARE}:
            bounds.append(_not_negative(name, units[name]))
        most = None if place is None else _most_of_cycle(question, place)
        if most is not None and entry.value <= most:
            words = f"there cannot be more than {most}"
            bounds.append(Bound(f"at-most-all:{name}", name, BoundKind.AT_MOST, words, most))
    return tuple(bounds)


def _not_negative(name: str, unit: Unit) -> Bound:
    words = f"{unit.noun or 'what'} cannot be less than none"
    return Bound(f"not-negative:{name}", name, BoundKind.NOT_NEGATIVE, words)


def _most_of_cycle(question: LocatedQuestion, place: NumberPlace) -> int | None:
    """Return the most that a number of hours a day, days a week or minutes an hour can be, `None` for other numbers.

    There is none where it is that of several together, `30 hours a day in total`.
    """
    words = question.text[place.end : place.end + 60].split()[:3]
    if len(words) < 3 or _SUMMED.search(question.words_at(place.start, place.end)):
        return None
    small, joint, large = singular_unit(words[0]), words[1], singular_unit(words[2].rstrip(".,;:?!"))
    if joint not in _LISTS.words("each") or not {small, large} <= TIMES:
        return None
    with suppress(KeyError):
        return max(DAYS[large]) if small == "day" and large in DAYS else factor(small, large)
    return None


def bound_violations(subject: VariantSubject) -> Iterator[BoundViolation]:
    """Yield values that the words of a problem make impossible, input by input."""
    places = {name: place for name, place in subject.question.place_of.items() if _is_own(place)}
    for bound in subject.system.bounds:
        if isinstance(bound.limit, int) and bound.variable in places:
            breaking = range(bound.limit + 1, bound.limit + bound.limit // 4 + 3)
            yield BoundViolation(bound.variable, places[bound.variable], bound, tuple(breaking))
    for step in subject.source.steps:
        yield from _more_than_there_is(subject, step)


def _is_own(place: NumberPlace) -> bool:
    return place.rewritable and len(place.variables) == 1 and not place.form.rounded


def _more_than_there_is(subject: VariantSubject, step: TraceEntry) -> Iterator[BoundViolation]:
    """Yield parts larger and wholes smaller than what is left of them allows, where the problem asks for what is left."""
    unit = subject.units[step.variable]
    told = f"{subject.line_of(step.variable)} {step.variable.replace('_', ' ')}"
    asked = " ".join(sentence.text for sentence in subject.question.sentences if sentence.asks)
    rest = isinstance(step.expression, ir.Binary) and step.expression.operator == "-" and step.value > 0
    if not rest or unit.quantity not in _AMOUNTS or not (_LEFT.search(asked) and _LEFT.search(told)):
        return
    if _NEEDED.search(asked) or _OWING.search(subject.question.text):
        return
    bound = _not_negative(step.variable, unit)
    for name, slope in sorted(_slopes(subject, step), key=lambda pair: pair[1] > 0):
        place = subject.question.place_of[name]
        most = Fraction(place.value) - step.value / slope
        if _is_own(place):
            yield BoundViolation(name, place, bound, _beyond(floor(most) if slope < 0 else ceil(most), slope))


def _beyond(limit: int, slope: Fraction) -> tuple[Exact, ...]:
    """Return values a little beyond a limit, coarse where it is round: above it where more breaks a bound, else below."""
    grain = 1
    while limit > grain * 10 and limit % (grain * 10) == 0:
        grain *= 10
    steps = dict.fromkeys([*range(1, MOST_STEPS + 1), *(grain * count for count in range(1, MOST_STEPS + 1))])
    values = (limit + step if slope < 0 else limit - step for step in steps)
    return tuple(whole_as_int(value) for value in values if value > 1)


def _slopes(subject: VariantSubject, step: TraceEntry) -> Iterator[tuple[str, Fraction]]:
    """Yield by how much a step grows with each located input that it grows or shrinks with, evenly, as far as that can be told."""
    for name, place in subject.question.place_of.items():
        reached = step.variable in subject.source.trace.descendants(name)
        if not reached or subject.units[name].quantity is Quantity.SHARE or place.value.denominator != 1:
            continue
        try:
            first, second = (
                Fraction(propagate(subject.source.trace, name, place.value + more).values[step.variable])
                for more in (1, 2)
            )
        except (Refusal, ProgramError):
            continue
        slope = first - step.value
        if slope != 0 and second - first == slope:
            yield name, slope
