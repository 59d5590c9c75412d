"""Rewritten programs for a second comparison: without rounding, with tied inputs, or with another constant."""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

from harness.domain import Exact, Parameter
from harness.program import ir

ROUNDING_FUNCTIONS = frozenset({"ceil", "floor", "trunc", "int", "round"})


def tied(program: ir.Program, representatives: Mapping[int, int]) -> ir.Program:
    """Return the program with inputs replaced by other inputs of equal value, by index."""

    def change(node: Any) -> Any:
        return ir.Input(representatives.get(node.index, node.index)) if isinstance(node, ir.Input) else node

    return _rewritten_program(program, change)


def with_input(program: ir.Program, index: int, parameter: Parameter, value: ir.Expr) -> ir.Program:
    """Return the program with another parameter in a place, and an expression of it wherever the former one was read."""

    def change(node: Any) -> Any:
        return value if isinstance(node, ir.Input) and node.index == index else node

    parameters = (*program.parameters[:index], parameter, *program.parameters[index + 1 :])
    return replace(_rewritten_program(program, change), parameters=parameters)


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

    `//` becomes `/`; `ceil`, `floor`, `trunc`, `int` and `round` give their argument. What `range` and an index read stays rounded:
    it must be whole. A remainder that a condition asks for is zero where the program also rounds that quotient; other remainders
    are quantities, and stay.
    """
    nodes = ir.nodes_of((tuple(program.functions.values()), program.body, program.answer))
    divisions = [node for node in nodes if isinstance(node, ir.Binary) and node.operator == "//"]
    rests = {ir.Binary("%", node.left, node.right) for node in divisions}

    def without_rest(node: Any) -> Any:
        return ir.Const(0) if isinstance(node, ir.Binary) and node in rests else node

    def with_exact_tests(node: Any) -> Any:
        match node:
            case ir.Comparison():
                return _with_change(node, without_rest)
            case ir.If() | ir.Conditional():
                return replace(node, test=_with_change(node.test, without_rest))
        return node

    def change(node: Any) -> Any:
        match node:
            case ir.Binary("//", left, right):
                return ir.Binary("/", left, right)
            case ir.Call(function, (argument, *_), _) if (
                function in ROUNDING_FUNCTIONS
                and function not in program.functions
                and not (isinstance(argument, ir.Const) and isinstance(argument.value, str))
            ):
                return argument
        return node

    def keep(node: Any) -> bool:
        return isinstance(node, ir.Subscript) or (isinstance(node, ir.Call) and node.function == "range")

    changed = _rewritten_program(_rewritten_program(program, with_exact_tests), change, keep)
    return program if changed == program else changed


def _with_change(part: Any, change: Callable[[Any], Any], keep: Callable[[Any], bool] = lambda _: False) -> Any:
    """Return a node or a tuple of them with `change` applied to each node but those to keep, operands before their users."""
    if isinstance(part, tuple):
        return tuple(_with_change(item, change, keep) for item in part)
    if not is_dataclass(part) or isinstance(part, type) or keep(part):
        return part
    parts = {field.name: _with_change(getattr(part, field.name), change, keep) for field in fields(part)}
    return change(replace(part, **parts))


def _rewritten_program(
    program: ir.Program, change: Callable[[Any], Any], keep: Callable[[Any], bool] = lambda _: False
) -> ir.Program:
    functions = {name: _with_change(function, change, keep) for name, function in program.functions.items()}
    body, answer = (_with_change(part, change, keep) for part in (program.body, program.answer))
    return replace(program, functions=functions, body=body, answer=answer)
