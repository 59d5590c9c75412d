"""Python itself on Fractions: solvers that this project generated or wrote, run without floats."""

import ast
import math
from collections.abc import Mapping
from fractions import Fraction
from types import CodeType

MOST_ROUNDS = 100_000


class LongRunError(Exception):
    """A loop has more rounds than are run here."""


class _Exactly(ast.NodeTransformer):
    """Keeps Python from floats: a decimal literal and the left of every division become Fractions."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:  # named as ast calls it
        """Make a decimal literal exact."""
        return ast.parse(f"Fraction('{node.value!r}')", mode="eval").body if isinstance(node.value, float) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:  # named as ast calls it
        """Make a division, and a negative power, exact."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Div) or (isinstance(node.op, ast.Pow) and isinstance(node.right, ast.UnaryOp)):
            node.left = ast.Call(ast.Name("Fraction", ast.Load()), [node.left], [])
        return node


def compiled_solver(solver: str) -> CodeType:
    """Compile the text of a solver with exact numbers in place of floats."""
    return compile(ast.fix_missing_locations(_Exactly().visit(ast.parse(solver))), "planted", "exec")


def _exact_float(value: object) -> object:
    """Return a number as it is: `float` makes none inexact here."""
    return value if isinstance(value, int | Fraction) else float(value)  # type: ignore[arg-type]  # a text such as `inf`


def _range(*bounds: int) -> range:
    rounds = range(*bounds)
    if len(rounds) > MOST_ROUNDS:
        raise LongRunError
    return rounds


def _typed(values: Mapping[str, Fraction]) -> dict[str, int | Fraction]:
    return {name: value.numerator if value.denominator == 1 else value for name, value in values.items()}


def solver_answer(code: CodeType | str, values: Mapping[str, Fraction]) -> object:
    """Run a solver by itself: what an earlier call left in a list or a default must not show.

    Raises:
        LongRunError: a loop over a range is too long.
    """
    scope: dict[str, object] = {"Fraction": Fraction, "math": math, "float": _exact_float, "range": _range}
    exec(compiled_solver(code) if isinstance(code, str) else code, scope)  # code this repository generated
    solve = scope["solve"]
    assert callable(solve)
    try:
        return solve(**_typed(values))
    except (ArithmeticError, LookupError, NameError, TypeError, ValueError, AssertionError):
        return None
