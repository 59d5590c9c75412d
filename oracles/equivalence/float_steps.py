"""Inputs at which a discrete step on floats makes a program give another value in Python than in exact arithmetic."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from harness.program import ir
from harness.program.evaluation.evaluator import evaluate, format_exact
from harness.program.evaluation.limits import SEARCH_STEPS
from harness.program.floating_point import float_difference, steps_on_floats
from harness.program.ir import Program
from harness.program.refusal import Refusal
from oracles.equivalence.counterexample_search import Point, random_value, typed
from oracles.equivalence.input_domain import domain_of

SMALL_VALUES = 40
MOST_DENOMINATORS, LARGEST_DENOMINATOR = 4, 1_000
RANDOM_POINTS = 60


def float_step(program: Program) -> str | None:
    """Return a sentence on the first point at which Python's floats give a program another value; `None` where none was found.

    Tried are the first forty multiples of 1, of a tenth and of the denominators of its numbers, for each input beside the own values of the
    others, and random points of the domain: a step shows where its exact operand is whole, as 0.07 times a price is at each 100.
    Values that differ by rounding alone are the same.
    """
    if not steps_on_floats(program):
        return None
    for point in _points(program):
        inputs = [typed(value, parameter) for value, parameter in zip(point, program.parameters, strict=True)]
        try:
            exact = evaluate(program, inputs, most_steps=SEARCH_STEPS)
        except Refusal:
            continue
        doubles = float_difference(program, exact, inputs, most_steps=SEARCH_STEPS)
        if doubles is not None:
            moved = [
                f"{parameter.name} = {format_exact(value)}"
                for parameter, value in zip(program.parameters, point, strict=True)
                if value != parameter.value
            ]
            where = f"with {', '.join(moved)}" if moved else "on the problem's own values"
            given = doubles.error or f"{float(doubles.value or 0):.15g}"
            return f"{where}, exact arithmetic gives {exact} and Python's floats give {given}"
    return None


def _points(program: Program) -> Iterator[Point]:
    own = tuple(Fraction(parameter.value) for parameter in program.parameters)
    domains = [domain_of(parameter) for parameter in program.parameters]
    yield own
    for step in (Fraction(1), Fraction(1, 10), *map(Fraction, _denominators(program))):
        for place, domain in enumerate(domains):
            for value in (step * count for count in range(1, SMALL_VALUES + 1)):
                if value in domain:
                    yield (*own[:place], value, *own[place + 1 :])
    random = Random(0)
    for size in (10, 100, 1000) if own else ():
        for _ in range(RANDOM_POINTS // 3):
            yield tuple(random_value(domain, size, random) for domain in domains)


def _denominators(program: Program) -> list[int]:
    """Return the denominators of the fractions that a program holds or is given, the least first."""
    constants = ir.nodes_of((program.body, tuple(program.functions.values()), program.answer))
    numbers = [node.value for node in constants if isinstance(node, ir.Const)]
    fractions = [own for own in (*numbers, *(given.value for given in program.parameters)) if isinstance(own, Fraction)]
    return sorted({own.denominator for own in fractions} & set(range(2, LARGEST_DENOMINATOR + 1)))[:MOST_DENOMINATORS]
