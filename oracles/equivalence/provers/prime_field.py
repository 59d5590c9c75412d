"""Comparison of two rational functions at random points of large prime fields (Schwartz–Zippel).

Source: J. T. Schwartz, Fast probabilistic algorithms for verification of polynomial identities, JACM 27(4), 1980.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.program.evaluation.terms import RATIONAL, Operand, Term, subterms

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction
    from random import Random

POINTS = 4
_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


class NotRationalError(Exception):
    """The term holds an operation that is no field operation, or divides by zero at the point."""


@dataclass(frozen=True, slots=True)
class FieldResult:
    """Whether all points agreed, how many there were, and the bound on a wrong yes."""

    equal: bool
    points: int
    error_bound: str


def agree(
    left: Operand,
    right: Operand,
    left_values: Mapping[int, int | Fraction],
    right_values: Mapping[int, int | Fraction],
    random: Random,
) -> FieldResult:
    """Compare two terms at random field points.

    The value maps give for each input index a variable number (an `int`) or a frozen value (a `Fraction`). The error
    bound is (degree / prime) ** points, the degree that of the cross-multiplied difference. Each point has a prime of
    its own, drawn at random: no coefficient can be a multiple of all of them by design.

    Raises:
        NotRationalError: a term is not rational.
    """
    left_degree, right_degree = _degrees(left), _degrees(right)
    total = max(left_degree[0] + right_degree[1], right_degree[0] + left_degree[1])
    checked = 0
    for _ in range(POINTS * 4):
        prime = _draw_prime(random)
        draws = {number: random.randrange(prime) for number in _numbers(left_values) | _numbers(right_values)}
        try:
            first = _evaluate(left, _residues(left_values, draws, prime), prime)
            second = _evaluate(right, _residues(right_values, draws, prime), prime)
        except ZeroDivisionError:
            continue
        checked += 1
        if first != second:
            return FieldResult(equal=False, points=checked, error_bound="0")
        if checked == POINTS:
            return FieldResult(equal=True, points=checked, error_bound=f"({total}/2^60)^{checked}")
    raise NotRationalError


def _draw_prime(random: Random) -> int:
    """Return a random prime of 61 bits."""
    while True:
        candidate = random.randrange(1 << 60, 1 << 61) | 1
        if is_prime(candidate):
            return candidate


def is_prime(number: int) -> bool:
    """Tell whether an odd number below 2^64 is prime: Miller–Rabin on bases that suffice there (Sorenson and Webster)."""
    if number in _BASES:
        return True
    twos = (number - 1 & 1 - number).bit_length() - 1
    for base in _BASES:
        power = pow(base, number >> twos, number)
        if power != 1 and not any(pow(power, 1 << square, number) == number - 1 for square in range(twos)):
            return False
    return True


def _numbers(values: Mapping[int, int | Fraction]) -> set[int]:
    return {value for value in values.values() if isinstance(value, int)}


def _residues(values: Mapping[int, int | Fraction], draws: Mapping[int, int], prime: int) -> dict[int, int]:
    return {
        index: draws[value] if isinstance(value, int) else _residue(value, prime) for index, value in values.items()
    }


def _residue(value: int | Fraction, prime: int) -> int:
    return value.numerator * _inverse(value.denominator, prime) % prime


def _inverse(value: int, prime: int) -> int:
    if value % prime == 0:
        raise ZeroDivisionError
    return pow(value, -1, prime)


def _evaluate(operand: Operand, values: Mapping[int, int], prime: int) -> int:
    if not isinstance(operand, Term):
        return _residue(operand, prime)
    known: dict[int, int] = {}
    for term in subterms(operand, known):
        if term.operator == "input":
            known[id(term)] = values[int(term.arguments[0])]  # type: ignore[arg-type]  # an input's argument is its index
            continue
        first, second = (
            known[id(part)] if isinstance(part, Term) else _residue(part, prime) for part in term.arguments
        )
        match term.operator:
            case "**":
                power = int(term.arguments[1])  # type: ignore[arg-type]  # an exponent is a number
                result = pow(first if power >= 0 else _inverse(first, prime), abs(power), prime)
            case "+":
                result = first + second
            case "-":
                result = first - second
            case "*":
                result = first * second
            case "/":
                result = first * _inverse(second, prime)
            case _:
                raise NotRationalError
        known[id(term)] = result % prime
    return known[id(operand)]


def _degrees(operand: Operand) -> tuple[int, int]:
    """Return bounds on the degrees of numerator and denominator."""
    known: dict[int, tuple[int, int]] = {}
    for term in subterms(operand, known):
        known[id(term)] = _degree(term, known)
    return known.get(id(operand), (0, 0))


def _degree(term: Term, known: Mapping[int, tuple[int, int]]) -> tuple[int, int]:
    if term.operator == "input":
        return (1, 0)
    if term.operator not in RATIONAL:
        raise NotRationalError
    (top, bottom), (other_top, other_bottom) = (known.get(id(part), (0, 0)) for part in term.arguments)
    match term.operator:
        case "**":
            power = int(term.arguments[1])  # type: ignore[arg-type]  # an exponent is a number
            return (top * power, bottom * power) if power >= 0 else (bottom * -power, top * -power)
        case "*":
            return (top + other_top, bottom + other_bottom)
        case "/":
            return (top + other_bottom, bottom + other_top)
    return (max(top + other_bottom, other_top + bottom), bottom + other_bottom)
