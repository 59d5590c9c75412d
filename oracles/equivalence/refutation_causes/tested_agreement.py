"""Comparisons of two programs at points: where they agree, which inputs change a result, and whether the domain explains a difference."""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.refusal import Refusal
from oracles.equivalence.counterexamples.intermediate_values import IntermediateValues, ValueFit
from oracles.equivalence.counterexamples.witness import near_values
from oracles.equivalence.refutation_causes.program_rewrites import ROUNDING_FUNCTIONS, nodes_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.domain import Exact
    from harness.program.evaluation.evaluator import Outcome
    from harness.program.ir import Program
    from oracles.equivalence.counterexamples.counterexample_search import CounterexampleSearch

Point = tuple[Fraction, ...]

QUICK_POINTS = 24
FEWEST_NUMBERS = 8
FEWEST_ADMISSIBLE = 20
FEWEST_RESULTS = 4
DOMAIN_POINTS = 150
FACTORS = (2, 3, 4, 6, 12)
FURTHER_STEPS = (4, 6, 7, 8, 9, 12, 15, 20)


def agree_at_points(search: CounterexampleSearch, random: Random) -> bool:
    """Tell whether two programs agree at small and random points, at enough of them on numbers, and not on one number only."""
    numbers: list[object] = []
    for point in itertools.islice(_sample(search, random), QUICK_POINTS):
        try:
            left, right = search.outcomes(point)
        except Refusal:
            search.unsupported += 1
            continue
        search.checked += 1
        if not left.agrees(right):
            return False
        if left.value is not None:
            numbers.append(left.value)
    return len(numbers) >= FEWEST_NUMBERS and len(set(numbers)) > 1


def _sample(search: CounterexampleSearch, random: Random) -> Iterator[Point]:
    """Yield the problem's own point, points near it with one input moved, and points with all inputs moved."""
    start = search.start
    yield start
    near = [list(near_values(value, domain)) for value, domain in zip(start, search.domains, strict=True)]
    for turn in range(2):
        for place, values in enumerate(near):
            if turn < len(values):
                yield (*start[:place], values[turn], *start[place + 1 :])
    while any(near):
        yield tuple(random.choice(values) if values else own for own, values in zip(start, near, strict=True))


def moves(search: CounterexampleSearch, side: int, place: int) -> bool:
    """Tell whether moving one input changes the result of one side, from the problem's own values or from others."""
    near = [list(near_values(value, domain)) for value, domain in zip(search.start, search.domains, strict=True)]
    others = tuple(values[1] if len(values) > 1 else own for own, values in zip(search.start, near, strict=True))
    for base in (search.start, others):
        results: set[Outcome | None] = set()
        for value in (base[place], *near[place][:3], *near[place][-1:]):
            try:
                results.add(search.outcomes((*base[:place], value, *base[place + 1 :]))[side])
            except Refusal:
                continue
            if len(results) > 1:
                return True
    return False


def admissible_points(search: CounterexampleSearch) -> int:
    """Return at how many points two programs agree while all counts are whole and not negative; 0 where that is not the cause.

    It is not where the two differ at such a point, where they seldom differ at the others, or where such points are too few to
    speak for the rest: each input that changes a result is moved alone, and the results vary. Values need to be whole only where
    an operation of the programs depends on it.
    """
    sides = IntermediateValues(search.left), IntermediateValues(search.right)
    needs = ValueFit.WHOLE if any(map(_depends_on_wholeness, (search.left, search.right))) else ValueFit.FRACTIONAL
    if not any(map(_has_cases, (search.left, search.right))):
        return 0
    agreeing: dict[Point, Exact | None] = {}
    broken: dict[ValueFit, list[bool]] = defaultdict(list)
    for point in dict.fromkeys(_domain_sample(search)):
        try:
            inputs = search.inputs_at(point)
        except Refusal:
            continue
        left, right = (side.fitted(own) for side, own in zip(sides, inputs, strict=True))
        if left.outcome is None or right.outcome is None:
            continue
        agree, fits = left.outcome.agrees(right.outcome), {left.fit, right.fit}
        # Where one side alone has no result, the other side tells whether the point is one of the problem's domain.
        fit = max(fits) if ValueFit.NONE in fits else min(fits)
        if fit < needs:
            broken[fit].append(not agree)
        elif not agree:
            return 0
        else:
            agreeing[point] = left.outcome.value
    explained = any(sum(differ) >= 3 and sum(differ) * 4 >= len(differ) for differ in broken.values())
    if not explained or len(agreeing) < FEWEST_ADMISSIBLE or len(set(agreeing.values())) < FEWEST_RESULTS:
        return 0
    alone = all(_moved_alone(search, agreeing, place) for place in range(len(search.pairs)))
    return len(agreeing) if alone else 0


