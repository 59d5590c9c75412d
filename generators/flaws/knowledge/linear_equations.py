"""Detection of steps that solve a linear equation with an unknown."""

from __future__ import annotations

import re

from generators.flaws.knowledge.quantity_roles import is_bare_factor
from generators.flaws.solution.source_solution import FlawSource
from harness.program import ir

SYMBOLIC = 5
"""The tier of solutions with symbolic algebra."""
# A letter that stands alone or after its coefficient; `a` and `I` are words.
_UNKNOWN = re.compile(r"(?<![\w'’$.])\d{0,9}[ *]?[b-zB-HJ-Z](?![\w'’.]|\s[a-z]{3})")
_SINGLE = re.compile(r"\b(?:ratio|parts?|units?|shares?|times|multiplier|coefficient|one|itself|factor|[a-z])\b")


def solves_for_unknown(source: FlawSource, variable: str) -> bool:
    """Tell whether the line of a step states an equation with an unknown."""
    if source.tier != SYMBOLIC:
        return False
    line = source.problem.solution.split("\n")[source.line_number(variable) - 1]
    return _UNKNOWN.search(line) is not None


def counts_the_unknown(source: FlawSource, variable: str, node: ir.Expr) -> ir.Expr | None:
    """Return k of `1 + k` or `k + 1` in a step, where a quantity is there once and k times more."""
    if not isinstance(node, ir.Binary) or node.operator != "+":
        return None
    for unit, other in ((node.left, node.right), (node.right, node.left)):
        if leaf_value(source, unit) == 1 and isinstance(other, ir.Name) and leaf_value(source, other) != 1:
            single = not isinstance(unit, ir.Name) or _SINGLE.search(unit.name.replace("_", " "))
            return (
                other
                if single and (is_bare_factor(source, other.name) or solves_for_unknown(source, variable))
                else None
            )
    return None


def step_expression(source: FlawSource, node: ir.Expr) -> ir.Expr:
    """Return the expression after a step's variable, any other node itself."""
    if isinstance(node, ir.Name) and node.name in source.trace.by_name:
        return source.trace.by_name[node.name].expression or node
    return node


def leaf_value(source: FlawSource, node: ir.Expr) -> object:
    """Return the value of a variable or constant, `None` of an operation."""
    match node:
        case ir.Name(name):
            return source.values.get(name)
        case ir.Const(value):
            return value
    return None
