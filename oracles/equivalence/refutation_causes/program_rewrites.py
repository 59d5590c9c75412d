"""Rewritten programs for a second comparison: without rounding, and with tied inputs."""

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
        if isinstance(node, ir.Const) and isinstance(node.value, int | Fraction) and not isinstance(node.value, bool):
            return ir.Const(new) if node.value == value else node
        return node

    return _rewritten_program(program, change)


def unrounded(program: ir.Program) -> ir.Program:
    """Return the program with every rounding removed, or the program itself where it has none.

    `//` becomes `/`; `ceil`, `floor`, `trunc`, `int` and `round` give their argument; `(a + b - 1) // b`, `a // b + (a % b > 0)`
    and "add one if there is a remainder" become `a / b`. The arguments of `range` and the indices of sequences stay rounded: they
    must be whole. `%` elsewhere stays, because a remainder is a quantity.
    """
    changed = _Unrounded(program).program()
    return program if changed == program else changed


def nodes_of(program: ir.Program) -> Iterator[Any]:
    """Yield the statements and expressions of a program and its functions."""
    for function in program.functions.values():
        yield from _nodes((function.defaults, function.body))
    yield from _nodes((program.body, program.answer))


def _nodes(part: Any) -> Iterator[Any]:
    if isinstance(part, tuple):
        for item in part:
            yield from _nodes(item)
    elif is_dataclass(part):
        yield part
        for field in fields(part):
            yield from _nodes(getattr(part, field.name))


def _rewritten_program(program: ir.Program, change: Callable[[Any], Any]) -> ir.Program:
    functions = {
        name: replace(function, defaults=_rewritten(function.defaults, change), body=_rewritten(function.body, change))
        for name, function in program.functions.items()
    }
    body, answer = _rewritten(program.body, change), _rewritten(program.answer, change)
    return replace(program, functions=functions, body=body, answer=answer)


def _rewritten(part: Any, change: Callable[[Any], Any]) -> Any:
    """Return a node, a statement or a tuple of them with `change` applied to each node, operands before their users."""
    if isinstance(part, tuple):
        return tuple(_rewritten(item, change) for item in part)
    if not is_dataclass(part) or isinstance(part, type):
        return part
    return change(
        replace(part, **{field.name: _rewritten(getattr(part, field.name), change) for field in fields(part)})
    )


class _Unrounded:
    """The removal of the roundings of one program."""

    def __init__(self, source: ir.Program) -> None:
        self.source = source

    def program(self) -> ir.Program:
        functions = {
            name: replace(function, defaults=self.part(function.defaults), body=self.part(function.body))
            for name, function in self.source.functions.items()
        }
        return replace(
            self.source, functions=functions, body=self.part(self.source.body), answer=self.part(self.source.answer)
        )

    def part(self, part: Any) -> Any:
        """Return a node, a statement or a tuple of them without rounding."""
        if isinstance(part, tuple):
            return tuple(kept for item in part for kept in self._kept(item))
        if not is_dataclass(part) or isinstance(part, type):
            return part
        match part:
            case ir.Call("range", _, _):
                return part
            case ir.Subscript(receiver, index):
                return ir.Subscript(self.part(receiver), index)
            case ir.Binary("//", left, right):
                return ir.Binary("/", self.part(_numerator(left, right)), self.part(right))
            case ir.Binary("+", left, right) if _adds_one_for_remainder(right):
                return self.part(left)
            case ir.Call(function, (argument, *_), _) if self._rounds(function, argument):
                return self.part(argument)
            case ir.Conditional(test, then, otherwise):
                kept = _without_round_up(test, then, otherwise)
                if kept is not None:
                    return self.part(kept)
        return replace(part, **{field.name: self.part(getattr(part, field.name)) for field in fields(part)})

    def _kept(self, item: Any) -> tuple[Any, ...]:
        """Return the replacement of an item of a sequence: one item, or none for a statement that only rounds up."""
        if isinstance(item, ir.If):
            statements = _statement_without_round_up(item.test, item.then, item.otherwise)
            if statements is not None:
                return tuple(map(self.part, statements))
        return (self.part(item),)

    def _rounds(self, function: str, argument: ir.Expr) -> bool:
        text = isinstance(argument, ir.Const) and isinstance(argument.value, str)
        name = function.removeprefix("math.")
        return name in ROUNDING_FUNCTIONS and function not in self.source.functions and not text


def _numerator(left: ir.Expr, divisor: ir.Expr) -> ir.Expr:
    """Return a of `(a + b - 1) // b`, the numerator itself of other divisions."""
    match left:
        case ir.Binary("-", ir.Binary("+", value, added), ir.Const(1)) if added == divisor:
            return value
        case ir.Binary("-", ir.Binary("+", added, value), ir.Const(1)) if added == divisor:
            return value
        case ir.Binary("+", value, ir.Binary("-", added, ir.Const(1))) if added == divisor:
            return value
        case ir.Binary("+", value, ir.Const(added)) if isinstance(divisor, ir.Const) and _is_one_less(added, divisor):
            return value
    return left


def _is_one_less(added: ir.Literal, divisor: ir.Const) -> bool:
    return isinstance(added, int) and isinstance(divisor.value, int) and added + 1 == divisor.value and added > 0


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
        case ir.Comparison((operator,), (ir.Binary("%", _, _), ir.Const(0))) if operator in {"!=", ">", "=="}:
            return operator != "=="
        case ir.Comparison((operator,), (value, ir.Call(function, (rounded,), ()))) if (
            function in {"int", "floor", "trunc"} and value == rounded and operator in {"!=", ">", "=="}
        ):
            return operator != "=="
    return None


def _without_round_up(test: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr | None:
    """Return q of `q + 1 if there is a remainder else q`; `None` for other conditionals."""
    remains = _remainder_test(test)
    if remains is None:
        return None
    more, less = (then, otherwise) if remains else (otherwise, then)
    return less if more in {ir.Binary("+", less, _ONE), ir.Binary("+", _ONE, less)} else None


def _statement_without_round_up(
    test: ir.Expr, then: tuple[ir.Stmt, ...], otherwise: tuple[ir.Stmt, ...]
) -> tuple[ir.Stmt, ...] | None:
    """Return the rest of a statement that adds one where there is a remainder; `None` for other statements."""
    match then, otherwise:
        case (ir.Assign((name,), value, _, False),), () if _remainder_test(test) is True:
            return () if value in {ir.Binary("+", ir.Name(name), _ONE), ir.Binary("+", _ONE, ir.Name(name))} else None
        case (ir.Assign((name,), value, line, False),), (ir.Assign((other,), alternative, _, False),) if name == other:
            kept = _without_round_up(test, value, alternative)
            return None if kept is None else (ir.Assign((name,), kept, line),)
    return None
