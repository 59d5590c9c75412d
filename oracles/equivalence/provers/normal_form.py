"""Normal forms of terms as quotients of polynomials over inputs and opaque atoms."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from harness.program.evaluation.values import Operand, Term, subterms
from oracles.equivalence.provers.polynomials import (
    ONE,
    Polynomial,
    TooLargeError,
    add,
    constant,
    constant_value,
    content,
    divided,
    is_integer_valued,
    leading,
    multiply,
    primitive,
    rounded_fractions,
    scaled,
    shifted,
    split,
    variable,
    variables_of,
)

FIRST_ATOM = 1_000_000
MOST_SIGNED_TERMS = 100


class AlwaysUndefinedError(Exception):
    """The term divides by something that is zero for all inputs."""


@dataclass(frozen=True, slots=True)
class Quotient:
    """numerator / denominator; the denominator is not the zero polynomial."""

    numerator: Polynomial
    denominator: Polynomial

    def equals(self, other: Quotient) -> bool:
        """Tell whether both are the same rational function: their cross products are the same polynomial."""
        if self.denominator == other.denominator:
            return self.numerator == other.numerator
        return multiply(self.numerator, other.denominator) == multiply(other.numerator, self.denominator)

    def key(self) -> Hashable:
        """Return a key that is equal only for equal functions (equal functions may still differ in key)."""
        leading = Fraction(self.denominator[max(self.denominator)])
        return tuple(
            frozenset((monomial, coefficient / leading) for monomial, coefficient in part.items())
            for part in (self.numerator, self.denominator)
        )

    def plus(self, other: Quotient, factor: int = 1) -> Quotient:
        """Return self + factor * other."""
        if self.denominator == other.denominator:
            numerator, denominator = add(self.numerator, other.numerator, factor), self.denominator
        else:
            left, right = multiply(self.numerator, other.denominator), multiply(other.numerator, self.denominator)
            numerator, denominator = add(left, right, factor), multiply(self.denominator, other.denominator)
        return Quotient(numerator, denominator) if numerator else _ZERO

    def times(self, other: Quotient) -> Quotient:
        """Return the product."""
        return Quotient(multiply(self.numerator, other.numerator), multiply(self.denominator, other.denominator))

    def over(self, other: Quotient) -> Quotient:
        """Return the quotient; a divisor of zero is an `AlwaysUndefinedError`."""
        if not other.numerator:
            raise AlwaysUndefinedError
        number = other.number
        if number is not None:
            return self.scaled(1 / number)
        return self.times(Quotient(other.denominator, other.numerator))

    def scaled(self, factor: int | Fraction) -> Quotient:
        """Return a multiple, by a number other than zero."""
        return Quotient(scaled(self.numerator, factor), self.denominator)

    @property
    def number(self) -> Fraction | None:
        """Return the value of a constant quotient."""
        top, bottom = constant_value(self.numerator), constant_value(self.denominator)
        return None if top is None or bottom is None else Fraction(top) / bottom


_ZERO = Quotient({}, ONE)
_ONE = Quotient(ONE, ONE)


@dataclass(frozen=True, slots=True)
class AtomMeaning:
    """The meaning of an opaque atom: an operator on quotients, and the places of a rounding."""

    operator: str
    arguments: tuple[Quotient, ...]
    places: int = 0


@dataclass(slots=True)
class OpaqueAtoms:
    """The opaque subterms (floors, maxima, truth values …) by their operands, shared by a comparison."""

    numbers: dict[Hashable, int] = field(default_factory=dict)
    meanings: dict[int, AtomMeaning] = field(default_factory=dict)
    integral: set[int] = field(default_factory=set)
    nonnegative: set[int] = field(default_factory=set)

    def number(self, meaning: AtomMeaning, *, integral: bool, nonnegative: bool = False) -> int:
        """Return the variable that stands for the atom."""
        arguments: Hashable = tuple(argument.key() for argument in meaning.arguments)
        if meaning.operator == "max":
            arguments = frozenset(argument.key() for argument in meaning.arguments)
        index = self.numbers.setdefault((meaning.operator, arguments, meaning.places), FIRST_ATOM + len(self.numbers))
        self.meanings[index] = meaning
        if integral:
            self.integral.add(index)
        if nonnegative:
            self.nonnegative.add(index)
        return index


@dataclass(slots=True)
class Normalizer:
    """Turns terms into quotients; `values` gives each input a variable number or, where frozen, its value.

    `integral` and `positive` are the variables that the domain keeps to integers and above zero, `lows` their lower bounds.
    """

    values: dict[int, int | Quotient]
    atoms: OpaqueAtoms
    integral: frozenset[int]
    positive: frozenset[int]
    lows: Mapping[int, int | Fraction] = field(default_factory=dict)
    memo: dict[int, Quotient] = field(default_factory=dict)

    def normal(self, operand: Operand) -> Quotient:
        """Return the quotient a term stands for.

        Raises:
            AlwaysUndefinedError: it divides by zero whatever the inputs.
            TooLargeError: some polynomial has too many terms.
        """
        if not isinstance(operand, Term):
            return Quotient(constant(operand), ONE)
        for term in subterms(operand, self.memo):
            value = self._normal(term)
            self.memo[id(term)] = value if value.numerator else _ZERO
        return self.memo[id(operand)]

    def _normal(self, term: Term) -> Quotient:
        if term.operator == "input":
            value = self.values[int(term.arguments[0])]  # type: ignore[arg-type]  # an input's argument is its index
            return value if isinstance(value, Quotient) else Quotient(variable(value), ONE)
        arguments = [self.normal(argument) for argument in term.arguments]
        match term.operator, arguments:
            case "+", [left, right]:
                return left.plus(right)
            case "-", [left, right]:
                return left.plus(right, -1)
            case "*", [left, right]:
                return left.times(right)
            case "/", [left, right]:
                return left.over(right)
            case "//", [left, right]:
                return self._floor(left.over(right))
            case "%", [left, right]:
                return left.plus(self._floor(left.over(right)).times(right), -1)
            case "**", [base, exponent]:
                return self._power(base, int(exponent.number or 0))
            case "floor", [value]:
                return self._floor(value)
            case "ceil", [value]:
                return self._floor(value.scaled(-1)).scaled(-1)
            case _:
                return self._opaque(term.operator, arguments)

    def _power(self, base: Quotient, exponent: int) -> Quotient:
        if exponent < 0:
            return _ONE.over(self._power(base, -exponent))
        result = _ONE
        for _ in range(exponent):
            result = result.times(base)
        return result

    def _is_whole(self, index: int) -> bool:
        return index in self.integral or index in self.atoms.integral

    def is_integral(self, value: Quotient) -> bool:
        """Tell whether a quotient is an integer for all inputs of the domain, as far as its form shows."""
        return value.denominator == ONE and is_integer_valued(value.numerator, self._is_whole)

    # Signs.

    def _sign_of(self, polynomial: Polynomial) -> int:
        """Return +1 or -1 where a polynomial is above or below zero on the domain, as far as its form shows, else 0."""
        return 1 if self._least(polynomial) == 1 else -1 if self._least(scaled(polynomial, -1)) == 1 else 0

    def _is_at_least_zero(self, value: Quotient) -> bool:
        bottom = self._sign_of(value.denominator)
        return bottom != 0 and self._least(scaled(value.numerator, bottom)) is not None

    def _least(self, polynomial: Polynomial) -> int | None:
        """Return 1 where a polynomial is above zero on the domain, 0 where it is at least not below, else `None`."""
        if len(polynomial) > MOST_SIGNED_TERMS or not all(map(self._is_bounded, variables_of(polynomial))):
            return None
        try:
            moved = shifted(polynomial, self.lows)
        except TooLargeError:
            return None
        if any(coefficient < 0 for coefficient in moved.values()):
            return None
        strict = any(
            all(index in self.positive and not self.lows.get(index, 0) for index, _ in monomial) for monomial in moved
        )
        return 1 if strict else 0

    def _is_bounded(self, index: int) -> bool:
        return index in self.lows or index in self.positive or index in self.atoms.nonnegative

    # Rounding.

    def _floor(self, value: Quotient) -> Quotient:
        number = value.number
        if number is not None:
            return Quotient(constant(math.floor(number)), ONE)
        if self.is_integral(value):
            return value
        value = _simplified(value)
        if value.denominator == ONE:
            return self._floor_of_polynomial(value.numerator)
        return self._floor_of_quotient(value, turned=False)

    def _floor_of_polynomial(self, polynomial: Polynomial) -> Quotient:
        parts = split(polynomial, self._is_whole)
        whole, rest = Quotient(parts.whole, ONE), Quotient(parts.rest, ONE)
        if not set(parts.rest) - {()}:
            return whole
        if self.is_integral(rest):
            return whole.plus(rest)
        if not all(map(self._is_whole, variables_of(parts.rest))):
            return whole.plus(self._floor_atom(rest))
        ways = rounded_fractions(parts.rest)
        # A floor within a floor is taken out where one of the ways shows it.
        for way in ways:
            inner = self._unnested(Quotient(way.numerator, constant(way.divisor)))
            if inner is not None:
                floor = self._floor(inner)
                break
        else:
            way = ways[0]
            floor = self._floor_atom(Quotient(scaled(way.numerator, Fraction(1, way.divisor)), ONE))
        return whole.plus(Quotient(way.whole, ONE)).plus(floor, way.sign)

    def _floor_of_quotient(self, value: Quotient, *, turned: bool) -> Quotient:
        division = divided(value.numerator, value.denominator, whole=self._is_whole)
        whole, rest = Quotient(division.quotient, ONE), Quotient(division.remainder, value.denominator)
        if not rest.numerator:
            return whole
        if self._sign_of(rest.denominator) < 0:
            rest = Quotient(scaled(rest.numerator, -1), scaled(rest.denominator, -1))
        common = content(rest.numerator, rest.denominator)
        rest = Quotient(scaled(rest.numerator, 1 / common), scaled(rest.denominator, 1 / common))
        integers = all(is_integer_valued(part, self._is_whole) for part in (rest.numerator, rest.denominator))
        if integers and self._sign_of(rest.denominator) > 0:
            inner = self._unnested(rest)
            if inner is not None:
                return whole.plus(self._floor(inner))
            if leading(rest.numerator) < 0 and not turned:
                # floor(p / q) = -1 - floor((-p - 1) / q) for whole p and whole q above zero.
                other = Quotient(add(scaled(rest.numerator, -1), ONE, -1), rest.denominator)
                below = Quotient(add(whole.numerator, ONE, -1), ONE)
                if not other.numerator:
                    return below
                return below.plus(self._floor_of_quotient(other, turned=True), -1)
        return whole.plus(self._floor_atom(rest))

    def _unnested(self, value: Quotient) -> Quotient | None:
        """Return x where floor(value) = floor(x) and value is (floor(u) + m) / q with whole m and q, q above zero."""
        for monomial, coefficient in value.numerator.items():
            if coefficient != 1 or len(monomial) != 1 or monomial[0][1] != 1:
                continue
            meaning = self.atoms.meanings.get(monomial[0][0])
            if meaning is None or meaning.operator != "floor":
                continue
            others = {other: part for other, part in value.numerator.items() if other != monomial}
            if is_integer_valued(others, self._is_whole):
                total = meaning.arguments[0].plus(Quotient(others, ONE))
                return total.over(Quotient(value.denominator, ONE))
        return None

    def _floor_atom(self, value: Quotient) -> Quotient:
        return self._atom(AtomMeaning("floor", (value,)), integral=True, nonnegative=self._is_at_least_zero(value))

    def _atom(self, meaning: AtomMeaning, *, integral: bool, nonnegative: bool = False) -> Quotient:
        return Quotient(variable(self.atoms.number(meaning, integral=integral, nonnegative=nonnegative)), ONE)

    # What is no rational function.

    def _opaque(self, operator: str, arguments: list[Quotient]) -> Quotient:
        first = arguments[0]
        if operator == "abs":
            return self._greatest([first, first.scaled(-1)])
        if operator == "max":
            return self._greatest(arguments)
        if operator == "min":
            return self._greatest([argument.scaled(-1) for argument in arguments]).scaled(-1)
        if operator == "trunc" and self._is_at_least_zero(first):
            return self._floor(first)
        if operator == "trunc" and self._is_at_least_zero(first.scaled(-1)):
            return self._floor(first.scaled(-1)).scaled(-1)
        places = int(arguments[1].number or 0) if operator == "round" else 0
        if operator in {"trunc", "round"}:
            if places >= 0 and self.is_integral(first):
                return first
            if first.number is None and leading(first.numerator) * leading(first.denominator) < 0:
                # Both are odd functions.
                return self._opaque(operator, [first.scaled(-1), *arguments[1:]]).scaled(-1)
        operands = arguments[:1] if operator == "round" else arguments
        return self._atom(AtomMeaning(operator, tuple(operands), places), integral=places <= 0)

    def _greatest(self, arguments: list[Quotient]) -> Quotient:
        """Return the greatest of quotients; one that another one is never below on the domain is dropped."""
        kept: list[Quotient] = []
        for argument in arguments:
            differences = [(other, argument.plus(other, -1)) for other in kept]
            if any(self._is_at_least_zero(difference.scaled(-1)) for _, difference in differences):
                continue
            kept = [other for other, difference in differences if not self._is_at_least_zero(difference)]
            kept.append(argument)
        if len(kept) == 1:
            return kept[0]
        nonnegative = any(map(self._is_at_least_zero, kept))
        integral = all(map(self.is_integral, kept))
        return self._atom(AtomMeaning("max", tuple(kept)), integral=integral, nonnegative=nonnegative)

    def divisor_key(self, divisor: Term) -> Hashable | None:
        """Return `None` where a divisor is never zero on the domain, else a key of its zero set."""
        value = self.normal(divisor)
        if not value.numerator:
            raise AlwaysUndefinedError
        if value.number is not None or self._sign_of(value.numerator):
            return None
        return primitive(value.numerator)


def _simplified(value: Quotient) -> Quotient:
    """Cancel the denominator where it divides the numerator, or the other way round."""
    if value.denominator == ONE or not value.numerator:
        return value
    division = divided(value.numerator, value.denominator)
    if not division.remainder:
        return Quotient(division.quotient, ONE)
    division = divided(value.denominator, value.numerator)
    return value if division.remainder else Quotient(ONE, division.quotient)
