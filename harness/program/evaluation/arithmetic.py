"""The operators of the language, on exact numbers and on open terms."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import isqrt
from operator import add, mod, mul, sub
from typing import Any, TypeGuard

from harness.program.evaluation.linear_unknowns import Equation, LinearExpression, SymbolicTruth
from harness.program.evaluation.values import (
    COMPARISONS,
    PLAIN,
    Number,
    Operand,
    Ratio,
    Term,
    UntrackedNumber,
    mixed,
    plain,
)
from harness.program.refusal import ProgramError, Refusal, RefusalReason

# Python shows integers of up to 4,300 digits: what is kept can be shown.
MOST_BITS = 14_000
# The exponents of a double; beyond them Python gives infinity, zero or an exception.
LARGEST_DOUBLE, LEAST_DOUBLE = 1_023, -1_021
_SEQUENCES = (list, tuple, str)

Value = Any
"""A number, Term, Linear, bool, str, None, a list or tuple of these, or the dict of a solution of equations by unknown."""
OPAQUE = (LinearExpression, Equation, SymbolicTruth, dict)
"""A value that only few operations accept here; the result of the others in Python is not known."""


def is_number(value: Value) -> TypeGuard[Number]:
    """Tell whether the value is an exact number (bools count, as in Python)."""
    return isinstance(value, int | Fraction)


def bounded(value: Number) -> Number:
    """Return the value unless its digits exceed the budget or it is a float that Python cannot hold."""
    if isinstance(value, int):
        size = value.bit_length()
    else:
        top, bottom = value.numerator.bit_length(), value.denominator.bit_length()
        size = top + bottom
        if size > LARGEST_DOUBLE and type(value) is Fraction:
            check_range(value)
    if size > MOST_BITS:
        raise Refusal(RefusalReason.BUDGET, f"a number of {size:,} bits, at most {MOST_BITS:,} are kept")
    return value


def refuse_opaque(values: Iterable[Value], operation: str) -> None:
    """Refuse values that hold unknown parts."""
    for value in values:
        if isinstance(value, OPAQUE):
            raise Refusal(RefusalReason.UNSUPPORTED, f"{operation} on {type_name(value)}")


def cost(value: Value) -> int:
    """Return the steps of the budget that making a value takes, beyond the one step of every operation."""
    if type(value) is int:
        return value.bit_length() >> 6
    if isinstance(value, Fraction):
        return (value.numerator.bit_length() + value.denominator.bit_length()) >> 5
    return 0


def binary(operator: str, left: Value, right: Value) -> Value:
    """Apply an arithmetic operator.

    Raises:
        ProgramError: ZeroDivisionError or TypeError, as Python would.
        Refusal: the result is irrational, non-linear in an unknown, or larger than the budget.
    """
    if is_number(left) and is_number(right):
        kinds = {type(left), type(right)}
        if Fraction in kinds:
            check_range(left)
            check_range(right)
        result = _exact(operator, left, right) if kinds <= PLAIN else mixed(_exact, operator, left, right)
        return bounded(result)
    if isinstance(left, LinearExpression) or isinstance(right, LinearExpression):
        return _linear(operator, left, right)
    refuse_opaque((left, right), operator)
    if isinstance(left, _SEQUENCES) or isinstance(right, _SEQUENCES):
        raise Refusal(RefusalReason.UNSUPPORTED, f"{operator} on a sequence or a text")
    if isinstance(left, Term) or isinstance(right, Term):
        return _open_result(operator, left, right)
    if isinstance(left, UntrackedNumber) or isinstance(right, UntrackedNumber):
        raise Refusal(RefusalReason.UNSUPPORTED, f"{operator} on a number of sympy and {type_name(right)}")
    raise ProgramError("TypeError", f"{operator} on {type_name(left)} and {type_name(right)}")


def check_range(value: Number) -> None:
    """Refuse a number that Python cannot make a float of."""
    top, bottom = value.numerator.bit_length(), value.denominator.bit_length()
    if not LEAST_DOUBLE <= top - bottom <= LARGEST_DOUBLE:
        raise Refusal(RefusalReason.UNSUPPORTED, "a float beyond 1.8e308 or below 2.2e-308")


def type_name(value: Value) -> str:
    """Name the type of a value for a message."""
    return _NAMES.get(type(value), type(value).__name__)


_NAMES: dict[type, str] = {
    Fraction: "float",
    Ratio: "Fraction",
    UntrackedNumber: "number",
    Term: "number",
    LinearExpression: "unknown",
    Equation: "equation",
    SymbolicTruth: "equation",
}


def _exact(operator: str, left: Number, right: Number) -> Number:
    if right == 0 and operator in {"/", "//", "%"}:
        raise ProgramError("ZeroDivisionError")
    return _OPERATIONS[operator](left, right)


def _floor_divide(left: Number, right: Number) -> Number:
    quotient = left // right
    return quotient if isinstance(left, int) and isinstance(right, int) else Fraction(quotient)


def _power(base: Number, exponent: Number) -> Number:
    if exponent.denominator == 2:
        return _power(square_root(base), exponent.numerator)
    if exponent.denominator != 1:
        raise Refusal(RefusalReason.UNSUPPORTED, f"the power {exponent} of {base}")
    power = int(exponent)
    if base == 0 and power < 0:
        raise ProgramError("ZeroDivisionError")
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    bits = size * abs(power)
    if size > 1 and bits > MOST_BITS:
        raise Refusal(RefusalReason.BUDGET, f"a power of about {bits:,} bits, at most {MOST_BITS:,} are kept")
    if power < 0:
        return Fraction(base) ** power
    result = base**power
    return result if isinstance(base, int) and isinstance(exponent, int) else Fraction(result)


def square_root(value: Number) -> Fraction:
    """Return the square root; refuse it where it is irrational or not real."""
    if value >= 0:
        top, bottom = isqrt(value.numerator), isqrt(value.denominator)
        if (top * top, bottom * bottom) == (value.numerator, value.denominator):
            return Fraction(top, bottom)
    raise Refusal(RefusalReason.UNSUPPORTED, f"the square root of {value} is not rational")


_OPERATIONS: dict[str, Callable[[Number, Number], Number]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": lambda left, right: Fraction(left) / right,
    "//": _floor_divide,
    "%": mod,
    "**": _power,
}


def _open_result(operator: str, left: Value, right: Value) -> Value:
    first, second = term_operand(left, operator), term_operand(right, operator)
    if operator in {"/", "//", "%"} and isinstance(second, int | Fraction) and second == 0:
        raise ProgramError("ZeroDivisionError")
    if operator == "**":
        if isinstance(second, Term):
            raise Refusal(RefusalReason.UNSUPPORTED, "an exponent that depends on an input")
        if second.denominator != 1 or not -32 <= second <= 32:
            raise Refusal(RefusalReason.UNSUPPORTED, f"the power {second} of an input")
    return Term(operator, (first, second))


def _linear(operator: str, left: Value, right: Value) -> Value:
    if operator == "/" and is_number(right) and right == 0:
        raise Refusal(RefusalReason.UNSUPPORTED, "a division of an unknown by zero")
    left, right = (_coefficient(value, operator) for value in (left, right))
    try:
        match operator:
            case "+":
                return LinearExpression.of(left).plus(LinearExpression.of(right), binary)
            case "-":
                return LinearExpression.of(left).plus(LinearExpression.of(right).times(-1, binary), binary)
            case "*" if not isinstance(right, LinearExpression):
                return LinearExpression.of(left).times(right, binary)
            case "*" if not isinstance(left, LinearExpression):
                return LinearExpression.of(right).times(left, binary)
            case "/" if not isinstance(right, LinearExpression):
                return LinearExpression.of(left).times(binary("/", 1, right), binary)
    except TypeError:
        raise ProgramError("TypeError", f"{operator} on {type_name(left)} and {type_name(right)}") from None
    raise Refusal(RefusalReason.UNSUPPORTED, f"{operator} makes an equation that is not linear in its unknowns")


def _coefficient(value: Value, operator: str) -> Value:
    """Return an operand beside an unknown; numbers lose their kind."""
    if isinstance(value, bool) or not isinstance(value, int | Fraction | Term | LinearExpression):
        raise Refusal(RefusalReason.UNSUPPORTED, f"{operator} on an unknown and {type_name(value)}")
    return plain(value) if is_number(value) else value


def compare(operator: str, left: Value, right: Value) -> Value:
    """Apply a comparison; on open terms the result is a term that decides a path.

    Raises:
        ProgramError: TypeError, as Python would.
        Refusal: the operands hold what is not known here, or are sequences.
    """
    if type(left) in PLAIN and type(right) in PLAIN:
        return COMPARISONS[operator](left, right)
    if isinstance(left, Term) or isinstance(right, Term):
        return _compare_open(operator, left, right)
    for value in (left, right):
        if not isinstance(value, int | Fraction | str | None):
            raise Refusal(RefusalReason.UNSUPPORTED, f"a comparison with {type_name(value)}")
    kinds = {type(left), type(right)}
    if operator in {"==", "!="} and kinds == {Fraction, UntrackedNumber}:
        # The result depends on the digits of the float, and on the version of sympy.
        raise Refusal(RefusalReason.UNSUPPORTED, "a comparison of a number of sympy and a float")
    try:
        result = COMPARISONS[operator](left, right)
    except TypeError:
        raise ProgramError("TypeError", f"{operator} on {type_name(left)} and {type_name(right)}") from None
    return result if operator in {"==", "!="} or UntrackedNumber not in kinds else SymbolicTruth(result)


def _compare_open(operator: str, left: Value, right: Value) -> Value:
    refuse_opaque((left, right), operator)
    if operator in {"==", "!="} and not (isinstance(left, Operand) and isinstance(right, Operand)):
        return operator == "!="
    return Term(operator, (term_operand(left, operator), term_operand(right, operator)))


def term_operand(value: Value, operator: str) -> Operand:
    """Return an operand of a term; numbers lose their kind."""
    refuse_opaque((value,), operator)
    if isinstance(value, Term | int | Fraction):
        return plain(value) if is_number(value) else value
    raise ProgramError("TypeError", f"{operator} on {type_name(value)}")
