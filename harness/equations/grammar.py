"""The grammar of arithmetic expressions: tokens of one side of an equation become an expression tree."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lark import Lark, Token as Leaf, Transformer
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer

from harness.equations.equation import Negative, Number, Operation, ParenthesizedExpression
from harness.equations.tokens import TokenKind
from harness.text.numbers import whole_as_int

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.domain import Exact
    from harness.equations.equation import Expression
    from harness.equations.tokens import Token

MOST_TOKENS = 120
DEEPEST = 20
MOST_BITS = 2_048
LARGEST_EXPONENT = 64
_GRAMMAR = Path(__file__).with_name("expression.lark")


class ExpressionPlan(NamedTuple):
    """A rule of the grammar and its parts: plans, or the positions of tokens."""

    rule: str
    parts: tuple[Any, ...]


class _Kinds(Lexer):
    """Gives the parser the kinds of tokens, each with its position as text."""

    def __init__(self, _configuration: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Leaf]:  # noqa: ARG002  # lark calls it so
        for place, kind in enumerate(lexer_state):
            yield Leaf(kind, str(place))


class _Planner(Transformer[Leaf, ExpressionPlan]):
    """Builds plans while the parser runs, so that no tree is walked."""

    def __default__(self, data: Any, children: list[Any], meta: Any) -> ExpressionPlan:
        return ExpressionPlan(str(data), tuple(int(child) if isinstance(child, Leaf) else child for child in children))


@cache
def _parser() -> Lark:
    """Return the parser; building it takes longer than reading a line."""
    return Lark(
        _GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer=_Kinds,
        transformer=_Planner(),
        maybe_placeholders=False,
    )


@lru_cache(maxsize=8_192)
def plan(kinds: tuple[TokenKind, ...]) -> ExpressionPlan | None:
    """Return the plan of an expression of tokens of these kinds, `None` where they form none.

    Plans are cached, because lines differ less in the kinds of tokens than in their numbers.
    """
    if len(kinds) > MOST_TOKENS or not _shallow(kinds):
        return None
    try:
        parsed = _parser().parse(kinds)
    except UnexpectedInput:
        return None
    return parsed if isinstance(parsed, ExpressionPlan) else None


def _shallow(kinds: Sequence[TokenKind]) -> bool:
    depth = deepest = 0
    for kind in kinds:
        depth += (kind is TokenKind.LPAR) - (kind is TokenKind.RPAR)
        deepest = max(deepest, depth)
    return deepest <= DEEPEST


def parse_expression(tokens: Sequence[Token], outer: Sequence[tuple[int, int]]) -> Expression | None:
    """Return the expression of tokens, `None` where they form none; `outer` are their spans with unit words."""
    expression_plan = plan(tuple(token.kind for token in tokens))
    return None if expression_plan is None else _build(expression_plan, tokens, outer)


def _build(expression_plan: ExpressionPlan, tokens: Sequence[Token], outer: Sequence[tuple[int, int]]) -> Expression:
    """Build the expression tree of a plan; its depth is bounded by the number of tokens."""
    rule, parts = expression_plan
    if rule == "number":
        token = tokens[parts[0]]
        start, end = outer[parts[0]]
        return Number(
            token.value, token.start, token.end, start, end, token.percent, token.places, token.unit, token.scale
        )
    if rule == "operation":
        left, right = _build(parts[0], tokens, outer), _build(parts[2], tokens, outer)
        sign = tokens[parts[1]]
        operator = OPERATORS[sign.kind]
        value = apply(operator, left.value, right.value)
        return Operation(operator, sign.start, sign.end, left, right, value, left.start, right.end)
    if rule == "group":
        return ParenthesizedExpression(_build(parts[1], tokens, outer), tokens[parts[0]].start, tokens[parts[2]].end)
    start = tokens[parts[0]].start
    if rule in {"fraction", "mixed"}:
        sign = tokens[parts[-3]]
        left, right = _build(parts[-2], tokens, outer), _build(parts[-1], tokens, outer)
        part = Operation(
            "/", sign.start, sign.end, left, right, apply("/", left.value, right.value), sign.start, right.end
        )
        if rule == "fraction":
            return part
        return Number(apply("+", tokens[parts[0]].value, part.value), start, right.end, start, right.end)
    if rule == "root_of_number":
        token = tokens[parts[1]]
        return Number(root(token.value), start, token.end, start, outer[parts[1]][1])
    inner = _build(parts[1], tokens, outer)
    if rule == "root":
        return Number(root(inner.value), start, inner.end, start, inner.end)
    return inner if rule == "positive" else Negative(inner, start, inner.end)


OPERATORS = {
    TokenKind.PLUS: "+",
    TokenKind.MINUS: "-",
    TokenKind.TIMES: "*",
    TokenKind.OVER: "/",
    TokenKind.FLOOR: "//",
    TokenKind.POWER: "**",
}


def apply(operator: str, left: Exact | None, right: Exact | None) -> Exact | None:
    """Return the value of an operation, `None` for a division by zero or a value of too many bits."""
    if left is None or right is None or (operator in {"/", "//"} and not right):
        return None
    if operator == "+":
        value: Exact = left + right
    elif operator == "-":
        value = left - right
    elif operator == "*":
        value = left * right
    elif operator == "/":
        value = Fraction(left) / right
    elif operator == "//":
        value = left // right
    else:
        return _power(left, right)
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
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    return (
        whole_as_int(Fraction(top, bottom))
        if top * top == value.numerator and bottom * bottom == value.denominator
        else None
    )
