"""The nodes of an expression by path, and the replacement of one node or variable."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from harness.program import ir

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[int, ...]
"""The operand at each level from the root, counted from zero."""


def operands(node: ir.Expr) -> tuple[ir.Expr, ...]:
    """Return the operands of an arithmetic node or the arguments of a call; other nodes have none."""
    match node:
        case ir.Binary(_, left, right):
            return left, right
        case ir.Unary(_, operand):
            return (operand,)
        case ir.Call(_, arguments, ()):
            return arguments
    return ()


def nodes(expression: ir.Expr, path: Path = ()) -> Iterator[tuple[Path, ir.Expr]]:
    """Yield the nodes of an expression with their paths, a node before its operands, left before right."""
    yield path, expression
    for place, operand in enumerate(operands(expression)):
        yield from nodes(operand, (*path, place))


def node_at(expression: ir.Expr, path: Path) -> ir.Expr:
    """Return the node at a path."""
    for place in path:
        expression = operands(expression)[place]
    return expression


def replaced(expression: ir.Expr, path: Path, new: ir.Expr) -> ir.Expr:
    """Return the expression with the node at a path replaced."""
    if not path:
        return new
    place, rest = path[0], path[1:]
    changed = replaced(operands(expression)[place], rest, new)
    match expression:
        case ir.Binary(operator, left, right):
            return ir.Binary(operator, changed, right) if place == 0 else ir.Binary(operator, left, changed)
        case ir.Unary(operator, _):
            return ir.Unary(operator, changed)
        case ir.Call(_, arguments, ()):
            return replace(expression, arguments=(*arguments[:place], changed, *arguments[place + 1 :]))
    message = f"{expression}: has no operand {place}"
    raise ValueError(message)


def renamed(expression: ir.Expr, old: str, new: str) -> ir.Expr:
    """Return an arithmetic expression that reads another variable wherever it read the old one."""
    for path, node in list(nodes(expression)):
        if node == ir.Name(old):
            expression = replaced(expression, path, ir.Name(new))
    return expression


def without_operand(expression: ir.Expr, name: str) -> ir.Expr | None:
    """Return a sum, difference, product or quotient without the one operand that reads a variable.

    `None` where the variable occurs nowhere or twice, or its operand is the only one before a minus or a fraction bar.
    """
    if not isinstance(expression, ir.Binary) or [*ir.names_in_order(expression)].count(name) != 1:
        return None
    operator, left, right = expression.operator, expression.left, expression.right
    if right == ir.Name(name):
        return left if operator in "+-*/" else None
    if left == ir.Name(name):
        return right if operator in "+*" else None
    inside = without_operand(left, name)
    if inside is not None:
        return ir.Binary(operator, inside, right)
    inside = without_operand(right, name)
    return None if inside is None else ir.Binary(operator, left, inside)


def substituted(before: ir.Expr, after: ir.Expr) -> dict[ir.Expr, ir.Expr]:
    """Return the only differing leaf, new to old; an empty mapping where more than one leaf differs."""
    differences = _differing(before, after)
    return dict(differences) if differences is not None and len(differences) == 1 else {}


def _differing(before: ir.Expr, after: ir.Expr) -> list[tuple[ir.Expr, ir.Expr]] | None:
    """Return the differing leaves, new and old, `None` for expressions of different shape."""
    if before == after:
        return []
    match before, after:
        case (ir.Name() | ir.Const(), ir.Name() | ir.Const()):
            return [(after, before)]
        case (ir.Binary(sign, left, right), ir.Binary(other, first, second)) if sign == other:
            of_left, of_right = _differing(left, first), _differing(right, second)
            return None if of_left is None or of_right is None else of_left + of_right
        case (ir.Unary(sign, inner), ir.Unary(other, second)) if sign == other:
            return _differing(inner, second)
    return None
