"""Values close to the true one and written alike, which a reader could take for the quantity."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from fractions import Fraction

from generators.flaws.solution.quantity_units import Unit, absurdity
from generators.variants.variant_source import VariantSubject
from harness.domain import Exact
from harness.text.number_forms import NumberForm, NumberKind
from harness.text.numbers import mentions, whole_as_int

FURTHEST = Fraction(1, 2)


def mentioned_values(subject: VariantSubject) -> frozenset[Exact]:
    """Return every value of a problem: those of its trace and all that the numbers of its question can mean."""
    read = {reading for mention in subject.question.mentions for reading in mention.readings}
    return frozenset({*subject.values.values(), *read})


def neighbors_of(
    value: Exact, form: NumberForm, unit: Unit, avoided: Collection[Exact], *, same_length: bool = True
) -> list[Exact]:
    """Return other values of a quantity, in order of size, that are written in digits with as many characters.

    They are at most half as much away, small numbers one or two; none of them is avoided, zero, or absurd for the unit.
    """
    written = form.write(value)
    if written is None:
        return []
    neighbors = set()
    for other in _around(value, form):
        text = form.write(other)
        if other in avoided or other <= 0 or text is None or absurdity(unit, value, other) is not None:
            continue
        if same_length and form.kind in {NumberKind.NUMERAL, NumberKind.FRACTION} and len(text) != len(written):
            continue
        read = mentions(text)
        if len(read) == 1 and other in read[0].readings:
            neighbors.add(other)
    return sorted(neighbors)


def _around(value: Exact, form: NumberForm) -> Iterator[Exact]:
    number = Fraction(value) * form.scale
    grains = [Fraction(1, number.denominator)] if form.kind is NumberKind.FRACTION else _grains(number)
    for grain in grains:
        reach = max(abs(number) * FURTHEST, 2 * grain if grain <= 1 else 0)
        for count in range(1, 6):
            if grain * count <= reach:
                yield whole_as_int((number + grain * count) / form.scale)
                yield whole_as_int((number - grain * count) / form.scale)


def _grains(number: Fraction) -> list[Fraction]:
    """Return the steps in which a person would miss a number: 1500 by hundreds or fifties, 349 by ones or tens, 12.5 by ones."""
    if number.denominator != 1:
        return [Fraction(1), Fraction(1, 2)] if number > 3 else [Fraction(1, number.denominator)]
    size = 1
    while number and number % (size * 10) == 0:
        size *= 10
    if number == size:
        return [Fraction(size, 2), Fraction(size, 10)] if size > 1 else [Fraction(1)]
    if size > 1:
        return [Fraction(size), Fraction(size, 2)]
    return [Fraction(1), Fraction(10)] if number > 100 else [Fraction(1)]
