"""Comparison of two rational functions at random points of large prime fields (Schwartz–Zippel).

Sources: J. T. Schwartz, Fast probabilistic algorithms for verification of polynomial identities, JACM 27(4), 1980; for the number
of primes, J. B. Rosser and L. Schoenfeld, Approximate formulas for some functions of prime numbers, Illinois J. Math. 6, 1962.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program.evaluation.terms import RATIONAL, Operand, Term, subterms

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

POINTS = 4
_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)


class NotRationalError(Exception):
    """The term holds an operation that is no field operation, or divides by zero at a point."""


@dataclass(frozen=True, slots=True)
class FieldResult:
    """Whether all points agreed, how many there were, and the bound on the probability of a wrong yes, also as text."""

    equal: bool
    points: int
    error: Fraction
    error_bound: str


@dataclass(frozen=True, slots=True)
class QuotientSize:
    """Bounds on a quotient of polynomials with integer coefficients: degrees, and binary logarithms of the sums of coefficients."""

    top_degree: int
    bottom_degree: int
    top_bits: int
    bottom_bits: int

    def times(self, other: QuotientSize) -> QuotientSize:
        """Bound a product."""
        return QuotientSize(
            self.top_degree + other.top_degree,
            self.bottom_degree + other.bottom_degree,
            self.top_bits + other.top_bits,
            self.bottom_bits + other.bottom_bits,
        )

    def plus(self, other: QuotientSize) -> QuotientSize:
        """Bound a sum or difference."""
        return QuotientSize(
            max(self.top_degree + other.bottom_degree, other.top_degree + self.bottom_degree),
            self.bottom_degree + other.bottom_degree,
            max(self.top_bits + other.bottom_bits, other.top_bits + self.bottom_bits) + 1,
            self.bottom_bits + other.bottom_bits,
        )

    def inverse(self) -> QuotientSize:
        """Bound one divided by the quotient."""
        return QuotientSize(self.bottom_degree, self.top_degree, self.bottom_bits, self.top_bits)

    def power(self, exponent: int) -> QuotientSize:
        """Bound a power."""
        base = self if exponent >= 0 else self.inverse()
        count = abs(exponent)
        return QuotientSize(
            base.top_degree * count, base.bottom_degree * count, base.top_bits * count, base.bottom_bits * count
        )


def agree(
    left: Operand,
    right: Operand,
    left_values: Mapping[int, int | Fraction],
    right_values: Mapping[int, int | Fraction],
    random: Random,
    *,
    prime_bits: int = 61,
) -> FieldResult:
    """Compare two terms at random field points.

    The value maps give for each input index a variable number (an `int`) or a frozen value (a `Fraction`). Each point has a prime
    of its own, drawn at random among those of `prime_bits` bits. The difference of the two, multiplied by both denominators, is a
    polynomial with integer coefficients. Where it is not zero, it vanishes at a point for one of two reasons: the prime divides
    one coefficient that is not zero, as only so many primes can, or the point is one of its roots in the field. The error bound
    is (degree / least prime + dividing primes / primes) ** points.

    Raises:
        NotRationalError: a term is not rational, or a denominator vanishes at a point.
    """
    difference = size_of(left, left_values).plus(size_of(right, right_values))
    least = 1 << prime_bits - 1
    dividing = difference.top_bits // (prime_bits - 1)
    error = (Fraction(difference.top_degree, least) + Fraction(dividing, fewest_primes(prime_bits))) ** POINTS
    for checked in range(POINTS):
        prime = _draw_prime(random, prime_bits)
        draws = {number: random.randrange(prime) for number in sorted(_numbers(left_values) | _numbers(right_values))}
        try:
            first = _evaluate(left, _residues(left_values, draws, prime), prime)
            second = _evaluate(right, _residues(right_values, draws, prime), prime)
        except ZeroDivisionError:
            raise NotRationalError from None
        if first != second:
            return FieldResult(equal=False, points=checked + 1, error=Fraction(0), error_bound="0")
    terms = [f"{difference.top_degree}/2^{prime_bits - 1}"]
    if dividing:
        terms.append(f"{dividing}/2^{fewest_primes(prime_bits).bit_length() - 1}")
    return FieldResult(equal=True, points=POINTS, error=error, error_bound=f"({' + '.join(terms)})^{POINTS}")


def fewest_primes(bits: int) -> int:
    """Return a power of two that is not above the number of primes of so many bits, at least six.

    There are more than 3x / (5 ln x) primes between x and 2x for x from 20.5 on.
    """
    least = 1 << bits - 1
    # The natural logarithm of two is less than 0.6932.
    return 1 << (int(Fraction(3, 5) * least / (Fraction(6932, 10_000) * (bits - 1)))).bit_length() - 1


def _draw_prime(random: Random, bits: int) -> int:
    """Return a random prime of a number of bits."""
    while True:
        candidate = random.randrange(1 << bits - 1, 1 << bits) | 1
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


def size_of(operand: Operand, values: Mapping[int, int | Fraction]) -> QuotientSize:
    """Return bounds on the quotient of polynomials that a term is; the values are those of `agree`.

    Raises:
        NotRationalError: it is none.
    """
    known: dict[int, QuotientSize] = {}

    def of(part: Operand) -> QuotientSize:
        return known[id(part)] if isinstance(part, Term) else _number_size(Fraction(part))

    for term in subterms(operand, known):
        if term.operator == "input":
            value = values[int(term.arguments[0])]  # type: ignore[arg-type]  # an input's argument is its index
            known[id(term)] = QuotientSize(1, 0, 0, 0) if isinstance(value, int) else _number_size(value)
            continue
        if term.operator not in RATIONAL:
            raise NotRationalError
        first = of(term.arguments[0])
        match term.operator:
            case "**":
                size = first.power(int(term.arguments[1]))  # type: ignore[arg-type]  # an exponent is a number
            case "*":
                size = first.times(of(term.arguments[1]))
            case "/":
                size = first.times(of(term.arguments[1]).inverse())
            case _:
                size = first.plus(of(term.arguments[1]))
        known[id(term)] = size
    return of(operand)


def _number_size(value: Fraction) -> QuotientSize:
    return QuotientSize(0, 0, max(abs(value.numerator) - 1, 0).bit_length(), (value.denominator - 1).bit_length())
