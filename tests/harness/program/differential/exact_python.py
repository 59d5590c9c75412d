"""Python with exact numbers in place of floats, to tell a wrong meaning from the rounding of a double.

A program is rewritten so that decimal literals, divisions and powers give `Real`, a fraction that behaves as a float otherwise.
"""

from __future__ import annotations

import ast
import math
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any


class NoExactMeaning(BaseException):
    """A float's digits are needed, so the exact rewriting says nothing."""


class Real(Fraction):
    """An exact number that has a float's operations: floor division gives a float, and there is no `numerator`."""

    def __repr__(self) -> str:
        raise NoExactMeaning

    __str__ = __repr__

    def __format__(self, _: str) -> str:
        raise NoExactMeaning

    def __neg__(self) -> Real:
        return Real(Fraction.__neg__(self))

    def __pos__(self) -> Real:
        return self

    def __abs__(self) -> Real:
        return Real(Fraction.__abs__(self))

    def __round__(self, digits: int | None = None) -> Any:
        result = Fraction.__round__(self, digits)
        return result if digits is None else Real(result)


def _operation(name: str) -> Any:
    plain = getattr(Fraction, name)

    def apply(self: Real, other: object) -> Any:
        if not isinstance(other, int | Fraction):
            return NotImplemented
        result = plain(self, other)
        if isinstance(result, tuple):
            return tuple(map(Real, result))
        return Real(result)

    return apply


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod"):
    for _form in (f"__{_name}__", f"__r{_name}__"):
        setattr(Real, _form, _operation(_form))


def divide(left: Any, right: Any) -> Any:
    """Divide as `/` does, integers exactly."""
    return Real(left) / right if isinstance(left, int) and isinstance(right, int) else left / right


def power(left: Any, right: Any) -> Any:
    """Raise as `**` does; roots only where they are rational."""
    if not isinstance(left, int | Fraction) or not isinstance(right, int | Fraction):
        return left**right
    if isinstance(left, int) and isinstance(right, int) and right >= 0:
        return left**right
    floats = (
        isinstance(left, Real)
        or isinstance(right, Real)
        or not (isinstance(left, Fraction) or isinstance(right, Fraction))
    )
    if Fraction(right).denominator == 1:
        result = Fraction(left) ** int(right)
        return Real(result) if floats else result
    if left < 0:
        raise NoExactMeaning
    return Real(_root(Fraction(left), Fraction(right).denominator) ** Fraction(right).numerator)


def _root(value: Fraction, degree: int) -> Fraction:
    parts = [round(part ** (1 / degree)) for part in (value.numerator, value.denominator)]
    if parts[0] ** degree != value.numerator or parts[1] ** degree != value.denominator:
        raise NoExactMeaning
    return Fraction(*parts)


def to_real(value: Any = 0) -> Real:
    """Return the float of a value, exactly."""
    if isinstance(value, str):
        float(value)
        try:
            return Real(value.replace("_", ""))
        except ValueError:
            raise NoExactMeaning from None
    if isinstance(value, Decimal):
        return Real(Fraction(value))
    if not isinstance(value, int | Fraction):
        return Real(float(value))
    return Real(value)


def square_root(value: Any) -> Real:
    """Return a rational square root."""
    if isinstance(value, int | Fraction) and value >= 0:
        return Real(_root(Fraction(value), 2))
    return Real(math.sqrt(value))


def _as_real(function: Any) -> Any:
    return lambda *values: Real(function(*values))


_MATH = SimpleNamespace(
    **{
        **vars(math),
        "sqrt": square_root,
        "fabs": lambda value: Real(abs(value)),
        "pow": lambda left, right: Real(power(Real(left), Real(right))),
        "fsum": _as_real(sum),
    }
)


def exact_globals() -> dict[str, Any]:
    """Return the names that replace Python's own."""
    return {
        "float": to_real,
        "pow": lambda left, right, *rest: pow(left, right, *rest) if rest else power(left, right),
        "__divide__": divide,
        "__power__": power,
        "__real__": Real,
        "__exact_math__": _MATH,
        "math": _MATH,
    }


class ExactReals(ast.NodeTransformer):
    """Rewrites a syntax tree to exact numbers."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Make a decimal literal exact."""
        return _call("__real__", ast.Constant(repr(node.value))) if isinstance(node.value, float) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        """Make a division or a power exact."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Div | ast.Pow):
            return _call("__divide__" if isinstance(node.op, ast.Div) else "__power__", node.left, node.right)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """Make an augmented division or power exact."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div | ast.Pow) or not isinstance(node.target, ast.Name):
            return node
        name = "__divide__" if isinstance(node.op, ast.Div) else "__power__"
        return ast.Assign([node.target], _call(name, ast.Name(node.target.id, ast.Load()), node.value))

    def visit_Import(self, node: ast.Import) -> ast.stmt:
        """Bind the exact `math`."""
        if len(node.names) == 1 and node.names[0].name == "math":
            name = node.names[0].asname or "math"
            return ast.Assign([ast.Name(name, ast.Store())], ast.Name("__exact_math__", ast.Load()))
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.stmt | list[ast.stmt]:
        """Bind names of the exact `math`."""
        if node.module != "math" or any(alias.name == "*" for alias in node.names):
            return node
        return [
            ast.Assign(
                [ast.Name(alias.asname or alias.name, ast.Store())],
                ast.Attribute(ast.Name("__exact_math__", ast.Load()), alias.name, ast.Load()),
            )
            for alias in node.names
        ]


def _call(name: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])
