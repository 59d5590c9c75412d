"""Comparison of two polynomials by exact evaluation at random points of a large set of integers (Schwartz–Zippel).

Source: J. T. Schwartz, Fast probabilistic algorithms for verification of polynomial identities, JACM 27(4), 1980.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program.evaluation.terms import Operand, Term, subterms

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

POINTS = 3
BITS = 61
"""The coordinates of a point are drawn among 2 ** BITS integers."""
MOST_DEGREE = 1 << 16
MOST_BITS = 1 << 20
"""The largest numerator or denominator that is computed."""


class NotPolynomialError(Exception):
    """The term holds an operation that is not one of polynomials, or is too large."""


def agreement_bound(
    left: Operand,
    right: Operand,
    left_values: Mapping[int, int | Fraction],
    right_values: Mapping[int, int | Fraction],
    random: Random,
    *,
    bits: int = BITS,
) -> str | None:
    """Return the bound on the probability that two terms which agree at all random points differ; `None` where they do not agree.

    The value maps give for each input index a variable number (an `int`) or a frozen value (a `Fraction`). The difference of the
    two is a polynomial. Where it is not zero, it vanishes at a random point with a probability of at most its degree / 2 ** `bits`;
    POINTS points are drawn.

    Raises:
        NotPolynomialError: a term is not a polynomial, or is too large.
    """
    sides = (left, left_values), (right, right_values)
    degree = max(_degree(*side) for side in sides)
    variables = sorted({value for _, values in sides for value in values.values() if isinstance(value, int)})
    for _ in range(POINTS):
        drawn = {number: Fraction(random.randrange(1 << bits)) for number in variables}
        first, second = (
            _value(side, {index: drawn[value] if isinstance(value, int) else value for index, value in values.items()})
            for side, values in sides
        )
        if first != second:
            return None
    return f"({degree}/2^{bits})^{POINTS}"


def _degree(operand: Operand, values: Mapping[int, int | Fraction]) -> int:
    known: dict[int, int] = {}
    for term in subterms(operand, known):
        degrees = [known.get(id(part), 0) for part in term.arguments]
        match term.operator, term.arguments:
            case "input", (index,):
                degree = int(isinstance(values[int(index)], int))  # type: ignore[arg-type]  # an index
            case "+" | "-", _:
                degree = max(degrees)
            case "*", _:
                degree = sum(degrees)
            case "/", (_, int() | Fraction() as divisor) if divisor:
                degree = degrees[0]
            case "**", (_, int() | Fraction() as exponent) if exponent >= 0:
                degree = degrees[0] * int(exponent)
            case _:
                raise NotPolynomialError
        if degree > MOST_DEGREE:
            raise NotPolynomialError
        known[id(term)] = degree
    return known.get(id(operand), 0)


def _value(operand: Operand, values: Mapping[int, Fraction]) -> Fraction:
    known: dict[int, Fraction] = {}
    for term in subterms(operand, known):
        if term.operator == "input":
            known[id(term)] = values[int(term.arguments[0])]  # type: ignore[arg-type]  # an input's argument is its index
            continue
        first, second = (known[id(part)] if isinstance(part, Term) else Fraction(part) for part in term.arguments)
        if term.operator == "**" and _bits(first) * second > MOST_BITS:
            raise NotPolynomialError
        match term.operator:
            case "+":
                result = first + second
            case "-":
                result = first - second
            case "*":
                result = first * second
            case "/":
                result = first / second
            case _:
                result = Fraction(first ** int(second))
        if _bits(result) > MOST_BITS:
            raise NotPolynomialError
        known[id(term)] = result
    return known[id(operand)] if isinstance(operand, Term) else Fraction(operand)


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())
