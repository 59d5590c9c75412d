"""Rewritten programs for a second comparison: without rounding, with tied inputs, or with another constant."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from harness.program import ir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from harness.domain import Exact

ROUNDING_FUNCTIONS = frozenset({"ceil", "floor", "trunc", "int", "round"})
_ONE = ir.Const(1)
_ZERO = ir.Const(0)


def tied(program: ir.Program, representatives: Mapping[int, int]) -> ir.Program:
    """Return the program with inputs replaced by other inputs of equal value, by index."""

    def change(node: Any) -> Any:
        return ir.Input(representatives.get(node.index, node.index)) if isinstance(node, ir.Input) else node

    return _rewritten_program(program, change)


def with_constant(program: ir.Program, value: Fraction, new: Exact) -> ir.Program:
    """Return the program with another number wherever its text has a number of a value; its inputs stay."""

    def change(node: Any) -> Any:
        match node:
            case ir.Const(int() | Fraction() as own) if not isinstance(own, bool) and own == value:
                return ir.Const(new)
        return node

    return _rewritten_program(program, change)


def unrounded(program: ir.Program) -> ir.Program:
    """Return the program with every rounding removed, or the program itself where it has none.

    `//` becomes `/`; `ceil`, `floor`, `trunc`, `int` and `round` give their argument; `(a + b - 1) // b`, `a // b + (a % b > 0)`
    and "add one if there is a remainder" become `a / b`. What `range` and an index read stays rounded: it must be whole. `%`
    elsewhere stays, because a remainder is a quantity.
    """

    def change(node: Any) -> Any:
        match node:
            case ir.Binary("//", left, right):
                return ir.Binary("/", _numerator(left, right), right)
            case ir.Binary("+", left, right) if _adds_one_for_remainder(right):
                return left
            case ir.Call(function, (argument, *_), _) if (
                function.removeprefix("math.") in ROUNDING_FUNCTIONS
                and function not in program.functions
                and not _is_text(argument)
            ):
                return argument
            case ir.Conditional(test, then, otherwise):
                kept = _without_round_up(test, then, otherwise)
                return node if kept is None else kept
            case ir.If():
                return _statement_without_round_up(node)
        return node

    changed = _rewritten_program(
        program,
        change,
        lambda node: isinstance(node, ir.Subscript) or (isinstance(node, ir.Call) and node.function == "range"),
    )
    return program if changed == program else changed


def nodes_of(program: ir.Program) -> Iterator[Any]:
    """Yield the statements and expressions of a program and its functions."""
    yield from _nodes((tuple(program.functions.values()), program.body, program.answer))


def _nodes(part: Any) -> Iterator[Any]:
    if isinstance(part, tuple):
        for item in part:
            yield from _nodes(item)
    elif is_dataclass(part):
        yield part
        for field in fields(part):
            yield from _nodes(getattr(part, field.name))


def _rewritten_program(
    program: ir.Program, change: Callable[[Any], Any], keep: Callable[[Any], bool] = lambda _: False
) -> ir.Program:
    def rewritten(part: Any) -> Any:
        """Return a node or a tuple of them with `change` applied to each node but those to keep, operands before their users."""
        if isinstance(part, tuple):
            return tuple(map(rewritten, part))
        if not is_dataclass(part) or isinstance(part, type) or keep(part):
            return part
        return change(replace(part, **{field.name: rewritten(getattr(part, field.name)) for field in fields(part)}))

    functions = {name: rewritten(function) for name, function in program.functions.items()}
    return replace(program, functions=functions, body=rewritten(program.body), answer=rewritten(program.answer))


def _is_text(argument: ir.Expr) -> bool:
    return isinstance(argument, ir.Const) and isinstance(argument.value, str)


def _numerator(left: ir.Expr, divisor: ir.Expr) -> ir.Expr:
    """Return a of `(a + b - 1) // b`, the numerator itself of other divisions."""
    match left:
        case ir.Binary("-", ir.Binary("+", value, added), ir.Const(1)) | ir.Binary(
            "+", value, ir.Binary("-", added, ir.Const(1))
        ) if added == divisor:
            return value
        case ir.Binary("-", ir.Binary("+", added, value), ir.Const(1)) if added == divisor:
            return value
        case ir.Binary("+", value, ir.Const(int() as less)) if divisor == ir.Const(less + 1) and less > 0:
            return value
    return left


def _adds_one_for_remainder(node: ir.Expr) -> bool:
    """Tell whether an expression is one where a division leaves a remainder and zero where it leaves none."""
    match node:
        case ir.Call("int" | "bool", (argument,), ()):
            return _adds_one_for_remainder(argument)
        case ir.Conditional(test, then, otherwise):
            return (_remainder_test(test), then, otherwise) in {(True, _ONE, _ZERO), (False, _ZERO, _ONE)}
        case ir.Comparison():
            return _remainder_test(node) is True
    return False


def _remainder_test(test: ir.Expr) -> bool | None:
    """Tell whether a condition holds where there is a remainder (True) or where there is none (False); `None` for others."""
    match test:
        case ir.Binary("%", _, _):
            return True
        case ir.Unary("not", ir.Binary("%", _, _)):
            return False
        case ir.Comparison(("!=" | ">" | "==" as operator,), (ir.Binary("%", _, _), ir.Const(0))):
            return operator != "=="
        case ir.Comparison(("!=" | ">" | "==" as operator,), (value, rounded)) if value == rounded:
            # Before its rounding was removed, the right side was the whole part of the left.
            return operator != "=="
    return None


def _without_round_up(test: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr | None:
    """Return q of `q + 1 if there is a remainder else q`; `None` for other conditionals."""
    remains = _remainder_test(test)
    if remains is None:
        return None
    more, less = (then, otherwise) if remains else (otherwise, then)
    return less if more in {ir.Binary("+", less, _ONE), ir.Binary("+", _ONE, less)} else None


def _statement_without_round_up(node: ir.If) -> ir.Stmt:
    """Return a statement that adds one where there is a remainder without that; other statements as they are."""
    match node.then, node.otherwise:
        case (ir.Assign((name,), value, _, False),), () if _remainder_test(node.test) is True:
            if value in {ir.Binary("+", ir.Name(name), _ONE), ir.Binary("+", _ONE, ir.Name(name))}:
                return replace(node, then=())
        case (ir.Assign((name,), value, line, False),), (ir.Assign((other,), alternative, _, False),) if name == other:
            kept = _without_round_up(node.test, value, alternative)
            return node if kept is None else ir.Assign((name,), kept, line)
    return node
