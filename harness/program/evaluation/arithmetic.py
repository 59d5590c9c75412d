"""The operators and numeric builtins of the language, on exact numbers and on open terms."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from harness.program.evaluation.linear_unknowns import LinearExpression
from harness.program.evaluation.terms import Number, Operand, Term
from harness.program.refusal import ProgramError, Refusal, RefusalReason

if TYPE_CHECKING:
    from collections.abc import Callable

# Python shows integers of up to 4,300 digits: what is kept can be shown.
MOST_BITS = 14_000
LONGEST_SEQUENCE = 10_000
LONGEST_TEXT = 10_000
_SEQUENCES = (list, tuple, str)
CONTAINERS = (list, tuple, set, dict)

Value = Any
"""A number, Term, Linear, bool, str, None, or a list, tuple, set or dict of these."""


def is_number(value: Value) -> bool:
    """Tell whether the value is an exact number (bools count, as in Python)."""
    return isinstance(value, int | Fraction)


def bounded(value: Number) -> Number:
    """Return the value unless its digits exceed the budget."""
    size = (
        value.bit_length() if isinstance(value, int) else value.numerator.bit_length() + value.denominator.bit_length()
    )
    if size > MOST_BITS:
        raise Refusal(RefusalReason.BUDGET, f"a number of {size:,} bits, at most {MOST_BITS:,} are kept")
    return value


def cost(value: Value) -> int:
    """Return how many steps of the budget it takes to make a value, beyond the one every operation takes."""
    if type(value) is int:
        return value.bit_length() >> 6
    if isinstance(value, Fraction):
        return (value.numerator.bit_length() + value.denominator.bit_length()) >> 5
    return len(value) >> 4 if isinstance(value, _SEQUENCES) else 0


def binary(operator: str, left: Value, right: Value) -> Value:
    """Apply an arithmetic operator.

    Raises:
        ProgramError: ZeroDivisionError or TypeError, as Python would.
        Refusal: the result is irrational, non-linear in an unknown, or larger than the budget.
    """
    if is_number(left) and is_number(right):
        return bounded(_EXACT[operator](left, right))
    if isinstance(left, LinearExpression) or isinstance(right, LinearExpression):
        return _linear(operator, left, right)
    if isinstance(left, Term) or isinstance(right, Term):
        return _open(operator, left, right)
    if operator == "+" and type(left) is type(right) and isinstance(left, str | list | tuple):
        return _sized(left + right)
    if operator == "*" and isinstance(left, str | list | tuple) and isinstance(right, int):
        if len(left) * right > LONGEST_SEQUENCE:
            raise Refusal(RefusalReason.BUDGET, f"a sequence of {len(left) * right:,} items")
        return left * right
    if operator == "*" and isinstance(right, str | list | tuple) and isinstance(left, int):
        return binary(operator, right, left)
    if operator == "%" and isinstance(left, str):
        raise Refusal(RefusalReason.UNSUPPORTED, "formatting a text by %")
    raise ProgramError("TypeError", f"{operator} on {type_name(left)} and {type_name(right)}")


def type_name(value: Value) -> str:
    """Name the type of a value for a message."""
    return {Fraction: "float", Term: "number", LinearExpression: "unknown"}.get(type(value), type(value).__name__)


def _sized(value: Value) -> Value:
    if len(value) > LONGEST_SEQUENCE:
        raise Refusal(RefusalReason.BUDGET, f"a sequence of {len(value):,} items")
    return value


def _divide(left: Number, right: Number) -> Number:
    if right == 0:
        raise ProgramError("ZeroDivisionError")
    return Fraction(left) / right


def _floor_divide(left: Number, right: Number) -> Number:
    if right == 0:
        raise ProgramError("ZeroDivisionError")
    quotient = left // right
    return quotient if isinstance(left, int) and isinstance(right, int) else Fraction(quotient)


def _modulo(left: Number, right: Number) -> Number:
    if right == 0:
        raise ProgramError("ZeroDivisionError")
    return left % right


def _power(base: Number, exponent: Number) -> Number:
    if exponent.denominator != 1:
        return _root(base, Fraction(exponent))
    power = int(exponent)
    if base == 0 and power < 0:
        raise ProgramError("ZeroDivisionError")
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if size > 1 and size * abs(power) > MOST_BITS:
        raise Refusal(
            RefusalReason.BUDGET, f"a power of about {size * abs(power):,} bits, at most {MOST_BITS:,} are kept"
        )
    if power < 0:
        return Fraction(base) ** power
    result = base**power
    return result if isinstance(base, int) and isinstance(exponent, int) else Fraction(result)


def _root(base: Number, exponent: Fraction) -> Fraction:
    """Return base**exponent where it is rational."""
    if base < 0 or exponent.denominator > 64:
        raise Refusal(RefusalReason.UNSUPPORTED, f"the power {exponent} of {base} is not rational")
    degree = exponent.denominator
    base = Fraction(base)
    top, bottom = _integer_root(base.numerator, degree), _integer_root(base.denominator, degree)
    if top is None or bottom is None:
        raise Refusal(RefusalReason.UNSUPPORTED, f"the power {exponent} of {base} is irrational")
    return Fraction(_power(Fraction(top, bottom), exponent.numerator))


def _integer_root(value: int, degree: int) -> int | None:
    low, high = 0, 1 << (value.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**degree < value:
            low = middle + 1
        else:
            high = middle
    return low if low**degree == value else None


_EXACT: dict[str, Callable[[Number, Number], Number]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _divide,
    "//": _floor_divide,
    "%": _modulo,
    "**": _power,
}


def _operand(value: Value, operator: str) -> Operand:
    if isinstance(value, Term | int | Fraction):
        return value
    raise ProgramError("TypeError", f"{operator} on {type_name(value)}")


def _open(operator: str, left: Value, right: Value) -> Value:
    if isinstance(left, _SEQUENCES) or isinstance(right, _SEQUENCES):
        raise Refusal(RefusalReason.UNSUPPORTED, f"{operator} on a sequence and an input")
    first, second = _operand(left, operator), _operand(right, operator)
    if operator in {"/", "//", "%"} and isinstance(second, int | Fraction) and second == 0:
        raise ProgramError("ZeroDivisionError")
    if operator == "**":
        if isinstance(second, Term):
            raise Refusal(RefusalReason.UNSUPPORTED, "an exponent that depends on an input")
        if second.denominator != 1 or not -32 <= second <= 32:
            raise Refusal(RefusalReason.UNSUPPORTED, f"the power {second} of an input")
    return Term(operator, (first, second))


def _linear(operator: str, left: Value, right: Value) -> Value:
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


def _check_flat(value: Value) -> None:
    """Refuse to compare containers of containers, which may take forever, and of open inputs, which are not yet known."""
    if isinstance(value, CONTAINERS):
        items = [*value, *value.values()] if isinstance(value, dict) else value
        if any(isinstance(item, (*CONTAINERS, Term)) for item in items):
            raise Refusal(
                RefusalReason.UNSUPPORTED, f"a comparison of a {type_name(value)} of sequences or open inputs"
            )


def compare(operator: str, left: Value, right: Value) -> Value:
    """Apply a comparison; on open terms the result is a term that decides a path."""
    _check_flat(left)
    _check_flat(right)
    if operator in {"in", "not in"}:
        if isinstance(left, Term | LinearExpression) or not isinstance(right, str | list | tuple | set | dict | range):
            raise Refusal(RefusalReason.UNSUPPORTED, f"{operator} on {type_name(left)} and {type_name(right)}")
        return (left in right) is (operator == "in")
    if isinstance(left, LinearExpression) or isinstance(right, LinearExpression):
        raise Refusal(RefusalReason.UNSUPPORTED, "a comparison with an unknown")
    if isinstance(left, Term) or isinstance(right, Term):
        if operator in {"==", "!="} and not (isinstance(left, Operand) and isinstance(right, Operand)):
            return operator == "!="
        return Term(operator, (_operand(left, operator), _operand(right, operator)))
    if operator in {"==", "!="}:
        return (left == right) is (operator == "==")
    if not (is_number(left) and is_number(right)) and not (isinstance(left, str) and isinstance(right, str)):
        raise ProgramError("TypeError", f"{operator} on {type_name(left)} and {type_name(right)}")
    return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[operator]


def _unary(name: str, exact: Callable[[Number], Number]) -> Callable[..., Value]:
    def apply(value: Value) -> Value:
        if isinstance(value, Term):
            return Term(name, (value,))
        if not is_number(value):
            raise ProgramError("TypeError", f"{name} of {type_name(value)}")
        return exact(value)

    return apply


def rounded(value: Value, digits: Value = None) -> Value:
    """Round half to even, exactly: 2.675 to two places is 2.68, where a double would give 2.67."""
    places = 0 if digits is None else digits
    if not isinstance(places, int) or abs(places) > 100:
        raise Refusal(RefusalReason.UNSUPPORTED, f"round to {places!s:.20} digits")
    if isinstance(value, Term):
        return Term("round", (value, places))
    if not is_number(value):
        raise ProgramError("TypeError", f"round of {type_name(value)}")
    if digits is None:
        return round(value)
    return round(value, places) if isinstance(value, int) else Fraction(round(value, places))


def extreme(name: str, values: list[Value]) -> Value:
    """Return the least or greatest of some numbers."""
    if not values:
        raise ProgramError("ValueError", f"{name} of nothing")
    if any(isinstance(value, Term) for value in values):
        return Term(name, tuple(_operand(value, name) for value in values)) if len(values) > 1 else values[0]
    if not all(is_number(value) for value in values):
        raise ProgramError("TypeError", f"{name} of {type_name(values[0])}")
    return min(values) if name == "min" else max(values)


def to_integer(value: Value) -> Value:
    """Truncate toward zero; text is read as a number as `int` would."""
    if isinstance(value, str):
        try:
            return int(value[:LONGEST_TEXT])
        except ValueError:
            raise ProgramError("ValueError", f"int({value[:20]!r})") from None
    return _unary("trunc", math.trunc)(value)


def _text_as_float(text: str) -> Fraction:
    try:
        nearest = float(text)
    except ValueError:
        raise ProgramError("ValueError", f"float({text[:20]!r})") from None
    if not math.isfinite(nearest):
        raise Refusal(RefusalReason.UNSUPPORTED, f"float({text[:20]!r}) is no number")
    return Fraction(text) if len(text) < 100 and "e" not in text.lower() else Fraction(nearest)


def to_float(value: Value) -> Value:
    """Return the value as Python's float would hold it, exactly."""
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, Fraction | Term | LinearExpression):
        return value
    if isinstance(value, str):
        return _text_as_float(value.strip())
    raise ProgramError("TypeError", f"float of {type_name(value)}")


