"""Linear equations in unknowns (`Symbol`, `Eq`, `solve`), solved exactly by elimination."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from harness.program.evaluation.values import Term
from harness.program.refusal import Refusal, RefusalReason

MOST_UNKNOWNS = 12
Operation = Callable[[str, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class LinearExpression:
    """`constant + Σ coefficient · unknown`; coefficients are exact numbers or open terms."""

    coefficients: tuple[tuple[str, Any], ...]
    constant: Any

    @staticmethod
    def of(value: Any) -> LinearExpression:
        """Return a number or term as a constant expression, an expression as it is; any other value is a `TypeError`."""
        if isinstance(value, LinearExpression):
            return value
        if isinstance(value, int | Fraction | Term):
            return LinearExpression((), value)
        raise TypeError

    def plus(self, other: LinearExpression, operation: Operation) -> LinearExpression:
        """Add two expressions."""
        total = dict(self.coefficients)
        for name, coefficient in other.coefficients:
            total[name] = operation("+", total[name], coefficient) if name in total else coefficient
        return LinearExpression(_cleaned(total), operation("+", self.constant, other.constant))

    def times(self, factor: Any, operation: Operation) -> LinearExpression:
        """Multiply by a number or open term; any other factor is a `TypeError`."""
        LinearExpression.of(factor)
        scaled = {name: operation("*", coefficient, factor) for name, coefficient in self.coefficients}
        return LinearExpression(_cleaned(scaled), operation("*", self.constant, factor))

    def settled(self) -> Any:
        """Return the constant where no unknown is left, else the expression."""
        return self if self.coefficients else self.constant


@dataclass(frozen=True, slots=True)
class Equation:
    """`difference = 0`."""

    difference: LinearExpression


@dataclass(frozen=True, slots=True)
class SymbolicTruth:
    """The result of sympy for an equation or inequality without unknowns: a condition, not a number."""

    holds: bool


def _cleaned(coefficients: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value) for name, value in sorted(coefficients.items()) if value != 0)


def symbol(name: str) -> LinearExpression:
    """Return an unknown; two of the same name are the same, as in sympy."""
    return LinearExpression(((name, 1),), 0)


def sole_unknown(value: Any) -> str | None:
    """Return the name if the value is exactly one bare unknown."""
    match value:
        case LinearExpression(coefficients=((name, 1),), constant=0):
            return name
    return None


def substitute(expression: LinearExpression, name: str, replacement: Any, operation: Operation) -> Any:
    """Return an expression with an unknown replaced by a value or expression."""
    kept = LinearExpression(tuple(item for item in expression.coefficients if item[0] != name), expression.constant)
    factor = dict(expression.coefficients).get(name)
    if factor is None:
        return expression.settled()
    return kept.plus(LinearExpression.of(replacement).times(factor, operation), operation).settled()


def solve_linear(
    equations: list[LinearExpression], wanted: list[str], operation: Operation, is_zero: Callable[[Any], bool]
) -> dict[str, Any] | None:
    """Return the wanted unknowns that solve `equation = 0`, by exact elimination; other unknowns may stay in the result.

    Returns `None` where no values satisfy the equations. `is_zero` decides whether a pivot vanishes.

    Raises:
        Refusal: more than twelve unknowns.
    """
    names = list(dict.fromkeys([*wanted, *(name for equation in equations for name, _ in equation.coefficients)]))
    if len(names) > MOST_UNKNOWNS or len(equations) > MOST_UNKNOWNS:
        raise Refusal(RefusalReason.BUDGET, f"{len(equations)} equations in {len(names)} unknowns")
    solved: dict[str, LinearExpression] = {}
    for given in equations:
        equation = given
        for name, value in solved.items():
            equation = LinearExpression.of(substitute(equation, name, value, operation))
        pivot = next((name for name in names if not is_zero(dict(equation.coefficients).get(name, 0))), None)
        if pivot is None:
            if not is_zero(equation.constant):
                return None
            continue
        factor = operation("/", -1, dict(equation.coefficients)[pivot])
        rest = LinearExpression(tuple(item for item in equation.coefficients if item[0] != pivot), equation.constant)
        value = rest.times(factor, operation)
        solved = {
            name: LinearExpression.of(substitute(known, pivot, value, operation)) for name, known in solved.items()
        }
        solved[pivot] = value
    return {name: solved[name].settled() for name in wanted if name in solved}
