"""Polynomials with rational coefficients: arithmetic, division, whole values, and the canonical form of a fraction to be rounded down."""

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

Monomial = tuple[tuple[int, int], ...]
"""Sorted (variable, exponent) pairs; the empty tuple is the constant monomial."""

Polynomial = dict[Monomial, int | Fraction]
"""Coefficients by monomial; no coefficient is zero, the empty dict is zero."""

MOST_TERMS = 400
LARGEST_GRID = 256
MOST_DIVISION_STEPS = 40
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
        _accumulate(total, monomial, factor * coefficient)
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
            exponents = dict(first)
            for index, exponent in second:
                exponents[index] = exponents.get(index, 0) + exponent
            _accumulate(total, tuple(sorted(exponents.items())), first_coefficient * second_coefficient)
    return total


def _accumulate(total: Polynomial, monomial: Monomial, coefficient: int | Fraction) -> None:
    value = total.get(monomial, 0) + coefficient
    if value:
        total[monomial] = value
    else:
        total.pop(monomial, None)


def constant_value(polynomial: Polynomial) -> int | Fraction | None:
    """Return the value of a constant polynomial, `None` if it has variables."""
    if not polynomial:
        return 0
    return polynomial.get(()) if len(polynomial) == 1 else None


def shifted(polynomial: Polynomial, lows: Mapping[int, int | Fraction]) -> Polynomial:
    """Return a polynomial in the excess of each variable over its lower bound, if it has one; too many terms are a `TooLargeError`."""
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


def variables_of(polynomial: Polynomial) -> frozenset[int]:
    """Return the variables of a polynomial."""
    return frozenset(index for monomial in polynomial for index, _ in monomial)


def value_at(polynomial: Polynomial, point: Mapping[int, int | Fraction]) -> int | Fraction:
    """Return the value of a polynomial."""
    return sum(
        coefficient * math.prod((point[index] ** exponent for index, exponent in monomial), start=1)
        for monomial, coefficient in polynomial.items()
    )


def is_integer_valued(polynomial: Polynomial, whole: Callable[[int], bool]) -> bool:
    """Tell whether a polynomial is an integer wherever its variables are; `whole` tells which variables always are.

    It is so where it is an integer on the grid of 0 … degree in each variable (Pólya 1915); larger grids are not tried.
    """
    variables = variables_of(polynomial)
    if not all(map(whole, variables)):
        return False
    if all(Fraction(coefficient).denominator == 1 for coefficient in polynomial.values()):
        return True
    degrees = {index: max(dict(monomial).get(index, 0) for monomial in polynomial) for index in variables}
    if math.prod(degree + 1 for degree in degrees.values()) > LARGEST_GRID:
        return False
    ranges = [range(degree + 1) for degree in degrees.values()]
    return all(
        Fraction(value_at(polynomial, dict(zip(degrees, values, strict=True)))).denominator == 1
        for values in itertools.product(*ranges)
    )


@dataclass(frozen=True, slots=True)
class PolynomialDivision:
    """dividend = quotient * divisor + remainder."""

    quotient: Polynomial
    remainder: Polynomial


def divided(
    dividend: Polynomial, divisor: Polynomial, *, whole: Callable[[int], bool] | None = None
) -> PolynomialDivision:
    """Return quotient and remainder of polynomials in lexicographic order; with `whole` the quotient keeps to integers times whole variables.

    The remainder of an exact division is empty; otherwise it need not be the smallest one.
    """
    lead = max(divisor, key=_lexicographic_key)
    quotient: Polynomial = {}
    remainder, skipped = dict(dividend), set[Monomial]()
    for _ in range(MOST_DIVISION_STEPS):
        candidates = [monomial for monomial in remainder if monomial not in skipped]
        if not candidates:
            break
        monomial = max(candidates, key=_lexicographic_key)
        factor = _monomial_quotient(monomial, lead)
        ratio = Fraction(remainder[monomial]) / divisor[lead]
        if whole is not None:
            ratio = Fraction(math.floor(ratio))
        if factor is None or not ratio or (whole is not None and not all(whole(index) for index, _ in factor)):
            skipped.add(monomial)
            continue
        part: Polynomial = {factor: ratio}
        quotient = add(quotient, part)
        remainder = add(remainder, multiply(part, divisor), -1)
        skipped.add(monomial)
    return PolynomialDivision(quotient, remainder)