def square_root(value: Value) -> Value:
    """Return the square root where it is rational."""
    if not is_number(value):
        raise Refusal(RefusalReason.UNSUPPORTED, f"the square root of {type_name(value)}")
    if value < 0:
        raise ProgramError("ValueError", "square root of a negative number")
    return _root(value, Fraction(1, 2))


def _integers(name: str, exact: Callable[..., int]) -> Callable[..., Value]:
    def apply(*values: Value) -> Value:
        for value in values:
            if isinstance(value, Term | LinearExpression):
                raise Refusal(RefusalReason.UNSUPPORTED, f"{name} of an input")
            if not isinstance(value, int):
                raise ProgramError("TypeError", f"{name} of {type_name(value)}")
        try:
            return bounded(exact(*values))
        except ValueError as error:
            raise ProgramError("ValueError", str(error)) from None

    return apply


def _unary_exact(name: str, exact: Callable[[Number], int]) -> Callable[[Value], Value]:
    def apply(value: Value) -> Value:
        if isinstance(value, Term):
            raise Refusal(RefusalReason.UNSUPPORTED, f"the {name} of an input")
        if not is_number(value):
            raise ProgramError("AttributeError", f"{type_name(value)} has no {name}")
        return exact(value)

    return apply


def _factorial(value: int) -> int:
    if value > 1000:
        raise Refusal(RefusalReason.BUDGET, f"the factorial of {value:,}")
    return math.factorial(value)


def _combinations(total: int, chosen: int) -> int:
    if total > 1000:
        raise Refusal(RefusalReason.BUDGET, f"combinations of {total:,}")
    return math.comb(total, chosen)


def _magnitude(value: Number) -> Number:
    return -value if value < 0 else value


absolute = _unary("abs", _magnitude)
SCALAR_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "abs": absolute,
    "fabs": absolute,
    "ceil": _unary("ceil", math.ceil),
    "floor": _unary("floor", math.floor),
    "trunc": _unary("trunc", math.trunc),
    "round": rounded,
    "int": to_integer,
    "float": to_float,
    "sqrt": square_root,
    "gcd": _integers("gcd", math.gcd),
    "lcm": _integers("lcm", math.lcm),
    "factorial": _integers("factorial", _factorial),
    "numerator": _unary_exact("numerator", lambda value: value.numerator),
    "denominator": _unary_exact("denominator", lambda value: value.denominator),
    "comb": _integers("comb", _combinations),
}
