"""Arithmetic expressions of annotations, such as `48/2`: their signs, operands and exact value."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from harness.domain import Exact
from harness.text.lexicon import english
from harness.text.numbers import read_numeral, whole_as_int

LONGEST_EXPRESSION = 200
MOST_PARENTHESES = 20
_TOKEN = re.compile(r"\s*(?:\$?\s?(?P<number>(?:\d[\d,]*\.?\d*|\.\d+)(?:\s?%)?)|(?P<sign>//|[-+*/()×÷]))", re.ASCII)
_TWO_INTEGERS = re.compile(r"(\d{1,15})([-+*/])(\d{1,15})", re.ASCII)
_PYTHON = {"×": "*", "÷": "/"}


class Arithmetic(NamedTuple):
    """An expression over numbers: `pieces` are signs and, where a number stands, its place in `operands`.

    The value of an operand written with `%` is a hundredth of its number.
    """

    pieces: tuple[str | int, ...]
    operands: tuple[Exact, ...]
    spans: tuple[tuple[int, int], ...]
    """Where each operand stands in the text, its `%` included, its `$` left out."""
    value: Exact | None
    """Its value, `None` where it divides by zero."""

    def code(self, names: Sequence[str]) -> str:
        """Return the expression as Python with names for its operands."""
        words: list[str] = []
        tight = True
        for piece in self.pieces:
            if isinstance(piece, int):
                words.append(names[piece])
                tight = False
            elif piece in "()":
                words.append(piece)
                tight = piece == "("
            elif tight and piece in "+-":
                words.append(piece)
            else:
                words.append(f" {piece} ")
                tight = True
        return "".join(words)

    def evaluated(self, operands: Sequence[Exact]) -> Exact | None:
        """Return the value for other operands, `None` where it divides by zero."""
        return _evaluate(self.pieces, operands, "")

    def quotients(self) -> list[Exact]:
        """Return the value of each number divided by the next."""
        return [
            Fraction(self.operands[above]) / self.operands[below]
            for above, sign, below in zip(self.pieces, self.pieces[1:], self.pieces[2:], strict=False)
            if isinstance(above, int) and isinstance(below, int) and sign == "/" and self.operands[below]
        ]

    def divides(self, operand: int) -> bool:
        """Tell whether an operand stands right after a division sign."""
        place = self.pieces.index(operand)
        return place > 0 and self.pieces[place - 1] in ("/", "//")

    def is_term(self, operand: int) -> bool:
        """Tell whether an operand is added or subtracted by itself, and is no factor, divisor or only number."""
        place = self.pieces.index(operand)
        before = self.pieces[place - 1] if place else ""
        after = self.pieces[place + 1] if place + 1 < len(self.pieces) else ""
        return {before, after} <= {"", "+", "-", "(", ")"} and not {"+", "-"}.isdisjoint({before, after})


def merge_fractions(
    arithmetic: Arithmetic, is_fraction: Callable[[Exact, Exact], bool], joined: Container[int]
) -> tuple[Arithmetic, list[int]]:
    """Return the arithmetic with each division `3/4` that `is_fraction` as one operand.

    `joined` are the operands whose division stands with nothing but the sign between the numbers.

    The list gives, for each operand of the result, the place of its first number among the operands before.
    """
    pieces: list[str | int] = []
    kept: list[int] = []
    operands: list[Exact] = []
    spans: list[tuple[int, int]] = []
    place = 0
    while place < len(arithmetic.pieces):
        piece = arithmetic.pieces[place]
        if not isinstance(piece, int):
            pieces.append(piece)
            place += 1
            continue
        value, span, width = arithmetic.operands[piece], arithmetic.spans[piece], 1
        if arithmetic.pieces[place + 1 : place + 2] == ("/",) and not (pieces and pieces[-1] in ("/", "//")):
            below = arithmetic.pieces[place + 2]
            if isinstance(below, int) and piece in joined and is_fraction(value, arithmetic.operands[below]):
                value, span, width = (
                    Fraction(value) / arithmetic.operands[below],
                    (span[0], arithmetic.spans[below][1]),
                    3,
                )
        pieces.append(len(operands))
        operands.append(value)
        spans.append(span)
        kept.append(piece)
        place += width
    return Arithmetic(tuple(pieces), tuple(operands), tuple(spans), arithmetic.value), kept


class MalformedArithmeticError(ValueError):
    """The text is no arithmetic."""


def read_arithmetic(text: str) -> Arithmetic:
    """Read `48/2`, `20%*50`, `(3+4)*.5` or `560//10`.

    Raises:
        MalformedArithmeticError: the text is longer than 200 characters or no arithmetic.
    """
    if len(text) > LONGEST_EXPRESSION:
        message = f"an expression of {len(text):,} characters; at most {LONGEST_EXPRESSION} are read"
        raise MalformedArithmeticError(message)
    simple = _TWO_INTEGERS.fullmatch(text)
    if simple is not None:
        left, right = int(simple[1]), int(simple[3])
        value = _apply(simple[2], left, right)
        value = None if value is None else whole_as_int(value)
        return Arithmetic((0, simple[2], 1), (left, right), (simple.span(1), simple.span(3)), value)
    pieces: list[str | int] = []
    operands: list[Exact] = []
    spans: list[tuple[int, int]] = []
    end = 0
    text = text.rstrip()
    while end < len(text):
        match = _TOKEN.match(text, end)
        if match is None:
            message = f"{text[:40]!r} holds {text[end : end + 1]!r}, which is neither a number nor a sign"
            raise MalformedArithmeticError(message)
        end = match.end()
        number = match["number"]
        if number is None:
            pieces.append(_PYTHON.get(match["sign"], match["sign"]))
            continue
        value = read_numeral(number.rstrip("% ").rstrip("."))
        if value is None:
            message = f"{number[:20]}… is too long for a number"
            raise MalformedArithmeticError(message)
        spans.append(match.span("number"))
        operands.append(whole_as_int(Fraction(value) / 100) if number.endswith("%") else whole_as_int(value))
        pieces.append(len(operands) - 1)
    return Arithmetic(tuple(pieces), tuple(operands), tuple(spans), _evaluate(pieces, operands, text))


def _evaluate(pieces: Sequence[str | int], operands: Sequence[Exact], text: str) -> Exact | None:
    """Evaluate the pieces, which must be one expression; `3 4` and `2(3)` are none."""
    if len(pieces) == 3 and len(operands) == 2 and pieces[1] in _SIGNS:
        value = _apply(str(pieces[1]), *operands)
        return None if value is None else whole_as_int(value)
    value, end = None, -1
    if pieces.count("(") <= MOST_PARENTHESES and operands:
        with suppress(IndexError):
            value, end = _sum(pieces, 0, operands)
    if end != len(pieces):
        message = f"{text[:40]!r} is no arithmetic"
        raise MalformedArithmeticError(message)
    return None if value is None else whole_as_int(value)


_SIGNS = frozenset({"+", "-", "*", "/", "//"})


def _apply(sign: str, left: Exact | None, right: Exact | None) -> Exact | None:
    if left is None or right is None or (sign in {"/", "//"} and not right):
        return None
    if sign == "+":
        return left + right
    if sign == "-":
        return left - right
    if sign == "*":
        return left * right
    if sign == "//" or (type(left) is int is type(right) and left % right == 0):
        return left // right
    return Fraction(left) / right


def _sum(pieces: Sequence[str | int], at: int, values: Sequence[Exact]) -> tuple[Exact | None, int]:
    left, at = _product(pieces, at, values)
    while at < len(pieces) and (sign := pieces[at]) in ("+", "-"):
        right, at = _product(pieces, at + 1, values)
        left = _apply(str(sign), left, right)
    return left, at


def _product(pieces: Sequence[str | int], at: int, values: Sequence[Exact]) -> tuple[Exact | None, int]:
    left, at = _atom(pieces, at, values)
    while at < len(pieces) and (sign := pieces[at]) in ("*", "/", "//"):
        right, at = _atom(pieces, at + 1, values)
        left = _apply(str(sign), left, right)
    return left, at


def _atom(pieces: Sequence[str | int], at: int, values: Sequence[Exact]) -> tuple[Exact | None, int]:
    piece = pieces[at]
    if isinstance(piece, int):
        return values[piece], at + 1
    if piece in {"+", "-"}:
        value, at = _atom(pieces, at + 1, values)
        return (-value if value is not None and piece == "-" else value), at
    if piece != "(":
        raise IndexError(piece)
    value, at = _sum(pieces, at + 1, values)
    if pieces[at] != ")":
        raise IndexError(piece)
    return value, at + 1


CONVERSIONS: dict[Exact, frozenset[str]] = {
    whole_as_int(Fraction(value)): frozenset(nouns.split())
    for value, nouns in english("conversion_factors").mapping("nouns").items()
}
"""By value, the nouns, without a plural s, that stand right after a number which converts units: 60 seconds, 24 hours."""
