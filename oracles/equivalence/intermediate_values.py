"""The intermediate values of programs: whether they stay whole and not negative as in the problem, and agreement where they do."""

import enum
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import SEARCH_STEPS, Evaluator, Outcome
from harness.program.ir import Expr, Program
from harness.program.refusal import Refusal
from oracles.equivalence.counterexample_search import CounterexampleSearch, Point, run_outcome
from oracles.equivalence.input_domain import bound_orders, greatest_value
from oracles.equivalence.program_rewrites import ROUNDING_FUNCTIONS

FEWEST_ADMISSIBLE, FEWEST_RESULTS = 20, 4
DOMAIN_POINTS = 150
FACTORS = (2, 3, 4, 6, 12)
STEPS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20)
_FORMULA = (ir.Function, ir.Assign, ir.Return, ir.Const, ir.Input, ir.Name, ir.Binary, ir.Unary)
_QUANTITIES = (ir.Input, ir.Binary, ir.Call, ir.Unary, ir.Conditional)


class ValueFit(enum.IntEnum):
    """How well the values of an evaluation fit the problem, the better the greater."""

    NONE = 0
    """There is no result: the program raises an exception, or its evaluation is refused."""
    OUTSIDE = 1
    """A value is negative that is not negative in the problem, or a bound that names give is broken: too many hours a day."""
    FRACTIONAL = 2
    """No such value is negative, but one is fractional that is whole in the problem."""
    WHOLE = 3
    """Every count of the problem is whole and not negative."""


class _ValueSigns(NamedTuple):
    """Whether all values of an expression are whole, not negative, and zero."""

    whole: bool = True
    natural: bool = True
    zero: bool = True


class _Observer(Evaluator):
    """An evaluator that keeps of each expression whether all its values were whole, and not negative."""

    signs: dict[int, _ValueSigns]

    def _node_value(self, node: Expr, scope: dict[str, object]) -> object:
        value = super()._node_value(node, scope)
        if isinstance(node, _QUANTITIES) and isinstance(value, int | Fraction) and not isinstance(value, bool):
            whole, natural, zero = self.signs.get(id(node), _ValueSigns())
            whole, natural = whole and value.denominator == 1, natural and value >= 0
            self.signs[id(node)] = _ValueSigns(whole, natural, zero and value == 0)
        return value


class IntermediateValues:
    """A program with the signs and wholeness that its values have at its own inputs."""

    def __init__(self, program: Program) -> None:
        self.program = program
        # What a program rounds, it expects to be broken.
        self._rounded = {
            id(node.arguments[0])
            for node in ir.nodes_of((tuple(program.functions.values()), program.body, program.answer))
            if isinstance(node, ir.Call) and node.function in ROUNDING_FUNCTIONS and node.arguments
        }
        self._own: dict[int, _ValueSigns] = {}
        self._observed([parameter.value for parameter in program.parameters], self._own)

    def fit(self, inputs: Sequence[Exact]) -> ValueFit:
        """Evaluate the program, and tell how well the signs and the wholeness of its values fit those of the problem.

        An expression that is not evaluated at the program's own inputs is not compared; zero does not say that a value is a count.
        """
        signs: dict[int, _ValueSigns] = {}
        outcome = self._observed(inputs, signs)
        if outcome is None or outcome.value is None:
            return ValueFit.NONE
        fit = ValueFit.WHOLE
        for node, seen in signs.items():
            own = self._own.get(node)
            if own is not None and own.natural and not seen.natural:
                return ValueFit.OUTSIDE
            if own is not None and own.whole and not own.zero and not seen.whole and node not in self._rounded:
                fit = ValueFit.FRACTIONAL
        return fit

    def _observed(self, inputs: Sequence[Exact], signs: dict[int, _ValueSigns]) -> Outcome | None:
        observer = _Observer(self.program, inputs, most_steps=SEARCH_STEPS)
        observer.signs = signs
        try:
            return run_outcome(observer)
        except Refusal:
            return None


