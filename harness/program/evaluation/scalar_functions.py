"""The numeric builtins of the language: conversions, rounding, least and greatest, roots and integer functions."""

import math
from collections.abc import Callable
from fractions import Fraction

from harness.program.evaluation.arithmetic import (
    OPAQUE,
    Value,
    binary,
    bounded,
    check_range,
    compare,
    is_number,
    rational_root,
    refuse_opaque,
    term_operand,
    type_name,
)
from harness.program.evaluation.linear_unknowns import SymbolicTruth
from harness.program.evaluation.number_kinds import (
    SYMBOLIC,
    Ratio,
    SymbolicRational,
    UntrackedNumber,
    as_kind,
    plain,
)
from harness.program.evaluation.number_text import float_of_text, int_of_text, ratio_of_text
from harness.program.evaluation.terms import Number, Term
from harness.program.refusal import ProgramError, Refusal, RefusalReason

_FLOAT_ONE = Fraction(1)
"""A factor that makes an open term what is no int, as a bound of a loop must be."""


def _unary(name: str, exact: Callable[[Number], Number]) -> Callable[..., Value]:
    def apply(value: Value) -> Value:
        if isinstance(value, Term):
            return Term(name, (value,))
        if not is_number(value):
            refuse_opaque((value,), name)
            raise ProgramError("TypeError", f"{name} of {type_name(value)}")
        result = exact(plain(value))
        return UntrackedNumber(result) if isinstance(value, SYMBOLIC) else result

    return apply


def rounded(value: Value, digits: Value = None) -> Value:
    """Round half to even, exactly: 2.675 to two places is 2.68, where a double would give 2.67."""
    places = 0 if digits is None else digits
    if not isinstance(places, int) or abs(places) > 100:
        raise Refusal(RefusalReason.UNSUPPORTED, f"round to {type_name(places)} {places!s:.20} digits")
    if isinstance(value, Term):
        return Term("round", (value, int(places)))
    if not is_number(value):
        refuse_opaque((value,), "round")
        raise ProgramError("TypeError", f"round of {type_name(value)}")
    if isinstance(value, int):
        return round(int(value), places)
    result = round(Fraction(value), None if digits is None else places)
    if isinstance(value, SYMBOLIC):
        return UntrackedNumber(result)
    return result if digits is None else as_kind(type(value), Fraction(result))


def extreme(name: str, values: list[Value]) -> Value:
    """Return the least or greatest of some values.

    Raises:
        ProgramError: ValueError where there are none, TypeError where Python cannot compare them.
    """
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


def to_integer(value: Value = 0, base: Value = None) -> Value:
    """Truncate toward zero; text is read as a number as `int` would."""
    if base is not None:
        if not isinstance(base, int):
            raise ProgramError("TypeError", f"int of base {type_name(base)}")
        if not isinstance(value, str):
            refuse_opaque((value,), "int")
            raise ProgramError("TypeError", f"int of {type_name(value)} with a base")
        return int_of_text(value, base)
    if isinstance(value, str):
        return int_of_text(value)
    return math.trunc(value) if is_number(value) else _truncated(value)


_truncated = _unary("trunc", math.trunc)


def to_float(value: Value = 0) -> Value:
    """Return the value as Python's float would hold it, exactly."""
    if is_number(value):
        check_range(value)
        return Fraction(value)
    if isinstance(value, Term):
        return Term("*", (value, _FLOAT_ONE))
    if isinstance(value, str):
        return bounded(float_of_text(value))
    refuse_opaque((value,), "float")
    raise ProgramError("TypeError", f"float of {type_name(value)}")


def to_ratio(value: Value = 0) -> Value:
    """Return the value as Python's class `Fraction` would hold it, exactly."""
    if isinstance(value, Term):
        return Term("*", (value, _FLOAT_ONE))
    if isinstance(value, str):
        return ratio_of_text(value)
    if not is_number(value):
        refuse_opaque((value,), "Fraction")
        raise ProgramError("TypeError", f"Fraction of {type_name(value)}")
    return Ratio(value) if isinstance(value, int | Ratio) else UntrackedNumber(value)


def ratio_of(top: Value, bottom: Value) -> Value:
    """Return `Fraction(top, bottom)`; both must be integers or fractions."""
    for value in (top, bottom):
        refuse_opaque((value,), "Fraction")
        if isinstance(value, SYMBOLIC):
            raise Refusal(RefusalReason.UNSUPPORTED, "the Fraction of a number of sympy")
        if not isinstance(value, int | Ratio | Term):
            raise ProgramError("TypeError", f"Fraction of {type_name(top)} and {type_name(bottom)}")
    result = binary("/", top, bottom)
    return Ratio(result) if is_number(result) else result


