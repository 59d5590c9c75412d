"""The degree of a system of constraints in its open variables; solvers always finish on linear systems."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.program import ir

if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.constraint_system import ConstraintSystem

_PIECEWISE = frozenset({"abs", "fabs", "floor", "ceil", "trunc", "int", "round", "min", "max", "sum", "float"})
_FRACTIONS = frozenset({"Fraction", "Rational"})


def is_tame(system: ConstraintSystem) -> bool:
    """Tell whether every solver terminates: steps are at most linear in the open variables.

    On curved ones solvers may work for minutes without counting it as work, so that no limit of ours ends them.
    """
    return degree(system) <= 1


def degree(system: ConstraintSystem, *, pieces: bool = True) -> float:
    """Return the highest degree of a step in the variables that nothing gives; infinite where a step is no polynomial.

    Steps of straight pieces, such as those that round or take the least of several, count as straight, or as no polynomial
    where `pieces` are not allowed.
    """
    reading = _Degrees(dict.fromkeys(system.free, 1.0), 1 if pieces else 0)
    for step in system.steps:
        reading.degrees[step.variable] = reading.of(step.expression)
    return max(reading.degrees.values(), default=0)


@dataclass(slots=True)
class _Degrees:
    """Reads expressions over variables of some degrees; functions take operands up to a degree of `most`."""

    degrees: dict[str, float]
    most: int

    def of(self, node: ir.Expr) -> float:
        """Return the degree of an expression."""
        match node:
            case ir.Const():
                return 0
            case ir.Name(name):
                return self.degrees.get(name, 0)
            case ir.Unary(sign, operand):
                return self._pieces([operand]) if sign == "not" else self.of(operand)
            case ir.Binary(operator, left, right):
                return self._binary(operator, left, right)
            case ir.Comparison(_, operands) | ir.Boolean(_, operands):
                return self._pieces(operands)
            case ir.Conditional(test, then, otherwise):
                return self._pieces((test, then, otherwise))
            case ir.Sequence(_, items):
                return self._pieces(items)
            case ir.Call(function, (top, bottom), ()) if function in _FRACTIONS:
                return self._binary("/", top, bottom)
            case ir.Call(function, arguments, keywords) if function in _PIECEWISE:
                return self._pieces((*arguments, *(value for _, value in keywords)))
        return math.inf if any(self.degrees.get(name, 0) for name in ir.names_in_order(node)) else 0

    def _binary(self, operator: str, left: ir.Expr, right: ir.Expr) -> float:
        first, second = self.of(left), self.of(right)
        if first == second == 0:
            return 0
        match operator:
            case "+" | "-":
                return max(first, second)
            case "*":
                return first + second
            case "/" if second == 0:
                return first
            case "//" | "%" if second == 0:
                return self._pieces([left])
            case "**" if isinstance(right, ir.Const) and isinstance(right.value, int) and right.value >= 0:
                return first * right.value
        return math.inf

    def _pieces(self, operands: Iterable[ir.Expr]) -> float:
        highest = max(map(self.of, operands), default=0)
        return highest if highest <= self.most else math.inf