def _lexicographic_key(monomial: Monomial) -> tuple[tuple[int, int], ...]:
    return tuple((-index, exponent) for index, exponent in monomial)


def _monomial_quotient(monomial: Monomial, factor: Monomial) -> Monomial | None:
    exponents = dict(monomial)
    for index, exponent in factor:
        exponents[index] = exponents.get(index, 0) - exponent
    if any(exponent < 0 for exponent in exponents.values()):
        return None
    return tuple((index, exponent) for index, exponent in sorted(exponents.items()) if exponent)


def leading(polynomial: Polynomial) -> int | Fraction:
    """Return the coefficient of the first monomial in lexicographic order."""
    return polynomial[max(polynomial, key=_lexicographic_key)]


def scaled(polynomial: Polynomial, factor: int | Fraction) -> Polynomial:
    """Return a polynomial times a number other than zero."""
    return {monomial: coefficient * factor for monomial, coefficient in polynomial.items()}


def content(*polynomials: Polynomial) -> Fraction:
    """Return the positive number by which polynomials are divided to get coprime integer coefficients in all of them."""
    coefficients = [Fraction(coefficient) for polynomial in polynomials for coefficient in polynomial.values()]
    bottom = math.lcm(*(coefficient.denominator for coefficient in coefficients))
    return Fraction(math.gcd(*(int(coefficient * bottom) for coefficient in coefficients)), bottom)


@dataclass(frozen=True, slots=True)
class SplitPolynomial:
    """A polynomial as a part that is whole, and a rest whose whole monomials have coefficients from 0 to below 1."""

    whole: Polynomial
    rest: Polynomial


def split(polynomial: Polynomial, whole: Callable[[int], bool]) -> SplitPolynomial:
    """Take from a polynomial what is an integer for all values of its whole variables."""
    integers: Polynomial = {}
    rest: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        below = math.floor(coefficient) if all(whole(index) for index, _ in monomial) else 0
        if below:
            integers[monomial] = below
        if coefficient - below:
            rest[monomial] = coefficient - below
    return SplitPolynomial(integers, rest)


@dataclass(frozen=True, slots=True)
class RoundedFraction:
    """`whole` + `sign` * floor(`numerator` / `divisor`), the numerator with integer coefficients from 0 to below the divisor."""

    whole: Polynomial
    sign: int
    numerator: Polynomial
    divisor: int


def rounded_fractions(rest: Polynomial) -> tuple[RoundedFraction, RoundedFraction]:
    """Return the two ways to write floor(rest), of a polynomial in whole variables, as above: the smaller one first.

    They are floor((p + c) / q) = -floor((-p + q - 1 - c) / q), with multiples of q taken out.
    """
    terms = {monomial: Fraction(coefficient) for monomial, coefficient in rest.items() if monomial}
    divisor = math.lcm(*(coefficient.denominator for coefficient in terms.values()))
    numerators = {monomial: int(coefficient * divisor) for monomial, coefficient in terms.items()}
    # floor((p + x) / q) = floor((p + floor(x)) / q) for whole p and q.
    offset = math.floor(Fraction(rest.get((), 0)) * divisor)
    mirrored = {monomial: divisor - numerator for monomial, numerator in numerators.items()}
    first = RoundedFraction({}, 1, _with_constant(numerators, offset), divisor)
    second = RoundedFraction(dict.fromkeys(numerators, 1), -1, _with_constant(mirrored, divisor - 1 - offset), divisor)
    keys = [
        (sorted((_lexicographic_key(monomial), part) for monomial, part in numerator.items()), constant)
        for numerator, constant in ((numerators, offset), (mirrored, divisor - 1 - offset))
    ]
    return (first, second) if keys[0] <= keys[1] else (second, first)


def _with_constant(numerators: dict[Monomial, int], offset: int) -> Polynomial:
    return {**numerators, **({(): offset} if offset else {})}