def to_rational(top: Value, bottom: Value = 1) -> Value:
    """Return the value as sympy's class `Rational` holds it."""
    if isinstance(top, str) and type(bottom) is int and bottom:
        top = ratio_of_text(top)
    if isinstance(top, Term) or isinstance(bottom, Term):
        return binary("/", top, bottom)
    if not is_number(top) or not is_number(bottom) or bottom == 0:
        raise Refusal(RefusalReason.UNSUPPORTED, f"Rational of {type_name(top)} and {type_name(bottom)}")
    value = Fraction(plain(top)) / plain(bottom)
    exact = all(isinstance(part, int | Ratio | SymbolicRational) for part in (top, bottom))
    return SymbolicRational(value) if exact else UntrackedNumber(value)


def square_root(value: Value) -> Value:
    """Return the square root where it is rational."""
    if not is_number(value):
        if isinstance(value, (Term, *OPAQUE)):
            raise Refusal(RefusalReason.UNSUPPORTED, f"the square root of {type_name(value)}")
        raise ProgramError("TypeError", f"the square root of {type_name(value)}")
    check_range(value)
    if value < 0:
        raise ProgramError("ValueError", "square root of a negative number")
    return rational_root(plain(value), Fraction(1, 2))


def math_power(base: Value, exponent: Value) -> Value:
    """Return `math.pow`, which computes with floats."""
    base, exponent = to_float(base), to_float(exponent)
    numbers = is_number(base) and is_number(exponent)
    if numbers and ((base == 0 and exponent < 0) or (base < 0 and exponent.denominator != 1)):
        raise ProgramError("ValueError", "math domain error")
    return binary("**", base, exponent)


def _integers(name: str, exact: Callable[..., int]) -> Callable[..., Value]:
    def apply(*values: Value) -> Value:
        for value in values:
            if isinstance(value, (Term, *OPAQUE, *SYMBOLIC)):
                raise Refusal(RefusalReason.UNSUPPORTED, f"{name} of {type_name(value)}")
            if not isinstance(value, int):
                raise ProgramError("TypeError", f"{name} of {type_name(value)}")
        try:
            return bounded(exact(*values))
        except ValueError as error:
            raise ProgramError("ValueError", str(error)) from None

    return apply


def _part(name: str, exact: Callable[[Number], int]) -> Callable[[Value], Value]:
    def apply(value: Value) -> Value:
        if isinstance(value, int | Ratio | SymbolicRational):
            return exact(value)
        if isinstance(value, (Term, *OPAQUE, *SYMBOLIC)) or type(value) is Fraction:
            raise Refusal(RefusalReason.UNSUPPORTED, f"the {name} of {type_name(value)}")
        raise ProgramError("AttributeError", f"{type_name(value)} has no {name}")

    return apply


def _factorial(value: int) -> int:
    if value > 1000:
        raise Refusal(RefusalReason.BUDGET, f"the factorial of {value:,}")
    return math.factorial(value)


def _combinations(total: int, chosen: int) -> int:
    if total > 1000:
        raise Refusal(RefusalReason.BUDGET, f"combinations of {total:,}")
    return math.comb(total, chosen)


def absolute(value: Value) -> Value:
    """Return the magnitude of a number, of its own kind."""
    if isinstance(value, Fraction):
        return as_kind(type(value), abs(Fraction(value)))
    return _magnitude(value)


def _without_sign(value: Number) -> Number:
    return -value if value < 0 else int(value) if isinstance(value, int) else value


_magnitude = _unary("abs", _without_sign)
SCALAR_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "Rational": to_rational,
    "abs": absolute,
    "fabs": lambda value: absolute(to_float(value)),
    "ceil": _unary("ceil", math.ceil),
    "floor": _unary("floor", math.floor),
    "trunc": _unary("trunc", math.trunc),
    "round": rounded,
    "int": to_integer,
    "float": to_float,
    "sqrt": square_root,
    "math.pow": math_power,
    "gcd": _integers("gcd", math.gcd),
    "lcm": _integers("lcm", math.lcm),
    "factorial": _integers("factorial", _factorial),
    "comb": _integers("comb", _combinations),
    ".numerator": _part("numerator", lambda value: int(value.numerator)),
    ".denominator": _part("denominator", lambda value: int(value.denominator)),
}
