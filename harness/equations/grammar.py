"""The grammar of arithmetic expressions: tokens of one side of an equation become an expression tree by recursive descent."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from harness.equations.equation import Negative, Number, Operation, ParenthesizedExpression
from harness.equations.tokens import TokenKind
from harness.text.numbers import whole_as_int

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from harness.domain import Exact
    from harness.equations.equation import Expression
    from harness.equations.tokens import Token

MOST_TOKENS = 120
DEEPEST = 20
MOST_BITS = 2_048
LARGEST_EXPONENT = 64


class _UnreadableError(Exception):
    """The tokens form no expression."""


_LEVELS = (frozenset({TokenKind.PLUS, TokenKind.MINUS}), frozenset({TokenKind.TIMES, TokenKind.OVER, TokenKind.FLOOR}))
"""The signs between operands, those that bind loosest first."""


def parse_expression(tokens: Sequence[Token], outer: Sequence[tuple[int, int]]) -> Expression | None:
    """Return the expression of tokens, `None` where they form none; `outer` are their spans with unit words."""
    if len(tokens) > MOST_TOKENS:
        return None
    side = _Side(tokens, outer)
    try:
        expression = side.chain()
    except _UnreadableError:
        return None
    return expression if side.at == len(tokens) else None


class _Side:
    """One side of an equation while it is parsed by recursive descent; a power binds tighter than a sign before it."""

    def __init__(self, tokens: Sequence[Token], outer: Sequence[tuple[int, int]]) -> None:
        self.tokens, self.outer = tokens, outer
        self.at = self.depth = 0

    def taken(self, kinds: Collection[TokenKind]) -> Token | None:
        """Take the next token where it is of one of the kinds."""
        if self.at == len(self.tokens) or self.tokens[self.at].kind not in kinds:
            return None
        self.at += 1
        return self.tokens[self.at - 1]

    def chain(self, level: int = 0) -> Expression:
        """Read operands with the signs of a level between them."""
        if level == len(_LEVELS):
            return self.signed()
        left = self.chain(level + 1)
        while sign := self.taken(_LEVELS[level]):
            left = _operation(sign, left, self.chain(level + 1))
        return left

    def signed(self) -> Expression:
        """Read an operand with the signs before it and its exponent."""
        if sign := self.taken(_LEVELS[0]):
            inner = self.signed()
            return inner if sign.kind is TokenKind.PLUS else Negative(inner, sign.start, inner.end)
        base = self.atom()
        power = self.taken({TokenKind.POWER})
        return _operation(power, base, self.signed()) if power else base

    def atom(self) -> Expression:
        """Read a number, with a fraction after it as a mixed one, a fraction, a root or a group."""
        if token := self.taken({TokenKind.NUMBER}):
            start, end = self.outer[self.at - 1]
            sign = self.taken({TokenKind.FRACTION})
            if sign is None:
                return Number(
                    token.value,
                    token.start,
                    token.end,
                    start,
                    end,
                    token.percent,
                    token.places,
                    token.unit,
                    token.scale,
                )
            part = self.fraction(sign)
            return Number(apply("+", token.value, part.value), token.start, part.end, token.start, part.end)
        if sign := self.taken({TokenKind.FRACTION}):
            return self.fraction(sign)
        if sign := self.taken({TokenKind.ROOT}):
            number = self.taken({TokenKind.NUMBER})
            inner = number or self.group()
            outer_end = self.outer[self.at - 1][1] if number else inner.end
            return Number(root(inner.value), sign.start, inner.end, sign.start, outer_end)
        return self.group()

    def fraction(self, sign: Token) -> Operation:
        """Read the two groups of a fraction."""
        left, right = self.group(), self.group()
        value = apply("/", left.value, right.value)
        return Operation("/", sign.start, sign.end, left, right, value, sign.start, right.end)

    def group(self) -> ParenthesizedExpression:
        """Read an expression in parentheses."""
        opening = self.taken({TokenKind.LPAR})
        self.depth += 1
        if opening is None or self.depth > DEEPEST:
            raise _UnreadableError
        inner = self.chain()
        closing = self.taken({TokenKind.RPAR})
        if closing is None:
            raise _UnreadableError
        self.depth -= 1
        return ParenthesizedExpression(inner, opening.start, closing.end)


def _operation(sign: Token, left: Expression, right: Expression) -> Operation:
    operator = OPERATORS[sign.kind]
    value = apply(operator, left.value, right.value)
    return Operation(operator, sign.start, sign.end, left, right, value, left.start, right.end)


OPERATORS = {
    TokenKind.PLUS: "+",
    TokenKind.MINUS: "-",
    TokenKind.TIMES: "*",
    TokenKind.OVER: "/",
    TokenKind.FLOOR: "//",
    TokenKind.POWER: "**",
}


_FUNCTIONS: dict[str, Callable[[Exact, Exact], Exact]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: Fraction(left) / right,
    "//": lambda left, right: left // right,
}


def apply(operator: str, left: Exact | None, right: Exact | None) -> Exact | None:
    """Return the value of an operation, `None` for a division by zero or a value of too many bits."""
    if left is None or right is None or (operator in {"/", "//"} and not right):
        return None
    if operator == "**":
        return _power(left, right)
    value: Exact = _FUNCTIONS[operator](left, right)
    return whole_as_int(value) if _bits(value) <= MOST_BITS else None


def _power(base: Exact, exponent: Exact) -> Exact | None:
    if not isinstance(exponent, int) or abs(exponent) > LARGEST_EXPONENT or (exponent < 0 and not base):
        return None
    if _bits(base) * abs(exponent) > MOST_BITS:
        return None
    return whole_as_int(Fraction(base) ** exponent)


def _bits(value: Exact) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def root(value: Exact | None) -> Exact | None:
    """Return the root of a perfect square, `None` of any other number."""
    if value is None or value < 0:
        return None
    exact = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    return whole_as_int(exact) if exact * exact == value else None
