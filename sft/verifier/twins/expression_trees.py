"""Replacement of a part of an expression, and the check that its text still has the intended value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from harness.equations.equation import Negative, Number, Operation, ParenthesizedExpression
from harness.equations.grammar import apply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.equations.equation import Expression

_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "**": 4}
_OF_NEGATIVE = 3
_OF_ATOM = 5


def parts(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and its parts, from left to right."""
    if isinstance(expression, Operation):
        yield from parts(expression.left)
        yield expression
        yield from parts(expression.right)
        return
    yield expression
    if not isinstance(expression, Number):
        yield from parts(expression.inner)


def with_replacement(expression: Expression, target: Expression, new: Expression) -> Expression:
    """Return an expression with another one in place of `target`, with new values.

    The positions in the line remain those of the original.
    """
    if expression is target:
        return new
    if isinstance(expression, Number):
        return expression
    if isinstance(expression, Operation):
        left, right = with_replacement(expression.left, target, new), with_replacement(expression.right, target, new)
        value = apply(expression.operator, left.value, right.value)
        return replace(expression, left=left, right=right, value=value)
    return replace(expression, inner=with_replacement(expression.inner, target, new))


def reads_as_meant(expression: Expression) -> bool:
    """Tell whether the text of an expression, without further parentheses, has the same value.

    `a * (b / c)` may be read as `(a * b) / c`, and `a + (b - c)` as `(a + b) - c`.
    """
    if isinstance(expression, Number):
        return True
    if isinstance(expression, ParenthesizedExpression):
        return reads_as_meant(expression.inner)
    if isinstance(expression, Negative):
        return strength(expression.inner) > _OF_NEGATIVE and reads_as_meant(expression.inner)
    own = _STRENGTH[expression.operator]
    return (
        strength(expression.left) >= own
        and (strength(expression.right) > own or (strength(expression.right) == own and expression.operator in "+*"))
        and reads_as_meant(expression.left)
        and reads_as_meant(expression.right)
    )


def strength(expression: Expression) -> int:
    """Return the binding strength of an expression; within a weaker one it needs no parentheses."""
    if isinstance(expression, Operation):
        return _STRENGTH[expression.operator]
    return _OF_NEGATIVE if isinstance(expression, Negative) else _OF_ATOM
