"""The nodes of an expression by path, and the replacement of one node or variable."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from harness.program import ir
from harness.program.syntax.unparser import unparse

_BLANK = ir.Name("_")
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


def _with_operands(node: ir.Expr, new: Sequence[ir.Expr]) -> ir.Expr:
    match node:
        case ir.Binary(operator):
            return ir.Binary(operator, *new)
        case ir.Unary(operator):
            return ir.Unary(operator, *new)
        case ir.Call():
            return replace(node, arguments=tuple(new))
    return node


def replaced(expression: ir.Expr, path: Path, new: ir.Expr) -> ir.Expr:
    """Return the expression with the node at a path replaced; a path that leads to no node is an `IndexError`."""
    if not path:
        return new
    parts = list(operands(expression))
    parts[path[0]] = replaced(parts[path[0]], path[1:], new)
    return _with_operands(expression, parts)


def mapped(expression: ir.Expr, meaning: Callable[[ir.Expr], ir.Expr | None]) -> ir.Expr:
    """Return the expression with another one in the place of each node that has a meaning, from the root down."""
    found = meaning(expression)
    parts = operands(expression)
    if found is not None or not parts:
        return expression if found is None else found
    return _with_operands(expression, [mapped(part, meaning) for part in parts])


def filled(expression: ir.Expr, meanings: Mapping[str, ir.Expr]) -> ir.Expr:
    """Return an arithmetic expression with other expressions in the place of variables, all at once."""
    return mapped(expression, lambda node: meanings.get(node.name) if isinstance(node, ir.Name) else None)


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


def changed_part(before: ir.Expr, after: ir.Expr) -> tuple[ir.Expr | str, ir.Expr | str]:
    """Return what a change of an expression replaced, and by what: an operator or a function, a variable, a number, or a larger part.

    What was only left out or only added is an operator with its operand, `+ fee`, and the other side is empty. A rounding that only
    the expression after has, as a student writes an endless decimal, is no part of the change.
    """
    match before, after:
        case (ir.Call("round"), _):
            pass
        case (_, ir.Call("round", (exact, _), ())):
            after = exact
    if (added := _left_out(after, before)) is not None:
        return "", added
    if (gone := _left_out(before, after)) is not None:
        return gone, ""
    was, now = expression_difference(before, after)
    first, second = (sorted(map(repr, operands(part))) for part in (was, now))
    match was, now:
        case (ir.Binary(sign), ir.Binary(other)) if sign != other and first == second:
            return sign, other
        case (ir.Call(name, arguments, ()), ir.Call(other, others, ())) if arguments == others:
            return name, other
    return was, now


def _left_out(longer: ir.Expr, shorter: ir.Expr) -> str | None:
    """Return the operator and the operand, or the function, without which an expression is the shorter one; `None` where there is none."""
    for path, node in nodes(longer):
        match node:
            case ir.Binary(sign, left, right):
                if replaced(longer, path, left) == shorter:
                    return unparse(ir.Binary(sign, _BLANK, right)).removeprefix(f"{_BLANK.name} ")
                if replaced(longer, path, right) == shorter:
                    return unparse(ir.Binary(sign, left, _BLANK)).removesuffix(f" {_BLANK.name}")
            case ir.Call(name, (argument, *_), ()):
                if replaced(longer, path, argument) == shorter:
                    return name
    return None


def expression_difference(before: ir.Expr, after: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
    """Return the smallest parts of two different expressions within which all their differences lie."""
    while len(pairs := [pair for pair in operand_pairs(before, after) if pair[0] != pair[1]]) == 1:
        before, after = pairs[0]
    return before, after


def operand_pairs(before: ir.Expr, after: ir.Expr) -> list[tuple[ir.Expr, ir.Expr]]:
    """Return the operands of two nodes that are the same but for them, side by side; none of other nodes."""
    pairs = list(zip(operands(before), operands(after), strict=False))
    if type(before) is not type(after) or not pairs or len(pairs) != len(operands(after)):
        return []
    return pairs if _with_operands(before, operands(after)) == after else []


def substituted(before: ir.Expr, after: ir.Expr) -> dict[ir.Expr, ir.Expr]:
    """Return the only differing variable or number, new to old; an empty mapping where more than that differs."""
    was, now = expression_difference(before, after)
    leaves = isinstance(was, ir.Name | ir.Const) and isinstance(now, ir.Name | ir.Const)
    return {now: was} if leaves and was != now else {}
