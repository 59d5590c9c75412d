"""The text of an expression in a line, in the style of the expression that stood there before."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING

from harness.program import ir
from harness.text.number_agreement import agree_with_number
from harness.text.number_forms import PLAIN, format_value, numbers_at
from harness.text.number_mentions import mentions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from generators.flaws.text.written_expressions import WrittenExpression
    from harness.domain import Exact

_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2}
_SIGN = 3
_ATOM = 4
_NOTHING: Mapping[ir.Expr, ir.Expr] = MappingProxyType({})
_QUOTIENT = re.compile(r"[\d.,]+ ?/ ?\$?[\d.]")
_WORDS = re.compile(r"[A-Za-z]{2}")
_GROUPED = re.compile(r"\d,\d{3}\b")


@dataclass(frozen=True, slots=True)
class WritingStyle:
    """How a solution writes: the variables that get a `$` where others have one, its multiplication sign, its words."""

    money: frozenset[str] = frozenset()
    times: str = "*"
    vocabulary: frozenset[str] = frozenset()


PLAIN_STYLE = WritingStyle()


def write_out(
    expression: ir.Expr,
    values: Mapping[str, Exact],
    *,
    like: WrittenExpression | None = None,
    style: WritingStyle = PLAIN_STYLE,
    instead: Mapping[ir.Expr, ir.Expr] = _NOTHING,
) -> str | None:
    """Return an expression in numbers, `None` where a line cannot say it: only + - * / and parentheses can be written.

    What stood in `like` keeps its dress, `$18.50` or `36 glasses`, and hands it on to what stands `instead` of it.
    """
    return _Writer(values, like, style, instead).write(expression)


class _Writer:
    def __init__(
        self,
        values: Mapping[str, Exact],
        like: WrittenExpression | None,
        style: WritingStyle,
        instead: Mapping[ir.Expr, ir.Expr],
    ) -> None:
        self.values = values
        self.instead = instead
        self.vocabulary = style.vocabulary
        self.dress = like.dress if like is not None else {}
        self.joints = like.joints if like is not None else {}
        self.money = style.money if any(text.startswith("$") for text in self.dress.values()) else frozenset()
        plain = like is not None and like.annotation
        self.times = "*" if plain else style.times
        grouped = any(_GROUPED.search(text) for text in self.dress.values())
        self.form = replace(PLAIN, separators=True) if grouped else PLAIN
        self.tight = plain or (bool(self.joints) and not any(joint.startswith(" ") for joint in self.joints.values()))

    def write(self, expression: ir.Expr) -> str | None:
        written = self._write(expression)
        return None if written is None else written[0]

    def _write(self, node: ir.Expr) -> tuple[str, int] | None:
        dressed = self.dress.get(node) or self._handed_on(node)
        if dressed is not None:
            # `3/4` stands for one number and still binds like a division; `60 miles/hour` does not.
            return dressed, _BINDING["/"] if _QUOTIENT.match(dressed) else _ATOM
        match node:
            case ir.Name(name):
                value = self.values.get(name)
                text = None if value is None else self._number(value, dollar=name in self.money)
            case ir.Const(value) if value is not None and not isinstance(value, bool | str):
                text = self._number(value, dollar=False)
            case ir.Unary("-", operand):
                inner = self._inside(operand, _SIGN)
                return None if inner is None else (f"-{_unsigned(inner)}", _SIGN)
            case ir.Binary(operator, left, right) if operator in _BINDING:
                return self._operation(operator, left, right)
            case _:
                return None
        if text is None:
            return None
        return text, _BINDING["/"] if "/" in text else _SIGN if text.startswith("-") else _ATOM

    def _handed_on(self, node: ir.Expr) -> str | None:
        """Return the dress of what stood in this place, with the new number: `45 miles/hour` after `60 miles/hour`."""
        old = self.instead.get(node)
        dressed = None if old is None else self.dress.get(old)
        if old is None or dressed is None:
            return None
        before, after = self._value(old), self._value(node)
        numbers = mentions(dressed)
        if before is None or after is None or len(numbers) != 1 or after < 0:
            return None
        start, end = numbers[0].start, numbers[0].end
        if dressed[:start].endswith("$"):
            start -= 1
        for written in numbers_at(dressed, start, before):
            text = written.form.write(after)
            if written.end <= end and text is not None:
                return f"{dressed[:start]}{text}{agree_with_number(dressed[written.end :], before, after, self.vocabulary)}"
        return None

    def _value(self, node: ir.Expr) -> Exact | None:
        match node:
            case ir.Name(name):
                return self.values.get(name)
            case ir.Const(int() | Fraction() as value) if not isinstance(value, bool):
                return value
        return None

    def _number(self, value: Exact, *, dollar: bool) -> str:
        text = self.form.write(value) or format_value(value)
        return f"${text}" if dollar and text[0].isdigit() else text

    def _operation(self, operator: str, left: ir.Expr, right: ir.Expr) -> tuple[str, int] | None:
        own = _BINDING[operator]
        first = self._inside(left, own)
        second = self._inside(right, own + (operator in "-/"))
        if first is None or second is None:
            return None
        return f"{first}{self._joint(operator)}{_unsigned(second)}", own

    def _joint(self, operator: str) -> str:
        known = self.joints.get(operator)
        # Words between two numbers belong to them, and stay where only one number changes.
        if known is not None and not set(known) & set("()[]") and (self.instead or not _WORDS.search(known)):
            return known or "*"
        sign = self.times if operator == "*" else operator
        return sign if self.tight else f" {sign} "

    def _inside(self, node: ir.Expr, least: int) -> str | None:
        written = self._write(node)
        if written is None:
            return None
        text, binding = written
        return text if binding >= least else f"({text})"


def _unsigned(text: str) -> str:
    """Return what can stand behind a sign: a negative number in parentheses."""
    return f"({text})" if text.startswith("-") else text
