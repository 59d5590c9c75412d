"""Mutation operator: a condition of the problem is ignored: a rounding, an extreme, or a quantity that does not count."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, StepNode, mutation_operator
from generators.flaws.plausibility import is_bare_factor
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.program.expression_nodes import nodes
from harness.solution.labels import ErrorType
from harness.text.lexicon import english
from harness.text.operation_words import SMALL_LARGE, UP_DOWN

_REMAINING = english("quantities").pattern("remaining", r"\b", r"\b")
_INSTEAD = "It should be {right}, not {wrong}."
_OTHER_WAY = {"ceil": "floor", "floor": "ceil", "int": "ceil", "round": "floor", "min": "max", "max": "min"}
_CONDITIONS = {
    "ceil": "rounded up",
    "floor": "rounded down",
    "int": "rounded down",
    "round": "rounded to the nearest",
    "min": "the smallest of the numbers",
    "max": "the largest of the numbers",
}


@mutation_operator(
    "constraint_violation",
    MutationExample(
        "# L1\nguests = 45  # 45 guests\nseats = 8  # 8 seats\ntables = ceil(guests / seats)\n# L2\nprice = 10  # $10\ncost = tables * price",
        ("tables = floor(guests / seats)", "tables = guests / seats"),
    ),
    MutationExample(
        "# L1\neggs = 30  # 30 eggs\nbroken = 4  # 4 broken eggs\nleft = eggs - broken\n# L2\nbought = 7  # 7 eggs\nbest = min(left, bought)",
        ("best = max(left, bought)", "left = eggs"),
    ),
    error_type=ErrorType.CONSTRAINT_VIOLATION,
    explanation=f"The condition that takes off {{was}} is ignored. {_INSTEAD}",
)
def constraint_violation(source: FlawSource) -> Iterator[Mutant]:
    """Yield each step without its rounding, with the other extreme, or without taking off what does not count."""
    for step in source.steps:
        for path, node in nodes(source.expression(step.variable)):
            place = StepNode(source, step.variable, path, node)
            match node:
                case ir.Binary("//", left, right):
                    yield from _other_roundings(place, "floor", (ir.Binary("/", left, right),))
                case ir.Call(function, arguments, ()) if function in _OTHER_WAY:
                    yield from _other_roundings(place, function, arguments)
                case ir.Binary("-", ir.Name() as whole, ir.Name(name) as part) if not path:
                    counted = source.values.get(name) and not is_bare_factor(source, name)
                    if counted and _REMAINING.search(step.variable.replace("_", " ").lower()):
                        yield place.mutant(whole, ("a condition overlooked", 0.3), was=part)


def _other_roundings(place: StepNode[ir.Expr], function: str, arguments: tuple[ir.Expr, ...]) -> Iterator[Mutant]:
    """Yield the other way of rounding or the other extreme, and the number that is not rounded."""
    other, was = _OTHER_WAY[function], _CONDITIONS[function]
    cause = f"The result has to be {{was}}. {_INSTEAD}"
    arguments = arguments if function in {"min", "max"} else arguments[:1]
    pairs = SMALL_LARGE if function in {"min", "max"} else UP_DOWN
    words = pairs if function in {"ceil", "min"} else tuple((after, before) for before, after in pairs)
    new = ir.Call(other, arguments)
    yield place.mutant(new, ("the other way", 0.4), was=was, now=_CONDITIONS[other], cause=cause, words=words)
    if len(arguments) == 1 and isinstance(arguments[0], ir.Binary):
        yield place.mutant(arguments[0], ("rounding forgotten", 0.2), was=was, cause=cause)