def _moved_alone(search: CounterexampleSearch, points: Iterable[Point], place: int) -> bool:
    """Tell whether an input is moved alone, off the problem's own values, at two of the points, or changes no result."""
    start = search.start
    alone = {point[place] for point in points if point == (*start[:place], point[place], *start[place + 1 :])}
    return len(alone - {start[place]}) >= 2 or not (moves(search, 0, place) or moves(search, 1, place))


def _depends_on_wholeness(program: Program) -> bool:
    """Tell whether an operation of a program treats whole and fractional numbers differently."""
    return any(
        (isinstance(node, ir.Binary) and node.operator in {"//", "%"})
        or (isinstance(node, ir.Call) and node.function in {*ROUNDING_FUNCTIONS, "range", "gcd", "lcm", "divmod"})
        or isinstance(node, ir.While | ir.Subscript)
        for node in nodes_of(program)
    )


def _has_cases(program: Program) -> bool:
    """Tell whether a program has a condition, a loop or a function by which it may treat some numbers otherwise."""
    return _depends_on_wholeness(program) or any(
        isinstance(node, ir.If | ir.Conditional | ir.Comparison | ir.For | ir.Boolean)
        or (isinstance(node, ir.Call) and node.function in {"min", "max", "abs", "fabs", "sqrt", "sum", "sorted"})
        for node in nodes_of(program)
    )


def _domain_sample(search: CounterexampleSearch) -> Iterator[Point]:
    """Yield points with one input moved, multiples of the problem's values, and mixtures of values near the problem and far from it."""
    start, random = search.start, Random(len(search.pairs))  # the same points for the same pair
    pools = [
        [
            value
            for value in dict.fromkeys(
                (*near_values(own, domain), *_further(own), Fraction(own // 4), own * 20, own * 100)
            )
            if value in domain
        ]
        for own, domain in zip(start, search.domains, strict=True)
    ]
    far = [
        [
            value
            for value in (own, *map(Fraction, (1, 2, 3, 5)), Fraction(own // 4), own * 20, own * 100)
            if value in domain
        ]
        for own, domain in zip(start, search.domains, strict=True)
    ]
    for place, values in enumerate(pools):
        yield from ((*start[:place], value, *start[place + 1 :]) for value in values)
    yield from (
        tuple(own * factor for own in start)
        for factor in FACTORS
        if all(own * factor in domain for own, domain in zip(start, search.domains, strict=True))
    )
    for number in range(DOMAIN_POINTS):
        drawn = far if number % 2 else pools
        moved = tuple(random.choice(pool) if pool else own for own, pool in zip(start, drawn, strict=True))
        chosen = random.sample(range(len(start)), min(2, len(start)))
        yield moved
        yield tuple(value if place in chosen else start[place] for place, value in enumerate(moved))


def _further(own: Fraction) -> Iterator[Fraction]:
    """Yield multiples of an input's own value, and values that are further from it than those of a witness."""
    yield from (own * factor for factor in FACTORS)
    yield from (own + step * sign for step in FURTHER_STEPS for sign in (1, -1) if step < own)
