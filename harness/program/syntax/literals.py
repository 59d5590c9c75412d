"""The exact values of numeric literals, with all digits that are written in the source."""

import ast
import re
import sys
from fractions import Fraction

from harness.program.evaluation.values import Ratio
from harness.program.refusal import Refusal, RefusalReason

LONGEST_NUMERAL = 1_000  # characters of a literal
LARGEST_EXPONENT = 400
_DIGITS = r"\d+(?:_\d+)*"
_DECIMAL = re.compile(rf"(?:{_DIGITS}\.?(?:{_DIGITS})?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?")


def keep_written(tree: ast.Module, code: str) -> None:
    """Store with each decimal literal of a tree its written text: a double holds only its first sixteen digits."""
    lines = re.split(rb"\r\n|\r|\n", code.encode("utf-8", "surrogatepass"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and node.end_lineno == node.lineno:
            written = lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode("utf-8", "replace")
            # Inside an f-string the place is not the literal's.
            if _DECIMAL.fullmatch(written) and float(written) == node.value:
                node.kind = written


def decimal_literal(value: float, written: str | None, line: int) -> Fraction:
    """Return the exact value of a float literal by its digits, not the nearest double; one that Python does not hold, or that is too long to show, is a `Refusal`."""
    text = (written or repr(value)).replace("_", "").lower()
    if len(text) > LONGEST_NUMERAL:
        detail = f"a literal of {len(text):,} characters, at most {LONGEST_NUMERAL:,} are read"
        raise Refusal(RefusalReason.BUDGET, detail, line)
    digits, _, exponent = text.partition("e")
    tiny = value < sys.float_info.min and bool(digits.strip("0."))
    if tiny or value > sys.float_info.max or (exponent and abs(int(exponent)) > LARGEST_EXPONENT):
        raise Refusal(RefusalReason.UNSUPPORTED, f"the literal {text[:20]} is out of range", line)
    return Fraction(text)


def literal_value(node: ast.expr) -> int | Fraction | None:
    """Return the number a literal stands for, `None` for anything else.

    A literal is a number with an optional sign, a fraction of two integers (`1/3`), or `Fraction(1, 3)` with literal
    arguments; wider arithmetic such as `60*24` is a computation, not an input.
    """
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() as number):
            return number
        case ast.Constant(value=float() as number, kind=written):
            return decimal_literal(number, written, node.lineno)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() as operand):
            value = literal_value(operand)
            return None if value is None else -value
        case ast.BinOp(op=ast.Div(), left=ast.Constant() | ast.UnaryOp() as left, right=ast.Constant() as right):
            top, bottom = literal_value(left), literal_value(right)
            return Fraction(top, bottom) if isinstance(top, int) and isinstance(bottom, int) and bottom else None
        case ast.Call(func=ast.Name(id="Fraction"), args=[top, bottom], keywords=[]):
            numerator, denominator = literal_value(top), literal_value(bottom)
            if isinstance(numerator, int) and isinstance(denominator, int) and denominator:
                return Ratio(numerator, denominator)
    return None
