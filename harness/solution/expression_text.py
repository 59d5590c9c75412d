"""The text of an expression in numbers, such as `48 / 2`, and of a step, also where it rounds, compares or chooses: `17 / 5 rounded up = 4`."""

import re
from collections.abc import Mapping
from fractions import Fraction

from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import value_of
from harness.program.syntax.unparser import unparse
from harness.text.names import variable_words
from harness.text.number_forms import PLAIN, format_value

_VARIABLE = re.compile(r"[A-Za-z]\w*")
QUOTIENT_BINDING = 2
ATOM_BINDING = 4
_BINDING = {"+": 1, "-": 1, "*": 2, "/": QUOTIENT_BINDING}
_SIGN = 3


def calculation_text(expression: ir.Expr, values: Mapping[str, Exact]) -> str:
    """Return a step in numbers: of a choice, the branch that is taken; with functions that have no words, in the words of its variables."""
    written = _StepWriter(values).write(expression)
    return _VARIABLE.sub(lambda match: variable_words(match[0]), unparse(expression)) if written is None else written


def worked_equation(expression: ir.Expr, values: Mapping[str, Exact], result: Exact) -> str:
    """Return a step in numbers with its result, such as `17 / 5 rounded up = 4`; of a number that is only taken over, the number."""
    if isinstance(expression, ir.Unary) and expression.operator == "+":
        return format_value(result)
    return f"{calculation_text(expression, values)} = {format_value(result)}"


class ExpressionWriter:
    """Writes expressions in numbers; a class derived from it dresses them as a solution does."""

    def __init__(self, values: Mapping[str, Exact]) -> None:
        self.values = values
        self.form = PLAIN

    def write(self, expression: ir.Expr) -> str | None:
        """Return an expression in numbers, `None` where it holds more than + - * / and parentheses."""
        written = self._write(expression)
        return None if written is None else written[0]

    def dressed(self, _node: ir.Expr) -> tuple[str, int] | None:
        """Return the text that stands for a node as a whole and how strongly it binds, `None` for none."""
        return None

    def number(self, value: Exact, _name: str | None = None) -> str:
        """Return the text of a value, of a variable or a constant."""
        return self.form.write(value) or format_value(value)

    def joint(self, operator: str) -> str:
        """Return what stands between two operands."""
        return f" {operator} "

    def _write(self, node: ir.Expr) -> tuple[str, int] | None:
        dressed = self.dressed(node)
        if dressed is not None:
            return dressed
        match node:
            case ir.Name(name):
                value = self.values.get(name)
                text = None if value is None else self.number(value, name)
            case ir.Const(int() | Fraction() as value) if not isinstance(value, bool):
                text = self.number(value)
            case ir.Unary("+", operand):
                return self._write(operand)
            case ir.Unary("-", operand):
                inner = self._inside(operand, _SIGN)
                return None if inner is None else (f"-{_unsigned(inner)}", _SIGN)
            case ir.Binary(operator, left, right) if operator in _BINDING:
                return self._operation(operator, left, right)
            case _:
                return None
        if text is None:
            return None
        return text, QUOTIENT_BINDING if "/" in text else _SIGN if text.startswith("-") else ATOM_BINDING

    def _operation(self, operator: str, left: ir.Expr, right: ir.Expr) -> tuple[str, int] | None:
        own = _BINDING[operator]
        first = self._inside(left, own)
        second = self._inside(right, own + (operator in "-/"))
        if first is None or second is None:
            return None
        return f"{first}{self.joint(operator)}{_unsigned(second)}", own

    def _inside(self, node: ir.Expr, least: int) -> str | None:
        written = self._write(node)
        if written is None:
            return None
        text, binding = written
        return text if binding >= least else f"({text})"


def _unsigned(text: str) -> str:
    """Return what can stand after a sign: a negative number in parentheses."""
    return f"({text})" if text.startswith("-") else text


_LOOSE = 0
"""The precedence of words: within an operation they stand in parentheses."""
_COMPARED = {"min": ("smaller", "smallest"), "max": ("larger", "largest")}
_SAME = frozenset(["Fraction", "float", "Decimal"])
_PAIR = 2


class _StepWriter(ExpressionWriter):
    """Writes roundings, remainders, powers, the smaller or larger of values, and choices in words."""

    def dressed(self, node: ir.Expr) -> tuple[str, int] | None:
        """Return the words for a node that plain arithmetic has no sign for, `None` for other nodes."""
        match node:
            case ir.Conditional(test, then, otherwise):
                return self._write(then if self._holds(test) else otherwise)
            case ir.Binary("//", left, right):
                return self._followed(ir.Binary("/", left, right), "rounded down")
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
            case ("ceil" | "round", (argument,)):
                return self._followed(argument, "rounded up" if function == "ceil" else "rounded")
            case ("floor" | "int", (argument,)):
                return self._rounded_down(function, argument)
            case ("round", (argument, ir.Const(int() as places))) if places > 0:
                return self._followed(argument, f"rounded to {places} decimal{'s' if places > 1 else ''}")
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
        value = value_of(argument, self.values)
        if value is None:
            return None
        if value.denominator == 1:
            return self._write(argument)
        cut = value < 0 and function == "int"
        return self._followed(argument, "cut to a whole number" if cut else "rounded down")

    def _followed(self, node: ir.Expr, words: str) -> tuple[str, int] | None:
        inner = self._inside(node, QUOTIENT_BINDING)
        return None if inner is None else (f"{inner} {words}", _LOOSE)

    def _holds(self, test: ir.Expr) -> bool:
        return value_of(ir.Conditional(test, ir.Const(1), ir.Const(0)), self.values) == 1
