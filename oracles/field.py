"""Do two rational functions agree at random points of a large prime field (Schwartz–Zippel)?

Source: J. T. Schwartz, Fast probabilistic algorithms for verification of polynomial identities, JACM 27(4), 1980.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.program.terms import Operand, Term

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction
    from random import Random

PRIME = (1 << 61) - 1
POINTS = 4
_RATIONAL = {"input", "+", "-", "*", "/", "**"}


class NotRationalError(Exception):
    """The term holds an operation that is no field operation, or divides by zero at the point."""


@dataclass(frozen=True, slots=True)
class FieldResult:
    """Whether all points agreed, how many there were, and the bound on a wrong yes."""

    equal: bool
    points: int
    error_bound: str


def rational(operand: Operand) -> bool:
    """Tell whether a term is built of field operations only."""
    pending, seen = [operand], set()
    while pending:
        term = pending.pop()
        if not isinstance(term, Term) or id(term) in seen:
            continue
        seen.add(id(term))
        if term.operator not in _RATIONAL:
            return False
        pending.extend(term.arguments)
    return True


def agree(
    left: Operand,
    right: Operand,
    left_values: Mapping[int, int | Fraction],
    right_values: Mapping[int, int | Fraction],
    random: Random,
) -> FieldResult:
    """Compare two terms at random field points.

    The value maps give for each input index a variable number (an `int`) or a frozen value (a `Fraction`). The error
    bound is (degree / prime) ** points, the degree that of the cross-multiplied difference.

    Raises:
        NotRationalError: a term is not rational.
    """
    left_degree, right_degree = _degrees(left, {}), _degrees(right, {})
    total = max(left_degree[0] + right_degree[1], right_degree[0] + left_degree[1])
    checked = 0
    for _ in range(POINTS * 4):
        draws: dict[int, int] = {}

        def draw(number: int, draws: dict[int, int] = draws) -> int:
            return draws.setdefault(number, random.randrange(PRIME))

        try:
            first = _evaluate(
                left,
                {
                    index: draw(value) if isinstance(value, int) else _residue(value)
                    for index, value in left_values.items()
                },
                {},
            )
            second = _evaluate(
                right,
                {
                    index: draw(value) if isinstance(value, int) else _residue(value)
                    for index, value in right_values.items()
                },
                {},
            )
        except ZeroDivisionError:
            continue
        checked += 1
        if first != second:
            return FieldResult(equal=False, points=checked, error_bound="0")
        if checked == POINTS:
            return FieldResult(equal=True, points=checked, error_bound=f"({total}/(2^61-1))^{checked}")
    raise NotRationalError


def _residue(value: int | Fraction) -> int:
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


def _evaluate(operand: Operand, values: Mapping[int, int], memo: dict[int, int]) -> int:
    if not isinstance(operand, Term):
        return _residue(operand)
    known = memo.get(id(operand))
    if known is not None:
        return known
    if operand.operator == "input":
        return values[int(operand.arguments[0])]  # type: ignore[arg-type]  # an input's argument is its index
    first, second = operand.arguments
    left = _evaluate(first, values, memo)
    match operand.operator:
        case "**":
            result = _power(left, int(second))  # type: ignore[arg-type]  # an exponent is a number
        case "+":
            result = (left + _evaluate(second, values, memo)) % PRIME
        case "-":
            result = (left - _evaluate(second, values, memo)) % PRIME
        case "*":
            result = left * _evaluate(second, values, memo) % PRIME
        case "/":
            result = left * _inverse(_evaluate(second, values, memo)) % PRIME
        case _:
            raise NotRationalError
    memo[id(operand)] = result
    return result


def _power(base: int, exponent: int) -> int:
    return pow(base if exponent >= 0 else _inverse(base), abs(exponent), PRIME)


def _inverse(value: int) -> int:
    if value == 0:
        raise ZeroDivisionError
    return pow(value, -1, PRIME)


def _degrees(operand: Operand, memo: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Return bounds on the degrees of numerator and denominator."""
    if not isinstance(operand, Term):
        return (0, 0)
    if operand.operator == "input":
        return (1, 0)
    known = memo.get(id(operand))
    if known is not None:
        return known
    if operand.operator not in _RATIONAL:
        raise NotRationalError
    first, second = operand.arguments
    top, bottom = _degrees(first, memo)
    if operand.operator == "**":
        power = int(second)  # type: ignore[arg-type]  # an exponent is a number
        result = (top * power, bottom * power) if power >= 0 else (bottom * -power, top * -power)
    else:
        other_top, other_bottom = _degrees(second, memo)
        match operand.operator:
            case "*":
                result = (top + other_top, bottom + other_bottom)
            case "/":
                result = (top + other_bottom, bottom + other_top)
            case _:
                result = (max(top + other_bottom, other_top + bottom), bottom + other_bottom)
    memo[id(operand)] = result
    return result
