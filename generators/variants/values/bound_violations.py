"""Values of an input that would violate a bound that the words of its problem set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from generators.flaws.solution.quantity_units import Quantity
from generators.variants.quantity_bounds import clause_at, cycle_of, line_of
from generators.variants.question.input_places import NumberPlace
from generators.variants.variant_source import VariantSubject
from harness.constraint_system import Bound, BoundKind, ConstraintStep
from harness.domain import Exact
from harness.program import ir
from harness.program.refusal import ProgramError, Refusal
from harness.solution.trace import TraceEntry, propagate
from harness.text.lexicon import english
from harness.text.nouns import singular_noun
from harness.text.numbers import whole_as_int

_LISTS = english("variants")
MOST_STEPS = 5
TOGETHER = "shares_together"
"""The variable for the sum of shares that the solution does not add up."""
_AMOUNTS = frozenset({Quantity.COUNT, Quantity.TIME, Quantity.MEASURE, Quantity.MONEY})
_LEFT = re.compile(r"\b(?:left|remain|remains|remained|remaining|the rest|leftover)\b")
_NEEDED = re.compile(rf"\b(?:{_LISTS.either('needed')})\b")
_OWING = re.compile(rf"\b(?:{_LISTS.either('owing')})\b")
_TAKING, _GETTING, _SPENDING, _EARNING = (
    re.compile(rf"\b(?:{_LISTS.either(name)})\b") for name in ("taking", "getting", "spending", "earning")
)
_UNSURE = re.compile(rf"\b(?:{_LISTS.either('unsure')})\b")
_OF_KIND = re.compile(
    r" of (?:them|these|those|which|whom|(?:the|these|those|his|her|their|its) (?P<noun>[a-z]+))\b(?! of\b)"
)
_REST = re.compile(r"\bthe (?:rest|others|remainder|remaining|other)\b")
_NESTED = re.compile(
    r"\bof (?:the |his |her |their |its )?(?:rest|remain\w+|others?|balance|those|these)\b|\bdiscount|\boff\b"
)
_OF_WHOLE = re.compile(r"(?: ?%| ?per ?cent)? of (?:the |his |her |their |its |all )*(?P<noun>[a-z]+)")
_PERCENT = re.compile(r"\d+(?:\.\d+)?(?: ?%| ?per ?cent)")


@dataclass(frozen=True, slots=True)
class BoundViolation:
    """The forbidden values of an input: values that break a bound, and the bound, which the problem's own value meets.

    `steps` compute the bounded quantity where the solution does not.
    """

    variable: str
    place: NumberPlace
    bound: Bound
    breaking: tuple[Exact, ...]
    steps: tuple[ConstraintStep, ...] = ()


def bound_violations(subject: VariantSubject) -> Iterator[BoundViolation]:
    """Yield values that the words of a problem make impossible, input by input."""
    for name, place in subject.question.place_of.items():
        if _is_own(place) and not place.form.rounded:
            yield from _beyond_cycle(subject, name, place)
    for step in subject.source.steps:
        yield from _more_than_there_is(subject, step)
    yield from _more_of_them(subject)
    yield from _shares_together(subject)


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


def _more_of_them(subject: VariantSubject) -> Iterator[BoundViolation]:
    """Yield more of some things than there are: `12 of the 8 pens`, where both numbers are given."""
    question = subject.question
    for part in question.places:
        of = _OF_KIND.match(question.text, part.end)
        sentence = question.sentence_at(part.start)
        if of is None or sentence is None or _UNSURE.search(sentence.text) or not _is_own(part) or part.value <= 1:
            continue
        if part.form.after.strip() or _PERCENT.match(question.text, part.start) is not None:
            # `80% of them` is no number of things.
            continue
        whole = next((place for place in reversed(question.places) if place.end <= part.start), None)
        if whole is None or not _is_own(whole) or whole.value <= part.value:
            continue
        name, all_of_it = part.variables[0], whole.variables[0]
        noun = subject.units[all_of_it].noun
        counted = subject.units[all_of_it].quantity is Quantity.COUNT and bool(noun)
        if counted and (of["noun"] is None or singular_noun(of["noun"]) == noun):
            words = clause_at(subject, part.start, part.end)
            bound = Bound(f"part:{name}", name, BoundKind.AT_MOST, words, all_of_it)
            yield BoundViolation(name, part, bound, _beyond(whole.value, larger=True))


def _shares_together(subject: VariantSubject) -> Iterator[BoundViolation]:
    """Yield shares of one whole, whose rest is told as well, that are more than all of it together: `60% red, 50% blue`."""
    question = subject.question
    for sentence in question.sentences:
        places = [place for place in question.places if sentence.start <= place.start < sentence.end]
        shares = [place for place in places if _PERCENT.match(question.text, place.start) is not None]
        rest = _REST.search(question.text, sentence.start)
        wholes = {match["noun"] for place in shares if (match := _OF_WHOLE.match(question.text, place.end)) is not None}
        unclear = _NESTED.search(sentence.text) or _UNSURE.search(sentence.text) or TOGETHER in subject.values
        if len(shares) < 2 or rest is None or unclear or len(wholes) > 1:
            continue
        scale = {100 if place.value >= 1 else 1 for place in shares}
        own = all(_is_own(place) and place.value > 0 for place in shares)
        if own and len(scale) == 1 and sum(Fraction(place.value) for place in shares) < min(scale):
            yield from _more_than_all(shares, min(scale), sentence.text)


def _more_than_all(shares: Sequence[NumberPlace], everything: int, words: str) -> Iterator[BoundViolation]:
    first, *others = (place.variables[0] for place in shares)
    added: ir.Expr = ir.Name(first)
    for name in others:
        added = ir.Binary("+", added, ir.Name(name))
    step = ConstraintStep(f"together:{TOGETHER}", TOGETHER, added, words)
    bound = Bound(f"at-most-all:{TOGETHER}", TOGETHER, BoundKind.AT_MOST, words, everything)
    grain, total = Fraction(everything, 20), sum(Fraction(place.value) for place in shares)
    for place in shares:
        least = int((everything - total + place.value) // grain) + 1
        values = tuple(whole_as_int(grain * count) for count in range(least, min(least + MOST_STEPS, 20)))
        yield BoundViolation(place.variables[0], place, bound, values, steps=(step,))
