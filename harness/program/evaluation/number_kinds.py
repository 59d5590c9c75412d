"""The kinds of exact numbers that Python tells apart: int, float, `Fraction`, and numbers of sympy.

An `int` is Python's int and a plain `Fraction` a float, held exactly. The other kinds are subclasses of `Fraction`, so that
their values are compared and computed as any other.
"""

import math
from collections.abc import Callable
from fractions import Fraction

from harness.program.evaluation.terms import Number
from harness.program.refusal import Refusal, RefusalReason


class Ratio(Fraction):
    """A value of Python's class `Fraction`."""

    __slots__ = ()


class UntrackedNumber(Fraction):
    """A number whose kind or last digits are not known here: a solution that sympy gives, or the `Fraction` of a float."""

    __slots__ = ()


PLAIN = frozenset({int, bool, Fraction})


def plain(value: Number) -> Number:
    """Return the value as an int or a plain fraction."""
    return value if type(value) in PLAIN else Fraction(value)


def as_kind(kind: type, value: Number) -> Number:
    """Return a number as one of a kind."""
    return kind(value) if kind in {Ratio, UntrackedNumber} else value


def mixed(operator: str, left: Number, right: Number, exact: Callable[[Number, Number], Number]) -> Number:
    """Apply an arithmetic operator to numbers of which at least one is neither an int nor a float.

    Raises:
        ProgramError: the exception that Python raises.
        Refusal: Python rounds, or gives what is no number.
    """
    kinds = {type(left), type(right)} - {int, bool}
    if UntrackedNumber in kinds:
        if (operator in {"/", "//", "%"} and right == 0) or (operator == "**" and left == 0):
            raise Refusal(RefusalReason.UNSUPPORTED, f"{operator} by zero in sympy")
        return UntrackedNumber(exact(plain(left), plain(right)))
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
