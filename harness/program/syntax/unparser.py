"""The unparser, which writes expressions of the program language as Python source."""

from fractions import Fraction

from harness.domain import decimal_places
from harness.program import ir

MOST_PLACES = 400

_PRECEDENCE = {"or": 1, "and": 2, "not": 3, "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6, "sign": 7, "**": 8}
_COMPARISON = 4
_ATOM = 9


def unparse(node: ir.Expr) -> str:
    """Return Python source of an expression with no more parentheses than it needs; reading it gives the node again.

    An input is written as `input_0`: outside its program it has no name.
    """
    return _write(node)[0]


def _write(node: ir.Expr) -> tuple[str, int]:
    """Return the text and how tightly it binds."""
    match node:
        case ir.Const(value):
            return _literal(value)
        case ir.Input(index):
            return f"input_{index}", _ATOM
        case ir.Name(name):
            return name, _ATOM
        case ir.Binary(operator, left, right):
            precedence = _PRECEDENCE[operator]
            to_the_right = operator == "**"
            first = _inside(left, precedence + to_the_right)
            # The exponent of a power may be signed without parentheses: 2 ** -1.
            second = _inside(right, _PRECEDENCE["sign"] if to_the_right else precedence + 1)
            return f"{first} {operator} {second}", precedence
        case ir.Unary("not", operand):
            return f"not {_inside(operand, _PRECEDENCE['not'])}", _PRECEDENCE["not"]
        case ir.Unary(sign, operand):
            return f"{sign}{_inside(operand, _PRECEDENCE['sign'])}", _PRECEDENCE["sign"]
        case ir.Comparison(operators, operands):
            first, *others = (_inside(operand, _COMPARISON + 1) for operand in operands)
            chain = (f" {operator} {operand}" for operator, operand in zip(operators, others, strict=True))
            return first + "".join(chain), _COMPARISON
        case ir.Boolean(operator, operands):
            precedence = _PRECEDENCE[operator]
            return f" {operator} ".join(_inside(operand, precedence + 1) for operand in operands), precedence
        case ir.Conditional(test, then, otherwise):
            return f"{_inside(then, 1)} if {_inside(test, 1)} else {_inside(otherwise, 0)}", 0
        case ir.Call(function, arguments, keywords):
            given = [unparse(argument) for argument in arguments]
            given += [f"{word}={unparse(argument)}" for word, argument in keywords]
            return f"{function}({', '.join(given)})", _ATOM
        case ir.Method(receiver, name, arguments):
            before = _inside(receiver, _ATOM)
            # The dot right after an integer would be its decimal point.
            before = f"({before})" if before.isdecimal() else before
            return f"{before}.{name}({', '.join(map(unparse, arguments))})", _ATOM
        case ir.Subscript(receiver, index):
            return f"{_inside(receiver, _ATOM)}[{unparse(index)}]", _ATOM
        case ir.Sequence(kind, items):
            text = ", ".join(map(unparse, items))
            return f"[{text}]" if kind == "list" else f"({text}{',' if len(items) == 1 else ''})", _ATOM
        case ir.Comprehension(element, targets, iterable, conditions):
            tests = "".join(f" if {_inside(condition, 1)}" for condition in conditions)
            return f"[{unparse(element)} for {', '.join(targets)} in {_inside(iterable, 1)}{tests}]", _ATOM


def _inside(node: ir.Expr, least: int) -> str:
    text, binding = _write(node)
    return text if binding >= least else f"({text})"


def _literal(value: ir.Literal) -> tuple[str, int]:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return repr(value), _ATOM
    if isinstance(value, Fraction):
        text = _decimal(value)
        if text is None:
            return f"Fraction({value.numerator}, {value.denominator})", _ATOM
    else:
        text = str(value)
    return text, _ATOM if value >= 0 else _PRECEDENCE["sign"]


def _decimal(value: Fraction) -> str | None:
    """Return the digits of a decimal literal, `None` where they do not end."""
    places = decimal_places(value, MOST_PLACES)
    if places is None:
        return None
    digits = str(abs(int(value * 10**places))).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[: len(digits) - places]}.{digits[len(digits) - places :] or '0'}"
