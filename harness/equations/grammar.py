"""The grammar of arithmetic expressions: tokens of one side of an equation become an expression tree by recursive descent."""

import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction

from harness.domain import Exact
from harness.equations.equation import Expression, Negative, Number, Operation, ParenthesizedExpression
from harness.text.numbers import whole_as_int
from harness.text.tokens import Token, TokenKind

MOST_TOKENS = 120
DEEPEST = 20
MOST_BITS = 2_048
LARGEST_EXPONENT = 64


class _UnreadableError(Exception):
    """The tokens form no expression."""


OPERATORS = {
    TokenKind.PLUS: ("+", 1),
    TokenKind.MINUS: ("-", 1),
    TokenKind.TIMES: ("*", 2),
    TokenKind.OVER: ("/", 2),
    TokenKind.FLOOR: ("//", 2),
    TokenKind.POWER: ("**", 4),
}
"""The operator of a sign, and how tightly it binds; a sign before an operand binds less than a power and tighter than a product."""
_PREFIX = 3


def parse_expression(
    tokens: Sequence[Token], outer: Sequence[tuple[int, int]], *, tight: bool = False
) -> Expression | None:
    """Return the expression of tokens, `None` where they form none; `outer` are their spans with unit words.

    A product without a sign has two readings after a quotient, `8/2(2+2)`: where `tight`, it is what is divided by.
    """
    side = _Side(tokens, outer, tight=tight)
    try:
        expression = side.chain() if len(tokens) <= MOST_TOKENS else None
    except _UnreadableError:
        return None
    return expression if side.at == len(tokens) else None


class _Side:
    """One side of an equation while it is parsed by precedence climbing."""

    def __init__(self, tokens: Sequence[Token], outer: Sequence[tuple[int, int]], *, tight: bool) -> None:
        self.tokens, self.outer, self.tight = tokens, outer, tight
        self.at = self.depth = 0

    def taken(self, *kinds: TokenKind) -> Token | None:
        """Take the next token where it is of one of the kinds."""
        if self.at == len(self.tokens) or self.tokens[self.at].kind not in kinds:
            return None
        self.at += 1
        return self.tokens[self.at - 1]

    def chain(self, least: int = 1) -> Expression:
        """Read operands and the signs between them that bind at least so tightly."""
        if sign := self.taken(TokenKind.PLUS, TokenKind.MINUS):
            left = self.chain(_PREFIX)
            left = left if sign.kind is TokenKind.PLUS else Negative(left, sign.start, left.end)
        else:
            left = self.atom()
        while self.at < len(self.tokens):
            sign = self.tokens[self.at]
            name, binding = OPERATORS.get(sign.kind, ("", 0))
            binding = _PREFIX if self.tight and name == "*" and not sign.text else binding
            if binding < least:
                break
            self.at += 1
            right = self.chain(binding + (name != "**"))
            value = apply(name, left.value, right.value)
            left = Operation(name, left, right, value, left.start, right.end)
        return left

    def atom(self) -> Expression:
        """Read a number, with a fraction after it as a mixed one, a fraction, a root or a group."""
        if number := self.taken(TokenKind.NUMBER):
            outer = self.outer[self.at - 1]
            if sign := self.taken(TokenKind.FRACTION):
                part = self.fraction(sign)
                value = apply("+", number.value, part.value)
                return Number(value, number.start, part.end, number.start, part.end)
            percent, places, unit, scale = number.percent, number.places, number.unit, number.scale
            return Number(number.value, number.start, number.end, *outer, percent, places, unit, scale)
        if sign := self.taken(TokenKind.FRACTION):
            return self.fraction(sign)
        if sign := self.taken(TokenKind.ROOT):
            number = self.taken(TokenKind.NUMBER)
            inner = number or self.group()
            outer_end = self.outer[self.at - 1][1] if number else inner.end
            return Number(root(inner.value), sign.start, inner.end, sign.start, outer_end)
        return self.group()

    def fraction(self, sign: Token) -> Operation:
        """Read the two groups of a fraction."""
        left, right = self.group(), self.group()
        value = apply("/", left.value, right.value)
        return Operation("/", left, right, value, sign.start, right.end)

    def group(self) -> ParenthesizedExpression:
        """Read an expression in parentheses."""
        opening = self.taken(TokenKind.LPAR)
        self.depth += 1
        inner = self.chain() if opening is not None and self.depth <= DEEPEST else None
        closing = self.taken(TokenKind.RPAR)
        if opening is None or inner is None or closing is None:
            raise _UnreadableError
        self.depth -= 1
        return ParenthesizedExpression(inner, opening.start, closing.end)


_FUNCTIONS: dict[str, Callable[[Fraction, Exact], Exact]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "**": operator.pow,
}


def apply(sign: str, left: Exact | None, right: Exact | None) -> Exact | None:
    """Return the value of an operation, `None` for a division by zero or a value of too many bits."""
    if left is None or right is None:
        return None
    largest = min(LARGEST_EXPONENT, MOST_BITS // _bits(left))
    if sign == "**" and (right.denominator != 1 or abs(right.numerator) > largest):
        return None
    try:
        value = whole_as_int(_FUNCTIONS[sign](Fraction(left), right))
    except ZeroDivisionError:
        return None
    return value if _bits(value) <= MOST_BITS else None


def _bits(value: Exact) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def root(value: Exact | None) -> Exact | None:
    """Return the root of a perfect square, `None` of any other number."""
    if value is None or value < 0:
        return None
    exact = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    return whole_as_int(exact) if exact * exact == value else None
