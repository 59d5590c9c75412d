"""The numeric builtins of the language: conversions, rounding, least and greatest, roots."""

import math
from collections.abc import Callable
from fractions import Fraction

from harness.program.evaluation.arithmetic import (
    OPAQUE,
    Value,
    binary,
    check_range,
    compare,
    is_number,
    square_root,
    term_operand,
    type_name,
)
from harness.program.evaluation.linear_unknowns import SymbolicTruth
from harness.program.evaluation.values import Number, Ratio, Term, UntrackedNumber, as_kind, plain
from harness.program.refusal import ProgramError, Refusal, RefusalReason

_FLOAT_ONE = Fraction(1)
"""A factor that makes an open term what is no int, as a bound of a loop must be."""


def _numeric(value: Value, name: str) -> Number | Term:
    """Return a number or an open term; how Python reads numbers from texts is not known here."""
    if isinstance(value, int | Fraction | Term):
        return value
    if isinstance(value, (str, *OPAQUE)):
        raise Refusal(RefusalReason.UNSUPPORTED, f"{name} of {type_name(value)}")
    raise ProgramError("TypeError", f"{name} of {type_name(value)}")


def _unary(name: str, exact: Callable[[Number], Number]) -> Callable[..., Value]:
    def apply(value: Value) -> Value:
        number = _numeric(value, name)
        if isinstance(number, Term):
            return Term(name, (number,))
        result = exact(plain(number))
        return UntrackedNumber(result) if isinstance(number, UntrackedNumber) else result

    return apply


def rounded(value: Value, digits: Value = None) -> Value:
    """Round half to even, exactly: 2.675 to two places is 2.68, where a double would give 2.67."""
    places = 0 if digits is None else digits
    if not isinstance(places, int) or abs(places) > 100:
        raise Refusal(RefusalReason.UNSUPPORTED, f"round to {type_name(places)} {places!s:.20} digits")
    number = _numeric(value, "round")
    if isinstance(number, Term):
        return Term("round", (number, int(places)))
    if isinstance(number, int):
        return round(int(number), places)
    result = round(Fraction(number), None if digits is None else places)
    if isinstance(number, UntrackedNumber):
        return UntrackedNumber(result)
    return result if digits is None else as_kind(type(number), Fraction(result))


def extreme(name: str, values: list[Value]) -> Value:
    """Return the least or greatest of some values; where Python raises, as of no value, it is a `ProgramError`."""
    if not values:
        raise ProgramError("ValueError", f"{name} of nothing")
    if len(values) == 1:
        return values[0]
    if any(isinstance(value, Term) for value in values):
        return Term(name, tuple(term_operand(value, name) for value in values))
    best = values[0]
    for value in values[1:]:
        better = compare("<" if name == "min" else ">", value, best)
        if better.holds if isinstance(better, SymbolicTruth) else better:
            best = value
    return best


_truncated = _unary("trunc", math.trunc)


def to_integer(value: Value = 0) -> Value:
    """Truncate toward zero."""
    return math.trunc(value) if is_number(value) else _truncated(value)


def to_float(value: Value = 0) -> Value:
    """Return the value as Python's float would hold it, exactly."""
    number = _numeric(value, "float")
    if isinstance(number, Term):
        return Term("*", (number, _FLOAT_ONE))
    check_range(number)
    return Fraction(number)


def to_ratio(value: Value = 0) -> Value:
    """Return the value as Python's class `Fraction` would hold it, exactly."""
    number = _numeric(value, "Fraction")
    if isinstance(number, Term):
        return Term("*", (number, _FLOAT_ONE))
    return Ratio(number) if isinstance(number, int | Ratio) else UntrackedNumber(number)


def ratio_of(top: Value, bottom: Value) -> Value:
    """Return `Fraction(top, bottom)`; both must be integers or fractions."""
    for value in (top, bottom):
        if isinstance(_numeric(value, "Fraction"), UntrackedNumber):
            raise Refusal(RefusalReason.UNSUPPORTED, "the Fraction of a number of sympy")
        if not isinstance(value, int | Ratio | Term):
            raise ProgramError("TypeError", f"Fraction of {type_name(top)} and {type_name(bottom)}")
    result = binary("/", top, bottom)
    return Ratio(result) if is_number(result) else result


def _sqrt(value: Value) -> Value:
    number = _numeric(value, "sqrt")
    if isinstance(number, Term):
        raise Refusal(RefusalReason.UNSUPPORTED, "the square root of an input")
    check_range(number)
    if number < 0:
        raise ProgramError("ValueError", "square root of a negative number")
    return square_root(number)


def absolute(value: Value) -> Value:
    """Return the magnitude of a number, of its own kind."""
    return as_kind(type(value), abs(Fraction(value))) if isinstance(value, Fraction) else _magnitude(value)


_magnitude = _unary("abs", lambda value: abs(int(value)))
SCALAR_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "abs": absolute,
    "fabs": lambda value: absolute(to_float(value)),
    "ceil": _unary("ceil", math.ceil),
    "floor": _unary("floor", math.floor),
    "trunc": _truncated,
    "round": rounded,
    "int": to_integer,
    "float": to_float,
    "sqrt": _sqrt,
}
