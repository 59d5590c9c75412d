"""Mutation operator: one of the four operations is replaced by another one."""

from __future__ import annotations

from collections.abc import Iterator

from generators.flaws.knowledge.quantity_confusion import size_reasons
from generators.flaws.mutants.step_node import StepNode, operations_without_conversions
from generators.flaws.mutation_operator import Mutant, MutationExample, Reason, mutation_operator
from generators.flaws.solution.expression_value import value_of
from generators.flaws.solution.quantity_units import Quantity
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir
from harness.program.expression_nodes import node_at
from harness.solution.labels import ErrorType
from harness.solution.phrases.explanation_phrases import explanation_phrases, operation_slots, partly_filled

_OPPOSITE = {"+": "-", "-": "+", "*": "/", "/": "*"}
# `5 times as many` is read as `5 more`, `a third` as `3 fewer`.
_ACROSS = {"+": "*", "*": "+", "-": "/", "/": "-"}
LARGEST_MULTIPLIER = 12
_SWAPPED = explanation_phrases("operator_swap")["swapped"]


@mutation_operator(
    "operator_swap",
    error_type=ErrorType.OPERATOR_SWAP,
    examples=(
        MutationExample(
            "# L1\nred = 8 # 8 apples\ngreen = 5 # 5 apples\napples = red + green\n"
            "# L2\nper_pie = 13 # 13 apples\npies = apples / per_pie",
            (("apples", "red - green"), ("pies", "apples * per_pie")),
        ),
        MutationExample(
            "# L1\nann = 6 # 6 cards\nfactor = 3 # thrice as many\nbob = ann * factor\n# L2\nboth = ann + bob",
            (("bob", "ann / factor"), ("both", "bob - ann"), ("bob", "ann + factor")),
        ),
        MutationExample(
            "# L1\nhours = 2 # 2 hours\nminutes_per_hour = 60\nminutes = hours * minutes_per_hour\n"
            "# L2\nbreak_minutes = 15 # 15 minutes\nwork = minutes - break_minutes",
            (("work", "minutes + break_minutes"),),
        ),
    ),
)
def operator_swap(source: FlawSource) -> Iterator[Mutant]:
    """Yield the operations with another operator; conversions of units are another operator's."""
    for place in operations_without_conversions(source):
        if place.node.operator not in _OPPOSITE:
            continue
        if not _regroups(place) and not _is_within_sum(place):
            yield from _swapped(place, _OPPOSITE[place.node.operator], ("the opposite operation", 0.2))
        if _adds_totals(source, place.node):
            yield from _swapped(place, "*", ("totals multiplied", 0.0))
        if _multiplies(source, place.node):
            yield from _swapped(place, _ACROSS[place.node.operator], ("a multiplier read as a number", 0.1))


def _swapped(place: StepNode[ir.Binary], operator: str, reason: Reason) -> Iterator[Mutant]:
    node, values = place.node, place.source.values
    left, right = value_of(node.left, values), value_of(node.right, values)
    new = ir.Binary(operator, node.left, node.right)
    reasons = [reason]
    if left is not None and right is not None:
        if operator in "-/" and left < right and node.operator in "+*":
            # A person subtracts from the larger number, and divides the larger one.
            new = ir.Binary(operator, node.right, node.left)
        before, after = value_of(node, values), value_of(new, values)
        if before is None or not after or before == after:
            return
        reasons += size_reasons(before, after)
        if before.denominator == 1 != after.denominator:
            reasons.append(("no longer whole", -0.2))
    phrases = partly_filled(_SWAPPED, operation_slots(node.operator, operator))
    yield place.mutant(new, phrases, *reasons, was=node.operator, now=operator)


def _regroups(place: StepNode[ir.Binary]) -> bool:
    """Tell whether the opposite operator is what another grouping gives: a - (b - c) is a - b + c."""
    node = place.node
    if node.operator == "*" and isinstance(node.left, ir.Binary) and node.left.operator == "/":
        return True
    if not place.path or place.path[-1] != 1:
        return False
    above = node_at(place.source.expression(place.variable), place.path[:-1])
    kin = {"-": "+-", "/": "*/"}
    return isinstance(above, ir.Binary) and node.operator in kin.get(above.operator, "")


def _is_within_sum(place: StepNode[ir.Binary]) -> bool:
    """Tell whether a node adds up the first terms of a longer sum, in which one reversed sign is implausible."""
    if place.node.operator != "+" or not place.path:
        return False
    above = node_at(place.source.expression(place.variable), place.path[:-1])
    return isinstance(above, ir.Binary) and above.operator == "+"


def _adds_totals(source: FlawSource, node: ir.Binary) -> bool:
    """Tell whether the node adds up two results of earlier steps."""
    match node:
        case ir.Binary("+", ir.Name(left), ir.Name(right)):
            return not any(source.trace.by_name[name].role.is_input for name in (left, right)) and left != right
    return False


def _multiplies(source: FlawSource, node: ir.Binary) -> bool:
    """Tell whether the right operand is a small number of nothing in particular: a multiplier or a difference."""
    if not isinstance(node.right, ir.Name) or not source.trace.by_name[node.right.name].role.is_input:
        return False
    if node.right.name.startswith(("num_", "number_", "n_")) or "count" in node.right.name:
        return False
    value, unit = source.values[node.right.name], source.units[node.right.name]
    return (
        unit.quantity is Quantity.NUMBER
        and not unit.noun
        and value.denominator == 1
        and 2 <= value <= LARGEST_MULTIPLIER
    )
