"""The text of a step as an equation a reader can follow, also where it rounds, compares or chooses: `17 / 5 rounded up = 4`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal
from harness.solution.expression_text import ATOM_BINDING, QUOTIENT_BINDING, ExpressionWriter, calculation_text
from harness.text.number_forms import format_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Exact

_LOOSE = 0
"""The precedence of words: within an operation they stand in parentheses."""
_COMPARED = {"min": ("smaller", "smallest"), "max": ("larger", "largest")}
_SAME = frozenset(["Fraction", "float", "Decimal"])
_PAIR = 2


def worked_equation(expression: ir.Expr, values: Mapping[str, Exact], result: Exact) -> str:
    """Return a step in numbers, such as `48 / 2 = 24`; of a choice, the branch that is taken.

    Functions that no words tell are written by their names.
    """
    written = _StepWriter(values).write(expression)
    text = calculation_text(expression, values) if written is None else written
    return f"{text} = {format_value(result)}"


class _StepWriter(ExpressionWriter):
    """Writes roundings, remainders, powers, the smaller or larger of values, and choices in words."""

    def dressed(self, node: ir.Expr) -> tuple[str, int] | None:
        """Return the words for a node that plain arithmetic has no sign for, `None` for other nodes."""
        match node:
            case ir.Conditional(test, then, otherwise):
                return self._write(then if self._holds(test) else otherwise)
            case ir.Binary("//", left, right):
                return self._behind(ir.Binary("/", left, right), "rounded down")
            case ir.Binary("%", left, right):
                inner = self._inside(ir.Binary("/", left, right), QUOTIENT_BINDING)
                return None if inner is None else (f"the remainder of {inner}", _LOOSE)
            case ir.Binary("**", left, right):
                base, power = self._inside(left, ATOM_BINDING), self._inside(right, ATOM_BINDING)
                return None if base is None or power is None else (f"{base}^{power}", ATOM_BINDING - 1)
            case ir.Call(function, arguments, ()):
                return self._called(function, arguments)
        return None

    def _called(self, function: str, arguments: tuple[ir.Expr, ...]) -> tuple[str, int] | None:
        match function, arguments:
            case ("ceil", (argument,)):
                return self._behind(argument, "rounded up")
            case (("floor" | "int"), (argument,)):
                return self._rounded_down(function, argument)
            case ("round", (argument,)):
                return self._behind(argument, "rounded")
            case ("round", (argument, ir.Const(int() as places))) if places > 0:
                return self._behind(argument, f"rounded to {places} decimal{'s' if places > 1 else ''}")
            case ("Fraction", (top, bottom)):
                return self._write(ir.Binary("/", top, bottom))
            case ("abs", (argument,)):
                inner = self._inside(argument, 1)
                return None if inner is None else (f"the absolute value of {inner}", _LOOSE)
            case (_, (argument,)) if function in _SAME:
                return self._write(argument)
            case _ if function in _COMPARED and len(arguments) >= _PAIR:
                texts = [text for argument in arguments if (text := self._inside(argument, 1)) is not None]
                if len(texts) == len(arguments):
                    word = _COMPARED[function][len(arguments) > _PAIR]
                    return f"the {word} of {', '.join(texts[:-1])} and {texts[-1]}", _LOOSE
        return None

    def _rounded_down(self, function: str, argument: ir.Expr) -> tuple[str, int] | None:
        """Return the words for `floor` and `int`, which cuts decimals off: below zero that is no rounding down."""
        value = self._value(argument)
        if value is None:
            return None
        if value.denominator == 1:
            return self._write(argument)
        cut = value < 0 and function == "int"
        return self._behind(argument, "cut to a whole number" if cut else "rounded down")

    def _behind(self, node: ir.Expr, words: str) -> tuple[str, int] | None:
        inner = self._inside(node, QUOTIENT_BINDING)
        return None if inner is None else (f"{inner} {words}", _LOOSE)

    def _holds(self, test: ir.Expr) -> bool:
        return self._value(ir.Conditional(test, ir.Const(1), ir.Const(0))) == 1

    def _value(self, node: ir.Expr) -> Exact | None:
        try:
            return evaluate_expression(node, self.values)
        except (ProgramError, Refusal):
            return None
