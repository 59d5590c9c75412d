"""The text of an expression in a line, in the style of the expression that stood there before."""

import re
from collections.abc import Mapping
from dataclasses import replace

from generators.flaws.mutation_operator import value_of
from generators.flaws.text.solution_lines import WritingStyle, WrittenExpression
from harness.domain import Exact
from harness.program import ir
from harness.solution.expression_text import ATOM_BINDING, QUOTIENT_BINDING, ExpressionWriter
from harness.text.nouns import agree_with_number
from harness.text.number_forms import PLAIN, numbers_at
from harness.text.numbers import mentions

_QUOTIENT = re.compile(r"[\d.,]+ ?/ ?\$?[\d.]")
_GROUPED = re.compile(r"\d,\d{3}\b")


class StyledExpressionWriter(ExpressionWriter):
    """Writes expressions as a line writes the one of `like`, whose numbers keep their form: `$18.50`, `36 glasses`.

    `instead` are new nodes with those in whose place they stand; they take over the form. Only + - * / and parentheses
    can be written.
    """

    def __init__(
        self,
        values: Mapping[str, Exact],
        like: WrittenExpression,
        style: WritingStyle,
        instead: Mapping[ir.Expr, ir.Expr],
    ) -> None:
        super().__init__(values)
        self.instead = instead
        self.vocabulary = style.vocabulary
        self.dress, self.joints = like.dress, like.joints
        self.money = style.money if any(text.startswith("$") for text in self.dress.values()) else frozenset()
        self.times = "*" if like.annotation else style.times
        if any(_GROUPED.search(text) for text in self.dress.values()):
            self.form = replace(PLAIN, separators=True)
        spaced = any(joint.startswith(" ") for joint in self.joints.values())
        self.tight = like.annotation or (bool(self.joints) and not spaced)

    def dressed(self, _node: ir.Expr) -> tuple[str, int] | None:
        """Return the number as the line writes it. `3/4` stands for one number and still binds like a division."""
        text = self.dress.get(_node) or self._dressed_as_before(_node)
        return None if text is None else (text, QUOTIENT_BINDING if _QUOTIENT.match(text) else ATOM_BINDING)

    def number(self, value: Exact, _name: str | None = None) -> str:
        """Return the text of a value, money with its sign where other numbers have it."""
        text = super().number(value, _name)
        return f"${text}" if _name in self.money and text[0].isdigit() else text

    def joint(self, operator: str) -> str:
        """Return what stands between two operands; words between them stay where only one number changes."""
        known = self.joints.get(operator)
        if known is not None and not set(known) & set("()[]") and (self.instead or len(known) < 4):
            return known or "*"
        sign = self.times if operator == "*" else operator
        return sign if self.tight else f" {sign} "

    def _dressed_as_before(self, node: ir.Expr) -> str | None:
        """Return the text of the old node with the new number: `45 miles/hour` after `60 miles/hour`."""
        old = self.instead.get(node)
        dressed = "" if old is None else self.dress.get(old, "")
        numbers = mentions(dressed)
        if old is None or len(numbers) != 1:
            return None
        before, after = value_of(old, self.values), value_of(node, self.values)
        if before is None or after is None or after < 0:
            return None
        start = numbers[0].start - dressed.endswith("$", 0, numbers[0].start)
        for written in numbers_at(dressed, start, before):
            text = written.form.write(after)
            if written.end <= numbers[0].end and text is not None:
                words = agree_with_number(dressed[written.end :], before, after, self.vocabulary)
                return f"{dressed[:start]}{text}{words}"
        return None
