"""Normal forms of terms as quotients of polynomials over inputs and opaque atoms."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program.evaluation.terms import Operand, Term, subterms
from oracles.equivalence.polynomials import (
    ONE,
    Polynomial,
    add,
    constant,
    constant_value,
    multiply,
    primitive,
    sign,
    variable,
)

if TYPE_CHECKING:
    from collections.abc import Hashable

FIRST_ATOM = 1_000_000


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

    @property
    def number(self) -> Fraction | None:
        """Return the value of a constant quotient."""
        top, bottom = constant_value(self.numerator), constant_value(self.denominator)
        return None if top is None or bottom is None else Fraction(top) / bottom


@dataclass(slots=True)
class OpaqueAtoms:
    """The opaque subterms (floors, absolute values, minima …) by what they are applied to, shared by a comparison."""

    numbers: dict[Hashable, int] = field(default_factory=dict)
    integral: set[int] = field(default_factory=set)

    def number(self, key: Hashable, *, integral: bool) -> int:
        """Return the variable that stands for the atom."""
        index = self.numbers.setdefault(key, FIRST_ATOM + len(self.numbers))
        if integral:
            self.integral.add(index)
        return index


@dataclass(slots=True)
class Normalizer:
    """Turns terms into quotients; `values` gives each input a variable number or, where frozen, its value.

    `integral` and `positive` are the variables that the domain keeps to integers and above zero.
    """

    values: dict[int, int | Quotient]
    atoms: OpaqueAtoms
    integral: frozenset[int]
    positive: frozenset[int]
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
            self.memo[id(term)] = self._normal(term)
        return self.memo[id(operand)]

    def _normal(self, term: Term) -> Quotient:
        if term.operator == "input":
            value = self.values[int(term.arguments[0])]  # type: ignore[arg-type]  # an input's argument is its index
            return value if isinstance(value, Quotient) else Quotient(variable(value), ONE)
        arguments = [self.normal(argument) for argument in term.arguments]
        match term.operator, arguments:
            case "+", [left, right]:
                return self._sum(left, right, 1)
            case "-", [left, right]:
                return self._sum(left, right, -1)
            case "*", [left, right]:
                return Quotient(
                    multiply(left.numerator, right.numerator), multiply(left.denominator, right.denominator)
                )
            case "/", [left, right]:
                return self._divided(left, right)
            case "//", [left, right]:
                return self._floor(self._divided(left, right))
            case "%", [left, right]:
                whole = self._floor(self._divided(left, right))
                return self._sum(
                    left,
                    Quotient(
                        multiply(whole.numerator, right.numerator), multiply(whole.denominator, right.denominator)
                    ),
                    -1,
                )
            case "**", [base, exponent]:
                return self._power(base, int(exponent.number or 0))
            case "floor", [value]:
                return self._floor(value)
            case "ceil", [value]:
                return _negated(self._floor(_negated(value)))
            case _:
                return self._opaque(term.operator, arguments)

    @staticmethod
    def _sum(left: Quotient, right: Quotient, factor: int) -> Quotient:
        if left.denominator == right.denominator:
            return Quotient(add(left.numerator, right.numerator, factor), left.denominator)
        numerator = add(
            multiply(left.numerator, right.denominator), multiply(right.numerator, left.denominator), factor
        )
        return Quotient(numerator, multiply(left.denominator, right.denominator))

    @staticmethod
    def _divided(left: Quotient, right: Quotient) -> Quotient:
        if not right.numerator:
            raise AlwaysUndefinedError
        number = right.number
        if number is not None:
            return Quotient(multiply(left.numerator, constant(1 / number)), left.denominator)
        return Quotient(multiply(left.numerator, right.denominator), multiply(left.denominator, right.numerator))

    def _power(self, base: Quotient, exponent: int) -> Quotient:
        if exponent < 0:
            return self._divided(Quotient(ONE, ONE), self._power(base, -exponent))
        result = Quotient(ONE, ONE)
        for _ in range(exponent):
            result = Quotient(
                multiply(result.numerator, base.numerator), multiply(result.denominator, base.denominator)
            )
        return result

    def is_integral(self, value: Quotient) -> bool:
        """Tell whether a quotient is an integer for all inputs of the domain, as far as its form shows."""
        return value.denominator == ONE and all(
            Fraction(coefficient).denominator == 1
            and all(index in self.integral or index in self.atoms.integral for index, _ in monomial)
            for monomial, coefficient in value.numerator.items()
        )

    def _floor(self, value: Quotient) -> Quotient:
        number = value.number
        if number is not None:
            return Quotient(constant(math.floor(number)), ONE)
        if self.is_integral(value):
            return value
        return self._atom(("floor", value.key()), integral=True)

    def _atom(self, key: Hashable, *, integral: bool) -> Quotient:
        return Quotient(variable(self.atoms.number(key, integral=integral)), ONE)

    def _sign(self, value: Quotient) -> int:
        return sign(value.numerator, self.positive) * sign(value.denominator, self.positive)

    def _opaque(self, operator: str, arguments: list[Quotient]) -> Quotient:
        first = arguments[0]
        known = self._sign(first) if operator in {"abs", "trunc"} else 0
        if operator == "abs" and known:
            return first if known > 0 else _negated(first)
        if operator == "trunc" and known:
            return self._floor(first) if known > 0 else _negated(self._floor(_negated(first)))
        if (
            operator in {"trunc", "round"}
            and self.is_integral(first)
            and (operator == "trunc" or (arguments[1].number or 0) >= 0)
        ):
            return first
        if operator in {"min", "max"}:
            return self._extreme(operator, arguments)
        places = arguments[1].number if operator == "round" else None
        return self._atom(
            (operator, *(argument.key() for argument in arguments)), integral=operator == "trunc" or places == 0
        )

    def _extreme(self, operator: str, arguments: list[Quotient]) -> Quotient:
        """Drop each argument that another one beats whatever the inputs; what is left is an atom."""
        kept: list[Quotient] = []
        for argument in arguments:
            beaten = False
            for other in list(kept):
                difference = self._sum(argument, other, -1)
                order = self._sign(difference) * (1 if operator == "max" else -1) if difference.numerator else -1
                if order < 0:
                    beaten = True
                elif order > 0:
                    kept.remove(other)
            if not beaten:
                kept.append(argument)
        if len(kept) == 1:
            return kept[0]
        return self._atom(
            (operator, frozenset(argument.key() for argument in kept)), integral=all(map(self.is_integral, kept))
        )

    def divisor_key(self, divisor: Term) -> Hashable | None:
        """Return `None` where a divisor is never zero on the domain, else a key of its zero set."""
        value = self.normal(divisor)
        if not value.numerator:
            raise AlwaysUndefinedError
        if value.number is not None or sign(value.numerator, self.positive):
            return None
        return primitive(value.numerator)


def _negated(value: Quotient) -> Quotient:
    return Quotient(multiply(value.numerator, constant(-1)), value.denominator)