def admissible_points(search: CounterexampleSearch) -> int:
    """Return at how many points two programs agree while all counts are whole and not negative; 0 where that is not the cause.

    It is not where the two differ at such a point, where they seldom differ at the others, where such points are too few, or
    their results too much the same, to speak for the rest, or where both programs are formulas, which have no cases. Fractions speak for the
    rest, too, where the two never differ by them.
    """
    if all(_is_formula(program) for program in (search.left, search.right)):
        return 0
    sides = IntermediateValues(search.left), IntermediateValues(search.right)
    agreeing: dict[ValueFit, list[Exact | None]] = defaultdict(list)
    broken: dict[ValueFit, list[bool]] = defaultdict(list)
    in_bounds = _bounds_of(search)
    for point in dict.fromkeys(_domain_sample(search)):
        try:
            left, right = search.outcomes(point)
        except Refusal:
            continue
        agree = left.agrees(right)
        fits = {side.fit(own) for side, own in zip(sides, search.inputs_at(point), strict=True)}
        # Where one side alone has no result, the other side tells whether the point is one of the problem's domain.
        fit = max(fits) if ValueFit.NONE in fits else min(fits)
        if not in_bounds(point):
            fit = ValueFit.OUTSIDE
        if fit is not ValueFit.WHOLE:
            broken[fit].append(not agree)
        elif not agree:
            return 0
        if agree:
            agreeing[fit].append(left.value)
    explained = any(sum(differ) >= 3 and sum(differ) * 4 >= len(differ) for differ in broken.values())
    results = agreeing[ValueFit.WHOLE] + ([] if any(broken[ValueFit.FRACTIONAL]) else agreeing[ValueFit.FRACTIONAL])
    others = len(results) - max(Counter(results).values(), default=0)
    enough = len(results) >= FEWEST_ADMISSIBLE and (len(set(results)) >= FEWEST_RESULTS or others >= FEWEST_ADMISSIBLE)
    return len(results) if explained and enough else 0


def _bounds_of(search: CounterexampleSearch) -> Callable[[Point], bool]:
    """Return whether a point keeps to the bounds that the words of the inputs give: lower under upper ones, at most 24 hours a day."""
    inputs = [(search.left.parameters[first], search.right.parameters[second]) for first, second in search.pairs]
    limits = [
        min((limit for one in both if (limit := greatest_value(one)) is not None and one.value <= limit), default=None)
        for both in inputs
    ]
    orders = {order for side in zip(*inputs, strict=True) for order in bound_orders(side)}

    def keeps(point: Point) -> bool:
        return all(point[low] <= point[high] for low, high in orders) and all(
            limit is None or value <= limit for value, limit in zip(point, limits, strict=True)
        )

    return keeps


def _is_formula(program: Program) -> bool:
    """Tell whether a program is made of assignments and arithmetic operations alone, without rounding."""
    for node in ir.nodes_of((tuple(program.functions.values()), program.body, program.answer)):
        own_call = isinstance(node, ir.Call) and node.function in program.functions
        rounds = isinstance(node, ir.Binary) and node.operator in {"//", "%"}
        if rounds or not (own_call or isinstance(node, _FORMULA)):
            return False
    return True


def _domain_sample(search: CounterexampleSearch) -> Iterator[Point]:
    """Yield points with one input moved, multiples of the problem's values, and mixtures of values near the problem and far from it."""
    start, random = search.start, Random(len(search.pairs))  # the same points for the same pair
    pools: tuple[list[list[Fraction]], list[list[Fraction]]] = ([], [])
    for own, domain in zip(start, search.domains, strict=True):
        far = (Fraction(own // 4), own * 20, own * 100)
        near = (*(own + step * sign for step in STEPS for sign in (1, -1)), *(own * factor for factor in FACTORS), *far)
        pools[0].append([value for value in dict.fromkeys(near) if value in domain])
        pools[1].append([value for value in (own, *map(Fraction, (1, 2, 3, 5)), *far) if value in domain])
    for place, values in enumerate(pools[0]):
        yield from ((*start[:place], value, *start[place + 1 :]) for value in values)
    for factor in FACTORS:
        yield tuple(
            own * factor if own * factor in domain else own for own, domain in zip(start, search.domains, strict=True)
        )
    for number in range(DOMAIN_POINTS):
        moved = tuple(random.choice(pool) if pool else own for own, pool in zip(start, pools[number % 2], strict=True))
        chosen = random.sample(range(len(start)), min(2, len(start)))
        yield moved
        yield tuple(value if place in chosen else start[place] for place, value in enumerate(moved))
