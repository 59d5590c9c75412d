"""The witness of a refutation: inputs near the problem's own values on which two programs differ."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from harness.domain import Parameter, Provenance, WitnessKind
from harness.text.nouns import singular_noun
from harness.text.units import FACTS
from harness.text.words import plain_words
from oracles.equivalence.counterexample_search import CounterexampleSearch, Point
from oracles.equivalence.input_domain import InputDomain, greatest_value
from oracles.equivalence.intermediate_values import IntermediateValues, ValueFit

HALVINGS = 16
_STEPS = (1, -1, 2, -2, 3, -3, 5, -5, 10)
_SHARES = tuple(
    map(Fraction, ("1/2", "1/4", "3/4", "1/5", "2/5", "3/5", "4/5", "1/10", "3/10", "1/3", "2/3", "1/20", "9/10"))
)


@dataclass(frozen=True, slots=True)
class Witness:
    """A point of the aligned inputs on which two programs differ, and how near it is to the problem."""

    point: Point
    kind: WitnessKind


def nearest_witness(search: CounterexampleSearch, fallback: Point) -> Witness:
    """Return the sensible point nearest to the problem's own values on which the two programs of a search differ.

    A point is sensible if the inputs that are whole in the problem are whole, each input keeps to the range that its words give,
    facts of world knowledge keep their value, both programs give a result, and no value of either is negative that is not
    negative in the problem. One input is moved; a point at which all counts stay whole comes first. `fallback` is a point on which
    the two differ. Where no sensible point is found, the witness is extreme: the nearest of the other points with one moved input, or
    `fallback` with as few moved inputs as it needs, each drawn towards its own value.
    """
    if fallback == search.start:
        return Witness(fallback, WitnessKind.OWN_VALUES)
    start, near = search.start, []
    for value, domain, (first, second) in zip(start, search.domains, search.pairs, strict=True):
        inputs = (search.left.parameters[first], search.right.parameters[second])
        near.append([] if any(map(is_world_fact, inputs)) else list(near_values(value, domain, inputs)))
    best = _sensible_point(search, one_moved(start, near))
    if best is not None:
        return Witness(best, WitnessKind.SENSIBLE)
    for point in filter(search.differs, one_moved(start, near_values_of(search))):
        return Witness(point, WitnessKind.EXTREME)
    return Witness(_reduced_point(search, fallback), WitnessKind.EXTREME)


def _sensible_point(search: CounterexampleSearch, points: Iterable[Point]) -> Point | None:
    """Return the first point at which the two differ and all counts stay whole, else the first that is sensible."""
    sides, sensible = (IntermediateValues(search.left), IntermediateValues(search.right)), None
    for point in filter(search.differs, points):
        fit = min(side.fit(own) for side, own in zip(sides, search.inputs_at(point), strict=True))
        if fit is ValueFit.WHOLE:
            return point
        if sensible is None and fit is ValueFit.FRACTIONAL:
            sensible = point
    return sensible


def _reduced_point(search: CounterexampleSearch, point: Point) -> Point:
    """Return the point with each input at its own value, or as near to it as halving the distance finds the two to differ."""
    for place, own in enumerate(search.start):
        moved = (*point[:place], own, *point[place + 1 :])
        if search.differs(moved):
            point = moved
    for place, own in enumerate(search.start):
        near = own
        for _ in range(HALVINGS):
            middle = (point[place] + near) / 2
            if point[place].denominator == own.denominator == 1:
                middle = Fraction(middle // 1)
            if middle in {point[place], near}:
                break
            moved = (*point[:place], middle, *point[place + 1 :])
            if middle in search.domains[place] and search.differs(moved):
                point = moved
            else:
                near = middle
    return point


def near_values_of(search: CounterexampleSearch) -> list[list[Fraction]]:
    """Return the values near each input's own value, as `near_values` gives them."""
    return [list(near_values(value, domain)) for value, domain in zip(search.start, search.domains, strict=True)]


def near_values(value: Fraction, domain: InputDomain, parameters: Iterable[Parameter] = ()) -> Iterator[Fraction]:
    """Yield values of a domain near an input's own value, the nearest first; whole ones where the own value is whole."""
    known = {value}
    limits = [limit for parameter in parameters if (limit := greatest_value(parameter)) is not None and value <= limit]
    for near in _near(value):
        if near not in known and near in domain and near * value >= 0 and all(near <= limit for limit in limits):
            known.add(near)
            yield near


def _near(value: Fraction) -> Iterator[Fraction]:
    if value.denominator == 1:
        yield from (value + step for step in _STEPS if value + step != 0 or value == 0)
        yield from (value * 2, value * 3, Fraction(value // 2), value * 10)
    elif 0 < value < 1:
        yield from sorted(_SHARES, key=lambda share: (abs(share - value), share))
    else:
        below = Fraction(value // 1)
        yield from (below + 1, below, value + 1, value + Fraction(1, 2), value - Fraction(1, 2), value - 1, value * 2)


def one_moved(start: Point, near: list[list[Fraction]]) -> Iterator[Point]:
    """Yield the points with one moved input, the nearest values of all inputs first."""
    for values in itertools.zip_longest(*near):
        for place, value in enumerate(values):
            if value is not None:
                yield (*start[:place], value, *start[place + 1 :])


def is_world_fact(parameter: Parameter) -> bool:
    """Tell whether an input is a number of world knowledge, by its provenance or by its value and words."""
    if parameter.provenance is Provenance.WORLD_KNOWLEDGE:
        return True
    words = frozenset(map(singular_noun, plain_words(parameter.name)))
    return any(
        fact.known and fact.value == parameter.value and any(words.issuperset(known) for known in fact.alternatives)
        for fact in FACTS
    )
