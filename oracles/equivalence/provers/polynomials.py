"""Polynomials with rational coefficients: addition, multiplication and comparison."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Monomial = tuple[tuple[int, int], ...]
"""Sorted (variable, exponent) pairs; the empty tuple is the constant monomial."""

Polynomial = dict[Monomial, int | Fraction]
"""Coefficients by monomial; no coefficient is zero, the empty dict is zero."""

MOST_TERMS = 400
ONE: Polynomial = {(): 1}


class TooLargeError(Exception):
    """A polynomial would have more than four hundred terms."""


def constant(value: int | Fraction) -> Polynomial:
    """Return a constant polynomial."""
    return {(): value} if value else {}


def variable(index: int) -> Polynomial:
    """Return the polynomial of one variable."""
    return {((index, 1),): 1}


def add(left: Polynomial, right: Polynomial, factor: int = 1) -> Polynomial:
    """Return left + factor * right."""
    total = dict(left)
    for monomial, coefficient in right.items():
        value = total.get(monomial, 0) + factor * coefficient
        if value:
            total[monomial] = value
        else:
            total.pop(monomial, None)
    if len(total) > MOST_TERMS:
        raise TooLargeError
    return total


def multiply(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return the product."""
    if left == ONE:
        return right
    if right == ONE:
        return left
    if len(left) * len(right) > MOST_TERMS:
        raise TooLargeError
    total: Polynomial = {}
    for first, first_coefficient in left.items():
        for second, second_coefficient in right.items():
            monomial = _times(first, second)
            value = total.get(monomial, 0) + first_coefficient * second_coefficient
            if value:
                total[monomial] = value
            else:
                total.pop(monomial, None)
    return total


def _times(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    exponents = dict(left)
    for index, exponent in right:
        exponents[index] = exponents.get(index, 0) + exponent
    return tuple(sorted(exponents.items()))


def constant_value(polynomial: Polynomial) -> int | Fraction | None:
    """Return the value of a constant polynomial, `None` if it has variables."""
    if not polynomial:
        return 0
    return polynomial.get(()) if len(polynomial) == 1 else None


def shifted(polynomial: Polynomial, lows: Mapping[int, int | Fraction]) -> Polynomial:
    """Return a polynomial in the excess of each variable over its lower bound; variables without a bound stay.

    Raises:
        TooLargeError: the result has too many terms.
    """
    total: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        part = constant(coefficient)
        for index, exponent in monomial:
            factor = add(variable(index), constant(lows.get(index, 0)))
            for _ in range(exponent):
                part = multiply(part, factor)
        total = add(total, part)
    return total


def primitive(polynomial: Polynomial) -> frozenset[tuple[Monomial, int | Fraction]]:
    """Return a key equal for polynomials that differ by a constant factor."""
    if not polynomial:
        return frozenset()
    leading = Fraction(polynomial[max(polynomial)])
    return frozenset((monomial, coefficient / leading) for monomial, coefficient in polynomial.items())
