"""Comparison of two polynomials by exact evaluation at random points of a large set of integers (Schwartz–Zippel).

Source: J. T. Schwartz, Fast probabilistic algorithms for verification of polynomial identities, JACM 27(4), 1980.
"""

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from harness.program.evaluation.values import Operand, Term, subterms

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
    degree = max(
        _folded_value(side, {at: int(isinstance(value, int)) for at, value in own.items()}, _degree, 0)
        for side, own in sides
    )
    variables = sorted({value for _, values in sides for value in values.values() if isinstance(value, int)})
    for _ in range(POINTS):
        drawn = {number: Fraction(random.randrange(1 << bits)) for number in variables}
        first, second = (
            _folded_value(
                side,
                {at: drawn[value] if isinstance(value, int) else value for at, value in own.items()},
                _exact_value,
                None,
            )
            for side, own in sides
        )
        if first != second:
            return None
    return f"({degree}/2^{bits})^{POINTS}"


def _folded_value(
    operand: Operand,
    inputs: Mapping[int, Fraction] | Mapping[int, int],
    apply: Callable[[Term, list[Any]], Any],
    number: int | None,
) -> Any:
    """Return the result of `apply` for a term and the results of its arguments; `number` is that of each number, `None` for itself."""
    known: dict[int, Any] = {}

    def result(part: Operand) -> Any:
        return known[id(part)] if isinstance(part, Term) else Fraction(part) if number is None else number

    for term in subterms(operand, known):
        if term.operator == "input":
            known[id(term)] = inputs[int(term.arguments[0])]  # type: ignore[arg-type]  # an input's argument is its index
        else:
            known[id(term)] = apply(term, [result(part) for part in term.arguments])
    return result(operand)


def _degree(term: Term, degrees: list[int]) -> int:
    match term.operator, term.arguments:
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
    return degree


def _exact_value(term: Term, values: list[Fraction]) -> Fraction:
    first, second = values
    if term.operator == "**":
        if _bits(first) * second > MOST_BITS:
            raise NotPolynomialError
        second = int(second)  # type: ignore[assignment]  # a whole power of a fraction is exact
    result = Fraction(_APPLY[term.operator](first, second))
    if _bits(result) > MOST_BITS:
        raise NotPolynomialError
    return result


_APPLY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": operator.pow}


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())
