"""Mutation operator: one of the four operations is replaced by another one."""

from collections.abc import Iterator

from generators.flaws.mutation_operator import Mutant, MutationExample, StepNode, mutation_operator, operations
from generators.flaws.rewrite_rules import is_multiple
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.program.evaluation.evaluator import value_of
from harness.program.expression_nodes import node_at
from harness.solution.expression_text import calculation_text
from harness.solution.labels import ErrorType

_OPPOSITE = {"+": "-", "-": "+", "*": "/", "/": "*"}
# `5 times as many` is read as `5 more`, `a third` as `3 fewer`.
_ACROSS = {"+": "*", "*": "+", "-": "/", "/": "-"}
_DONE = {"+": "added", "-": "subtracted", "*": "multiplied", "/": "divided"}
_CALLED_FOR = {
    "+": "{} and {} have to be added",
    "-": "{1} has to be subtracted from {0}",
    "*": "{} and {} have to be multiplied",
    "/": "{} has to be divided by {}",
}
_REGROUPED = {"-": "+-", "/": "*/", "+": "+"}
"""By an operator, those of its right operand whose opposite another grouping gives: a - (b - c) is a - b + c."""


@mutation_operator(
    "operator_swap",
    MutationExample(
        "# L1\nann = 6 # 6 cards\nfactor = 3 # thrice as many\nbob = ann * factor\n# L2\nboth = ann + bob",
        ("bob = ann / factor", "both = bob - ann", "bob = ann + factor"),
    ),
    error_type=ErrorType.OPERATOR_SWAP,
    explanation="{was}, not {now}. It should be {right}, not {wrong}.",
)
def operator_swap(source: FlawSource) -> Iterator[Mutant]:
    """Yield the operations with another operator; conversions of units are another operator's."""
    results = {ir.Name(step.variable) for step in source.steps}
    for place in operations(source):
        node = place.node
        if node.operator in _OPPOSITE and not _regroups(place):
            yield from _swap(place, _OPPOSITE[node.operator], "the opposite operation", 0.2)
        if node.operator in _ACROSS and isinstance(node.right, ir.Name) and is_multiple(source, node.right.name):
            yield from _swap(place, _ACROSS[node.operator], "a multiple read as a number", 0.1)
        elif node.operator == "+" and not place.path and {node.left, node.right} <= results:
            yield from _swap(place, "*", "two results combined otherwise", 0.0)


def _swap(place: StepNode[ir.Binary], operator: str, reason: str, weight: float) -> Iterator[Mutant]:
    node, values = place.node, place.source.values
    left, right = value_of(node.left, values), value_of(node.right, values)
    # A person subtracts from the larger number, and divides the larger one.
    turned = operator in "-/" and node.operator in "+*" and None not in {left, right} and (left or 0) < (right or 0)
    new = ir.Binary(operator, *((node.right, node.left) if turned else (node.left, node.right)))
    if value_of(new, values) != 0:
        sides = (calculation_text(side, values) for side in (node.left, node.right))
        was = _CALLED_FOR[node.operator].format(*(f"({text})" if " " in text else text for text in sides))
        yield from place.mutants(new, (reason, weight), was=was, now=_DONE[operator])


def _regroups(place: StepNode[ir.Binary]) -> bool:
    """Tell whether the opposite operator is what another grouping gives, or reverses one sign within a sum."""
    if not place.path:
        return False
    above = node_at(place.source.expression(place.variable), place.path[:-1])
    operator = above.operator if isinstance(above, ir.Binary) else ""
    return place.node.operator in _REGROUPED.get(operator, "") and (place.path[-1] == 1 or operator == "+")
