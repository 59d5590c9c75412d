"""The kinds of exact numbers that Python tells apart: int, float, `Fraction`, `Decimal`, and numbers of sympy.

An `int` is Python's int and a plain `Fraction` a float, held exactly. The other kinds are subclasses of `Fraction`, so that
their values are compared and computed as any other.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program.refusal import ProgramError, Refusal, RefusalReason

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.program.evaluation.terms import Number

DECIMAL_DIGITS = 28
"""The precision of Python's default decimal context."""


class Ratio(Fraction):
    """A value of Python's class `Fraction`."""

    __slots__ = ()


class DecimalNumber(Fraction):
    """A value of Python's class `Decimal`."""

    __slots__ = ()


class SymbolicRational(Fraction):
    """A value of sympy's class `Rational`, integers included."""

    __slots__ = ()


class UntrackedNumber(Fraction):
    """A number whose kind or last digits are not known here: a solution that sympy gives, or the `Fraction` of a float."""

    __slots__ = ()


KIND_NAMES: dict[type, str] = {
    Fraction: "float",
    Ratio: "Fraction",
    DecimalNumber: "Decimal",
    SymbolicRational: "Rational",
    UntrackedNumber: "number",
}
PLAIN = frozenset({int, bool, Fraction})
SYMBOLIC = (SymbolicRational, UntrackedNumber)


def plain(value: Number) -> Number:
    """Return the value as an int or a plain fraction."""
    return value if type(value) in PLAIN else Fraction(value)


def as_decimal(value: Number) -> DecimalNumber:
    """Return a value as the result of a decimal operation.

    Raises:
        Refusal: the value has more digits than the decimal context keeps.
    """
    places = _decimal_places(value.denominator)
    digits = None if places is None else abs(value.numerator) * 10**places // value.denominator
    while digits and digits % 10 == 0:
        digits //= 10
    if digits is None or digits >= 10**DECIMAL_DIGITS:
        raise Refusal(RefusalReason.UNSUPPORTED, f"a Decimal that Python rounds to {DECIMAL_DIGITS} digits")
    return DecimalNumber(value)


def _decimal_places(denominator: int) -> int | None:
    """Return how many decimal places a fraction of that denominator has, `None` where they do not end."""
    twos = (denominator & -denominator).bit_length() - 1
    rest, fives = denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def as_kind(kind: type, value: Number) -> Number:
    """Return a number as one of a kind; errors as in `as_decimal`."""
    if kind is DecimalNumber:
        return as_decimal(value)
    if kind in (Ratio, *SYMBOLIC):
        return kind(value)
    return value


def mixed(operator: str, left: Number, right: Number, exact: Callable[[Number, Number], Number]) -> Number:
    """Apply an arithmetic operator to numbers of which at least one is neither an int nor a float.

    Raises:
        ProgramError: the exception that Python raises.
        Refusal: Python rounds, or gives what is no number.
    """
    kinds = {type(left), type(right)} - {int, bool}
    if DecimalNumber in kinds:
        return _decimal(operator, left, right, exact, kinds)
    if kinds & set(SYMBOLIC):
        if (operator in {"/", "//", "%"} and right == 0) or (operator == "**" and left == 0):
            raise Refusal(RefusalReason.UNSUPPORTED, f"{operator} by zero in sympy")
        result = exact(plain(left), plain(right))
        return SymbolicRational(result) if kinds == {SymbolicRational} and operator != "**" else UntrackedNumber(result)
    result = exact(plain(left), plain(right))
    if Fraction in kinds:
        return Fraction(result)
    if operator == "//":
        return math.floor(result)
    if operator != "**":
        return Ratio(result)
    if right.denominator != 1:
        return Fraction(result)
    return int(result) if isinstance(left, int) and right >= 0 else Ratio(result)


def _decimal(
    operator: str, left: Number, right: Number, exact: Callable[[Number, Number], Number], kinds: set[type]
) -> Number:
    if kinds & set(SYMBOLIC):
        raise Refusal(RefusalReason.UNSUPPORTED, f"{operator} on a Decimal and a number of sympy")
    if kinds != {DecimalNumber}:
        raise ProgramError("TypeError", f"{operator} on a Decimal and a {'float' if Fraction in kinds else 'Fraction'}")
    if operator in {"/", "//", "%"} and right == 0:
        raise ProgramError("InvalidOperation" if left == 0 or operator == "%" else "DivisionByZero")
    if operator == "**" and (left == 0 or right.denominator != 1):
        raise Refusal(RefusalReason.UNSUPPORTED, f"the Decimal power {right} of {left}")
    first, second = plain(left), plain(right)
    if operator not in {"//", "%"}:
        return as_decimal(exact(first, second))
    # A Decimal's quotient is rounded toward zero, a float's down.
    quotient = math.trunc(Fraction(first) / second)
    if abs(quotient) >= 10**DECIMAL_DIGITS:
        raise Refusal(RefusalReason.UNSUPPORTED, f"a Decimal quotient of more than {DECIMAL_DIGITS} digits")
    return as_decimal(quotient if operator == "//" else first - second * quotient)


def check_comparable(kinds: set[type], operator: str) -> None:
    """Refuse comparisons whose result depends on the digits of a float, or on the version of sympy."""
    if Fraction in kinds and DecimalNumber in kinds:
        raise Refusal(RefusalReason.UNSUPPORTED, "a comparison of a Decimal and a float")
    if kinds.isdisjoint(SYMBOLIC):
        return
    if DecimalNumber in kinds or (Fraction in kinds and operator in {"==", "!=", "in"}):
        raise Refusal(RefusalReason.UNSUPPORTED, "a comparison of a number of sympy and a float or Decimal")
