"""The text of an expression in a line, in the style of the expression that stood there before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from generators.flaws.text.written_expressions import WrittenExpression
from harness.domain import Exact
from harness.program import ir
from harness.solution.expression_text import ATOM_BINDING, QUOTIENT_BINDING, ExpressionWriter
from harness.text.nouns import agree_with_number
from harness.text.number_forms import PLAIN, numbers_at
from harness.text.numbers import mentions

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

    A number of `like` keeps its form, `$18.50` or `36 glasses`, and passes it on to its replacement, `instead`.
    """
    return _Writer(values, like, style, instead).write(expression)


class _Writer(ExpressionWriter):
    def __init__(
        self,
        values: Mapping[str, Exact],
        like: WrittenExpression | None,
        style: WritingStyle,
        instead: Mapping[ir.Expr, ir.Expr],
    ) -> None:
        super().__init__(values)
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

    def dressed(self, _node: ir.Expr) -> tuple[str, int] | None:
        text = self.dress.get(_node) or self._handed_on(_node)
        # `3/4` stands for one number and still binds like a division; `60 miles/hour` does not.
        return None if text is None else (text, QUOTIENT_BINDING if _QUOTIENT.match(text) else ATOM_BINDING)

    def number(self, value: Exact, _name: str | None = None) -> str:
        text = super().number(value, _name)
        return f"${text}" if _name in self.money and text[0].isdigit() else text

    def joint(self, operator: str) -> str:
        known = self.joints.get(operator)
        # Words between two numbers belong to them, and stay where only one number changes.
        if known is not None and not set(known) & set("()[]") and (self.instead or not _WORDS.search(known)):
            return known or "*"
        sign = self.times if operator == "*" else operator
        return sign if self.tight else f" {sign} "

    def _handed_on(self, node: ir.Expr) -> str | None:
        """Return the form of the old text in this place with the new number: `45 miles/hour` after `60 miles/hour`."""
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
