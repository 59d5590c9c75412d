"""Can an SMT solver find inputs in the domain on which two programs part, or prove that there are none?"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import z3

from harness.program.terms import Operand, Term

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from oracles.inputs import InputDomain
    from oracles.symbolic import Path

# Solver work, not seconds: a wall-clock limit would let a busy machine change verdicts. 3,000,000 units are about a second.
RESOURCE_LIMIT = 3_000_000


@dataclass(frozen=True, slots=True)
class SmtResult:
    """`equal` is True for a proof, False with `point` (value by variable number) for a model, None where it gave up."""

    equal: bool | None
    point: dict[int, Fraction] | None = None
    reason: str | None = None


class UntranslatableError(Exception):
    """The term holds an operation the theory lacks."""


def compare_paths(
    left: Sequence[Path],
    right: Sequence[Path],
    left_values: Mapping[int, int | Fraction],
    right_values: Mapping[int, int | Fraction],
    domains: Mapping[int, InputDomain],
) -> SmtResult:
    """Ask z3 whether the two programs part anywhere on the domain; giving a value where the other gives none is parting.

    The value maps give for each input index a variable number (an `int`) or a frozen value (a `Fraction`).
    """
    symbols = {number: (z3.Int if domain.integral else z3.Real)(f"x{number}") for number, domain in domains.items()}
    solver = z3.Solver()
    solver.set("rlimit", RESOURCE_LIMIT)
    for number, domain in domains.items():
        solver.add(*_bounds(symbols[number], domain))
    try:
        sides = [_outcomes(paths, values, symbols) for paths, values in ((left, left_values), (right, right_values))]
    except UntranslatableError as error:
        return SmtResult(None, reason=str(error))
    parted = [
        z3.And(first.guard, second.guard, _parts(first, second))
        for first in sides[0]
        for second in sides[1]
        if first.error is None or second.error is None
    ]
    solver.add(z3.Or(*parted))
    answer = solver.check()
    if answer == z3.unsat:
        return SmtResult(equal=True)
    if answer == z3.unknown:
        return SmtResult(None, reason=f"the solver gave up ({solver.reason_unknown()})")
    model = solver.model()
    point: dict[int, Fraction] = {}
    for number, name in symbols.items():
        value = model.eval(name, model_completion=True)
        if z3.is_algebraic_value(value):
            return SmtResult(None, reason="the solver's model is irrational")
        point[number] = Fraction(value.as_fraction()) if z3.is_rational_value(value) else Fraction(value.as_long())
    return SmtResult(equal=False, point=point)


@dataclass(frozen=True, slots=True)
class _Outcome:
    guard: Any
    value: Any
    error: str | None


def _outcomes(paths: Sequence[Path], values: Mapping[int, int | Fraction], symbols: Mapping[int, Any]) -> list[_Outcome]:
    """Return the guarded outcomes of a program; a path whose divisor vanishes raises ZeroDivisionError."""
    inputs = {index: symbols[value] if isinstance(value, int) else _number(value) for index, value in values.items()}
    memo: dict[int, Any] = {}
    found: list[_Outcome] = []
    for path in paths:
        conditions = [_formula(condition, inputs, memo, holds=holds) for condition, holds in path.conditions]
        defined = [_real(_expression(divisor, inputs, memo)) != 0 for divisor in path.divisors]
        if path.error is None:
            found.append(_Outcome(z3.And(*conditions, *defined), _real(_expression(_value(path), inputs, memo)), None))
        else:
            found.append(_Outcome(z3.And(*conditions, *defined), None, path.error))
        if defined:
            found.append(_Outcome(z3.And(*conditions, z3.Not(z3.And(*defined))), None, "ZeroDivisionError"))
    return found


def _value(path: Path) -> Operand:
    if path.value is None:
        message = "a path has neither value nor error"
        raise ValueError(message)
    return path.value


def _parts(first: _Outcome, second: _Outcome) -> Any:
    return first.value != second.value if first.error is None and second.error is None else z3.BoolVal(val=True)


def _bounds(symbol: Any, domain: InputDomain) -> list[Any]:
    bounds = []
    if domain.low is not None:
        bounds.append(symbol > _number(domain.low) if domain.open_low else symbol >= _number(domain.low))
    if domain.high is not None:
        bounds.append(symbol < _number(domain.high) if domain.open_high else symbol <= _number(domain.high))
    return bounds


def _number(value: int | Fraction) -> Any:
    return z3.IntVal(value.numerator) if value.denominator == 1 else z3.Q(value.numerator, value.denominator)


def _real(expression: Any) -> Any:
    return z3.ToReal(expression) if z3.is_int(expression) else expression


def _floor(expression: Any) -> Any:
    return expression if z3.is_int(expression) else z3.ToInt(expression)


def _formula(condition: Term, inputs: Mapping[int, Any], memo: dict[int, Any], *, holds: bool) -> Any:
    left, right = (_expression(argument, inputs, memo) for argument in condition.arguments)
    comparisons = {
        "<": lambda: left < right,
        "<=": lambda: left <= right,
        ">": lambda: left > right,
        ">=": lambda: left >= right,
        "==": lambda: left == right,
        "!=": lambda: left != right,
    }
    if condition.operator not in comparisons:
        # A bare number as a condition: true where it is not zero.
        formula = _real(_expression(condition, inputs, memo)) != 0
    else:
        formula = comparisons[condition.operator]()
    return formula if holds else z3.Not(formula)


def _expression(operand: Operand, inputs: Mapping[int, Any], memo: dict[int, Any]) -> Any:
    if not isinstance(operand, Term):
        return _number(operand)
    known = memo.get(id(operand))
    if known is None:
        known = memo[id(operand)] = _translate(operand, inputs, memo)
    return known


def _translate(term: Term, inputs: Mapping[int, Any], memo: dict[int, Any]) -> Any:
    if term.operator == "input":
        return inputs[int(term.arguments[0])]  # type: ignore[arg-type]  # an input's argument is its index
    arguments = [_expression(argument, inputs, memo) for argument in term.arguments]
    first = arguments[0]
    match term.operator:
        case "+":
            return first + arguments[1]
        case "-":
            return first - arguments[1]
        case "*":
            return first * arguments[1]
        case "/":
            return _real(first) / _real(arguments[1])
        case "//":
            return _floor(_real(first) / _real(arguments[1]))
        case "%":
            return first - arguments[1] * _floor(_real(first) / _real(arguments[1]))
        case "**":
            return _power(first, int(term.arguments[1]))  # type: ignore[arg-type]  # an exponent is a number
        case "floor":
            return _floor(first)
        case "ceil":
            return -_floor(-first)
        case "trunc":
            return z3.If(first >= 0, _floor(first), -_floor(-first))
        case "abs":
            return z3.If(first >= 0, first, -first)
        case "min":
            return functools.reduce(lambda left, right: z3.If(left <= right, left, right), map(_real, arguments))
        case "max":
            return functools.reduce(lambda left, right: z3.If(left >= right, left, right), map(_real, arguments))
        case "round":
            return _round(_real(first), int(term.arguments[1]))  # type: ignore[arg-type]  # the number of places is a number
    message = f"{term.operator} has no translation"
    raise UntranslatableError(message)


def _power(base: Any, exponent: int) -> Any:
    product = functools.reduce(lambda left, right: left * right, [base] * abs(exponent), z3.IntVal(1))
    return product if exponent >= 0 else 1 / _real(product)


def _round(value: Any, places: int) -> Any:
    """Round half to even at the given decimal places."""
    scale = z3.Q(10**places, 1) if places >= 0 else z3.Q(1, 10**-places)
    scaled = value * scale
    below = z3.ToInt(scaled)
    rest = scaled - z3.ToReal(below)
    up = z3.Or(rest > z3.Q(1, 2), z3.And(rest == z3.Q(1, 2), below % 2 == 1))
    return z3.ToReal(z3.If(up, below + 1, below)) / scale
