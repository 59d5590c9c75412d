"""Equations as programs: an arithmetic expression over numbers, such as `( 8.0 - 3.0 )`, written as one step a line."""

import ast

from harness.program import ir
from harness.program.syntax.literals import literal_value
from harness.program.syntax.unparser import unparse

MOST_NODES = 500
_SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def equation_program(tree: ast.Module) -> str | None:
    """Return the program of a lone arithmetic expression, `None` for any other text.

    Each number is an input of its own, `number_1`, `number_2`, …; each operation is a step, the last the `answer`. Whole
    numbers written as decimals are whole: corpora write every number of an equation as `8.0`.
    """
    match tree.body:
        case [ast.Expr(value=ast.BinOp() as expression)]:
            nodes = sum(1 for _ in ast.walk(expression))
            if nodes > MOST_NODES:
                return None
        case _:
            return None
    inputs: list[str] = []
    steps: list[str] = []
    result = _variable_of(expression, inputs, steps)
    if result is None:
        return None
    steps[-1] = steps[-1].replace(f"{result} = ", "answer = ", 1)
    return "\n".join([*inputs, *steps])


def _variable_of(node: ast.expr, inputs: list[str], steps: list[str]) -> str | None:
    """Return the variable that holds a node, its inputs and steps added; `None` where it is no plain arithmetic."""
    if isinstance(node, ast.BinOp):
        left, right = _variable_of(node.left, inputs, steps), _variable_of(node.right, inputs, steps)
        sign = _SIGNS.get(type(node.op))
        if left is None or right is None or sign is None:
            return None
        steps.append(f"step_{len(steps) + 1} = {left} {sign} {right}")
        return f"step_{len(steps)}"
    value = literal_value(node) if isinstance(node, ast.Constant) else None
    if value is None:
        return None
    written = unparse(ir.Const(value.numerator if value.denominator == 1 else value))
    inputs.append(f"number_{len(inputs) + 1} = {written}")
    return f"number_{len(inputs)}"
