"""The search for inputs on which two programs, or a program in exact arithmetic and in floats, differ: small points, random points, Hypothesis."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING

from harness.domain import Counterexample, Exact, Parameter
from harness.program import ir
from harness.program.evaluation.evaluator import MOST_STEPS, SEARCH_STEPS, Evaluator, Outcome, evaluate, format_exact
from harness.program.evaluation.values import as_kind, plain
from harness.program.floating_point import DoubleEvaluator, agree_but_for_rounding, float_difference, steps_on_floats
from harness.program.ir import Program
from harness.program.refusal import ProgramError, Refusal, RefusalReason
from oracles.equivalence.input_domain import InputDomain, domain_of, pair_name
from oracles.equivalence.provers.symbolic_paths import NO_NUMBER, NO_RESULT

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Point = tuple[Fraction, ...]

SMALL = tuple(
    map(
        Fraction, ["1", "2", "3", "4", "5", "7", "10", "12", "100", "0", "-1", "-2", "1/2", "3/2", "1/3", "9/10", "5/2"]
    )
)
RANDOM_POINTS = 40
# Two rational functions that differ anywhere differ at nearly all points, so that few points show it.
PROOF_POINTS = 2
HYPOTHESIS_EXAMPLES = 60
# At how many multiples of a step, how many random points of each size, and of which steps, floats are looked for.
MULTIPLES, FLOAT_POINTS = 40, 20
MOST_DENOMINATORS, LARGEST_DENOMINATOR = 4, 1_000


@dataclass(slots=True)
class CounterexampleSearch:
    """Two programs under an alignment: `pairs` of parameter indices vary together, everything else is frozen.

    `domains` and points are by pair, `names` are those of the programs for messages. `checked` counts the points on which
    both could be evaluated, `valued` those of them on which both gave a value, `unsupported` those on which one could not.
    """

    left: Program
    right: Program
    pairs: Sequence[tuple[int, int]]
    domains: Sequence[InputDomain]
    names: tuple[str, str] = ("left", "right")
    checked: int = 0
    unsupported: int = 0
    valued: int = 0
    _parted: dict[Point, bool] = field(default_factory=dict)

    @property
    def start(self) -> Point:
        """Return the point of the problem itself."""
        return tuple(Fraction(self.left.parameters[first].value) for first, _ in self.pairs)

    def outcomes(self, point: Sequence[Fraction], *, most_steps: int = SEARCH_STEPS) -> tuple[Outcome, Outcome]:
        """Return what both programs give at a point.

        Raises:
            Refusal: one of them cannot be evaluated there in that many steps, or neither gives a number and one gives
                something else, such as a text: results that are no numbers are not compared.
        """
        inputs = self.inputs_at(point)
        left, right = (
            run_outcome(Evaluator(program, own, most_steps=most_steps))
            for program, own in zip((self.left, self.right), inputs, strict=True)
        )
        if left.value is None and right.value is None and NO_NUMBER in (left.error, right.error):
            raise Refusal(RefusalReason.NON_NUMERIC, "neither result is a number")
        return left, right

    def inputs_at(self, point: Sequence[Fraction]) -> tuple[list[Exact], list[Exact]]:
        """Return the inputs of both programs at a point; errors as in `typed`."""
        left = [parameter.value for parameter in self.left.parameters]
        right = [parameter.value for parameter in self.right.parameters]
        for (first, second), value in zip(self.pairs, point, strict=True):
            left[first] = typed(value, self.left.parameters[first])
            right[second] = typed(value, self.right.parameters[second])
        return left, right

    def parts_at(self, point: Sequence[Fraction], *, most_steps: int = SEARCH_STEPS) -> bool:
        """Tell whether the two differ at a point, and count it."""
        try:
            left, right = self.outcomes(point, most_steps=most_steps)
        except Refusal:
            self.unsupported += 1
            return False
        self.checked += 1
        self.valued += left.value is not None and right.value is not None
        return not left.agrees(right)

    def differs(self, point: Point) -> bool:
        """Tell whether the two differ at a point, without counting it; they do not where they cannot be compared."""
        if point not in self._parted:
            try:
                left, right = self.outcomes(point)
            except Refusal:
                self._parted[point] = False
            else:
                self._parted[point] = not left.agrees(right)
        return self._parted[point]

    def counterexample(self, point: Sequence[Fraction]) -> Counterexample:
        """Return the counterexample at a point where both programs, executed again from scratch, differ.

        Where they agree, the method that claimed a difference is wrong: an `AssertionError`.
        """
        left, right = self.outcomes(point, most_steps=MOST_STEPS)
        if left.agrees(right):
            message = f"a claimed counterexample does not hold: both give {left} at {[format_exact(value) for value in point]}"
            raise AssertionError(message)
        names = [pair_name(self.left.parameters[first], self.right.parameters[second]) for first, second in self.pairs]
        return Counterexample(dict(zip(names, map(format_exact, point), strict=True)), str(left), str(right))

    def agrees_in_floats(self, point: Sequence[Fraction]) -> bool:
        """Tell whether a discrete step on floats makes both give the same value in Python at a point where they differ exactly."""
        sides = zip((self.left, self.right), self.inputs_at(point), strict=True)
        try:
            left, right = (
                evaluate(program, own, evaluator=DoubleEvaluator if steps_on_floats(program) else Evaluator)
                for program, own in sides
            )
        except Refusal:
            return False
        return agree_but_for_rounding(left, right)

    def evaluated_point(self, random: Random) -> Point | None:
        """Return a point on which the two differ: few inputs moved off the problem's values, then all moved to random ones."""
        sizes = itertools.islice(itertools.cycle((5, 20, 100, 1000)), RANDOM_POINTS)
        drawn = (tuple(random_value(domain, size, random) for domain in self.domains) for size in sizes)
        for point in itertools.chain(self._small_points(), drawn):
            if point not in self._parted:
                self._parted[point] = self.parts_at(point)
                if self._parted[point]:
                    return point
        return None

    def _small_points(self) -> Iterator[Point]:
        start = self.start
        yield start
        small = [(place, value) for value in SMALL for place in range(len(start))]
        near = [(at, value) for at, own in enumerate(start) for value in (own + 1, own * 2, own - 1, own / 2)]
        for place, value in small + near:
            if value in self.domains[place]:
                yield (*start[:place], value, *start[place + 1 :])

    def bears_out(self, seed: bytes) -> bool:
        """Tell whether both give the same value at a few points at which the inputs differ as far as their domains allow.

        It confirms a proof about two rational functions; other programs may differ at few points.
        """
        random = Random(seed)
        for _ in range(PROOF_POINTS):
            point = []
            tops = random.sample(range(7, 100 + len(self.domains)), len(self.domains))
            for domain, top in zip(self.domains, tops, strict=True):
                value = Fraction(top, 1 if domain.integral else 8)
                point.append(value if value in domain else random_value(domain, top, random))
            try:
                left, right = self.outcomes(point)
            except Refusal:
                return False
            if left.value is None or left.value != right.value:
                return False
        return True

    def hypothesis_point(self, random: Random) -> Point | None:
        """Return a point on which the two differ, searched by Hypothesis; it is not shrunk, which takes long with long loops."""
        import hypothesis  # 0.3 s to import, and few pairs come this far
        from hypothesis import errors, strategies  # as above

        strategy = strategies.tuples(*(_strategy(domain) for domain in self.domains))
        settings = hypothesis.settings(
            max_examples=HYPOTHESIS_EXAMPLES,
            database=None,
            deadline=None,
            derandomize=True,
            phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        try:
            return hypothesis.find(strategy, self.parts_at, settings=settings, random=random)
        except errors.NoSuchExample:
            return None


def run_outcome(evaluator: Evaluator) -> Outcome:
    """Run a program that is ready to run; a result that is no number gives `NO_NUMBER` or `NO_RESULT` for its error, what cannot be evaluated is a `Refusal`."""
    try:
        result = evaluator.run()
    except ProgramError as error:
        return Outcome(None, error.name)
    if isinstance(result, bool) or not isinstance(result, int | Fraction):
        return Outcome(None, NO_RESULT if result is None else NO_NUMBER)
    return Outcome(plain(result))


def typed(value: Fraction, parameter: Parameter) -> Exact:
    """Return a value as Python would hold it in the place of a parameter's own value: of the same class, a float for a broken int."""
    if isinstance(parameter.value, int):
        return value.numerator if value.denominator == 1 else value
    return as_kind(type(parameter.value), value)


def moved_inputs(names: Iterable[str], point: Iterable[Exact], start: Iterable[Exact]) -> str:
    """Return in words which inputs of a point are not at the problem's own values."""
    values = zip(names, point, start, strict=True)
    moved = [f"{name} = {format_exact(value)}" for name, value, own in values if value != own]
    return f"with {', '.join(moved)}" if moved else "on the problem's own values"


def random_value(domain: InputDomain, size: int, random: Random) -> Fraction:
    """Return a drawn value of the domain, of about the given size."""
    for _ in range(50):
        top = Fraction(random.randint(0, size))
        value = top if domain.integral else top / random.choice((1, 2, 3, 4, 5, 8, 10, 100))
        value = value if domain.low is not None and domain.low >= 0 else value * random.choice((1, -1))
        if domain.high is not None and domain.low is not None and value > domain.high:
            value = domain.low + (domain.high - domain.low) * Fraction(random.randint(1, 100), 100)
        if value in domain:
            return value
    if domain.low is not None:
        return domain.low if domain.low in domain else domain.low + 1
    return domain.high if domain.high is not None and domain.high in domain else Fraction(-1)


def _strategy(domain: InputDomain) -> SearchStrategy[Fraction]:
    from hypothesis import strategies  # imported with hypothesis above

    if domain.integral:
        low, high = (None if bound is None else int(bound) for bound in (domain.low, domain.high))
        return strategies.integers(low, high).map(Fraction).filter(domain.__contains__)
    return strategies.fractions(domain.low, domain.high, max_denominator=100).filter(domain.__contains__)


def float_step(program: Program) -> str | None:
    """Return a sentence on the first point at which Python's floats give a program another value; `None` where none was found.

    Tried are the first forty multiples of 1, of a tenth and of the denominators of its numbers, for each input beside the own values of the
    others, and random points of the domain: a step shows where its exact operand is whole, as 0.07 times a price is at each 100.
    Values that differ by rounding alone are the same.
    """
    if not steps_on_floats(program):
        return None
    for point in _float_points(program):
        inputs = [typed(value, parameter) for value, parameter in zip(point, program.parameters, strict=True)]
        try:
            exact = evaluate(program, inputs, most_steps=SEARCH_STEPS)
        except Refusal:
            continue
        doubles = float_difference(program, exact, inputs, most_steps=SEARCH_STEPS)
        if doubles is not None:
            given_inputs = [parameter.value for parameter in program.parameters]
            where = moved_inputs([parameter.name for parameter in program.parameters], point, given_inputs)
            given = doubles.error or f"{float(doubles.value or 0):.15g}"
            return f"{where}, exact arithmetic gives {exact} and Python's floats give {given}"
    return None


def _float_points(program: Program) -> Iterator[Point]:
    own = tuple(Fraction(parameter.value) for parameter in program.parameters)
    domains = [domain_of(parameter) for parameter in program.parameters]
    yield own
    for step in (Fraction(1), Fraction(1, 10), *map(Fraction, _denominators(program))):
        for place, domain in enumerate(domains):
            for value in (step * count for count in range(1, MULTIPLES + 1)):
                if value in domain:
                    yield (*own[:place], value, *own[place + 1 :])
    random = Random(0)
    for size in (10, 100, 1000) if own else ():
        for _ in range(FLOAT_POINTS):
            yield tuple(random_value(domain, size, random) for domain in domains)


def _denominators(program: Program) -> list[int]:
    """Return the denominators of the fractions that a program holds or is given, the least first."""
    constants = ir.nodes_of((program.body, tuple(program.functions.values()), program.answer))
    numbers = [node.value for node in constants if isinstance(node, ir.Const)]
    fractions = [own for own in (*numbers, *(given.value for given in program.parameters)) if isinstance(own, Fraction)]
    return sorted({own.denominator for own in fractions} & set(range(2, LARGEST_DENOMINATOR + 1)))[:MOST_DENOMINATORS]
