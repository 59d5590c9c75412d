"""Mutation operator: a condition of the problem is ignored: a rounding, an extreme, or a quantity that does not count."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.quantity_confusion import is_bare_factor, variable_description
from generators.flaws.mutation_operator import Mutant, MutationExample, mutation_operator
from generators.flaws.solution.source_solution import FlawSource
from generators.flaws.step_nodes import StepNode, step_nodes
from harness.program import ir
from harness.solution.labels import ErrorType
from harness.text.lexicon import english
from harness.text.operation_words import SMALL_LARGE, UP_DOWN

_TAKEN_OFF = english("quantities").pattern("taken_off", r"\b", r"\b")
_REMAINING = english("quantities").pattern("remaining", r"\b", r"\b")
_INSTEAD = "It should be {right}, not {wrong}."
_ROUNDED = {"ceil": "rounded up", "floor": "rounded down", "int": "rounded down", "round": "rounded to the nearest"}
_OTHER_WAY = {"ceil": "floor", "floor": "ceil", "int": "ceil", "round": "floor"}
_EXTREMES = {"min": "the smallest", "max": "the largest"}


@mutation_operator(
    "constraint_violation",
    error_type=ErrorType.CONSTRAINT_VIOLATION,
    explanation=f"The condition that takes off {{was}} is ignored. {_INSTEAD}",
    examples=(
        MutationExample(
            "# L1\nguests = 45  # 45 guests\nseats = 8  # 8 seats\ntables = ceil(guests / seats)\n# L2\nprice = 10  # $10\ncost = tables * price",
            (("tables", "floor(guests / seats)"), ("tables", "guests / seats")),
        ),
        MutationExample(
            "# L1\neggs = 30  # 30 eggs\nbroken = 4  # 4 broken eggs\nwhole = eggs - broken\n# L2\nbought = 7  # 7 eggs\nbest = min(whole, bought)",
            (("best", "max(whole, bought)"), ("whole", "eggs")),
        ),
    ),
)
def constraint_violation(source: FlawSource) -> Iterator[Mutant]:
    """Yield each step without its rounding, with the other extreme, or without taking off what does not count."""
    for place in step_nodes(source):
        match place.node:
            case ir.Call("ceil" | "floor" | "int" | "round" as function, (inside, *_)):
                yield from _rounded(place, function, inside)
            case ir.Binary("//", left, right):
                yield from _rounded(place, "floor", ir.Binary("/", left, right))
            case ir.Call("min" | "max" as function, arguments, ()) if len(arguments) > 1:
                other = "max" if function == "min" else "min"
                yield place.mutant(
                    ir.Call(other, arguments),
                    ("the other extreme", 0.4),
                    was=_EXTREMES[function],
                    now=_EXTREMES[other],
                    cause=f"The problem asks for {{was}} of the numbers, not for {{now}}. {_INSTEAD}",
                    words=SMALL_LARGE if function == "min" else tuple((large, small) for small, large in SMALL_LARGE),
                )
            case ir.Binary("-", ir.Name() as whole, ir.Name(name) as part) if not place.path and _is_taken_off(
                place, name
            ):
                yield place.mutant(whole, ("a condition overlooked", 0.3), was=part)


def _rounded(place: StepNode[ir.Expr], function: str, inside: ir.Expr) -> Iterator[Mutant]:
    other, was = _OTHER_WAY[function], _ROUNDED[function]
    cause = f"The result has to be {{was}}. {_INSTEAD}"
    words = UP_DOWN if function == "ceil" else tuple((down, up) for up, down in UP_DOWN)
    turned = ir.Call(other, (inside,))
    yield place.mutant(turned, ("rounded as usual", 0.4), was=was, now=_ROUNDED[other], cause=cause, words=words)
    if isinstance(inside, ir.Binary):
        yield place.mutant(inside, ("rounding forgotten", 0.2), was=was, cause=cause)


def _is_taken_off(place: StepNode[ir.Expr], name: str) -> bool:
    """Tell whether a quantity does not count, by its name and comment without proper names (Max is no maximum), or by the name of the rest."""
    source = place.source
    if name not in source.values or not source.values[name] or is_bare_factor(source, name):
        return False
    described = variable_description(source.trace.by_name[name]).split()
    if _TAKEN_OFF.search(" ".join(word for word in described if word not in source.names)):
        return True
    return _REMAINING.search(place.variable.replace("_", " ").lower()) is not None
