"""The equations that a solution states, each with the part of its line that it stands in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from harness.domain import Exact
from harness.equations.equation import (
    Expression,
    Negative,
    Number,
    Operation,
    ParenthesizedExpression,
    StatedEquation,
    Truth,
    numbers,
)
from harness.equations.line_reader import MALFORMED, read_line
from harness.equations.quantities import Quantity, of_expression
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.expression_nodes import filled
from harness.program.refusal import Refusal, RefusalReason
from harness.program.syntax.unparser import unparse
from harness.text.markup import ANNOTATION
from harness.text.names import name_after
from harness.text.numbers import whole_as_int

LEFT = ir.Name("left")
WHOLE = ("floor", "ceil")
"""The functions of `math` that a solution rounds by to a whole number."""
_REPEATED = re.compile(r"\s?%?(?:>>[\s$]*(?:\d[\d,]*)?(?:\.\d+)?%?)?")
"""The text between the result of an equation and its noun: `>>24` of `<<48/2=24>>24 clips`."""


@dataclass(frozen=True, slots=True)
class LineEquation:
    """An equation of a line, from one, and the part of its text, `start` to `end`, that it stands in; the parts of a line are the line.

    `left` is its left side, and `result` where its result stands in the text, without a currency sign. `function` gives the stated result
    from `LEFT`, the left side: `LEFT` itself, or its value rounded. It is `None` where nothing does: the equation is false. `stop` is the
    end of the equation with a result that repeats it.
    """

    line: int
    text: str
    start: int
    end: int
    left: Expression
    result: tuple[int, int]
    function: ir.Expr | None
    stop: int

    @property
    def operands(self) -> tuple[Number, ...]:
        """Return the numbers of the left side in order, from their first digit to their `%`."""
        return tuple(numbers(self.left))

    @property
    def values(self) -> list[Exact]:
        """Return the values of the operands."""
        return [number.value or 0 for number in self.operands]

    @property
    def value(self) -> Exact | None:
        """Return the value of the stated result; `None` where the equation is false."""
        return None if self.function is None else _applied(self.function, self.left.value)

    @property
    def part(self) -> str:
        """Return the part of the text that it stands in."""
        return self.text[self.start : self.end]

    def code(self, names: Sequence[str]) -> str:
        """Return the code of the stated result with names for the operands; of the left side alone where the equation is false."""
        left = expression_with(self.left, map(ir.Name, names))
        code = unparse(filled(self.function or LEFT, {LEFT.name: left}))
        return f"math.{code}" if isinstance(self.function, ir.Call) and self.function.function in WHOLE else code

    def quantity(self, operands: Sequence[Quantity]) -> Quantity | None:
        """Return the quantity of the stated result for those of the operands; `None` where it has no value."""
        scope = {f"operand_{place}": operand for place, operand in enumerate(operands)}
        left = expression_with(self.left, map(ir.Name, scope))
        return None if self.function is None else of_expression(filled(self.function, {LEFT.name: left}), scope)

    def result_name(self) -> str:
        """Return a name for the result, by the words that follow it."""
        return name_after(self.text, self.stop, self.stop, fallback=f"result_{self.line}")

    def with_fractions(self, is_fraction: Callable[[Exact, Exact], bool]) -> LineEquation:
        """Return the equation with each division such as `3/4` that `is_fraction` as one operand."""

        def joined(top: Expression, bottom: Expression) -> Number | None:
            if not (isinstance(top, Number) and isinstance(bottom, Number) and top.value is not None and bottom.value):
                return None
            if self.text[top.end : bottom.start].strip() != "/" or not is_fraction(top.value, bottom.value):
                return None
            return replace(top, value=whole_as_int(Fraction(top.value) / bottom.value), end=bottom.end)

        return replace(self, left=with_fractions_joined(self.left, joined))


def line_equations(text: str, line: int) -> list[LineEquation]:
    """Return the equations of a line, which is cut after each that another one follows.

    Annotations are its equations, with the true equations of its prose that no annotation repeats.
    Raises `Refusal` where an annotation is malformed.
    """
    reading = read_line(text)
    stated = [equation for equation in reading.equations if equation.annotation]
    malformed = any(unread.reason == MALFORMED for unread in reading.unread)
    if malformed or len(stated) != len(ANNOTATION.findall(text)) or not all(map(_in_digits, stated)):
        raise Refusal(RefusalReason.MALFORMED_ANNOTATION, f"expected <<48/2=24>> in {text[:60]!r}", line)
    for equation in reading.equations:
        if not equation.annotation and _is_true(equation):
            repeated = [other for other in stated if other.annotation and other.right.value == equation.right.value]
            if all(isinstance(other.left, Number) for other in repeated):
                # <<60=60>> computes nothing; 1 * 60 before it does.
                stated = [other for other in stated if other not in repeated] + [equation]
    found: list[LineEquation] = []
    start = 0
    for equation in sorted(stated, key=lambda equation: equation.right.start):
        if equation.left.start >= start:
            result, repeat = (equation.right.start, equation.right.end), _REPEATED.match(text, equation.right.end)
            stop = result[1] if repeat is None else repeat.end()
            function = _function(equation)
            found.append(
                LineEquation(line, text, start, stop, left=equation.left, result=result, function=function, stop=stop)
            )
            start = stop
    return [*found[:-1], replace(found[-1], end=len(text))] if found else []


def _is_true(equation: StatedEquation) -> bool:
    """Tell whether an equation of the prose computes the number, or the fraction, that it states."""
    stated = equation.right
    if isinstance(stated, Operation) and stated.operator == "/" and isinstance(stated.right, Number):
        stated = stated.left
    holds = equation.truth in {Truth.TRUE, Truth.ROUNDED} and equation.left.value == equation.right.value
    return holds and isinstance(stated, Number) and not isinstance(equation.left, Number) and _in_digits(equation)


def _in_digits(equation: StatedEquation) -> bool:
    """Tell whether all numbers of an equation have a value and are written in digits, not under a root sign."""
    return all(number.value is not None for side in (equation.left, equation.right) for number in numbers(side))


def _function(equation: StatedEquation) -> ir.Expr | None:
    """Return how the stated result is made of the left side: as it is, or rounded to its places, down or up."""
    value, stated = equation.left.value, equation.right.value
    if value is None or stated is None:
        return None
    places = equation.right.places if isinstance(equation.right, Number) else 0
    functions: list[ir.Expr] = [LEFT]
    functions += [ir.Call("round", (LEFT, ir.Const(places)))] if places else [ir.Call(name, (LEFT,)) for name in WHOLE]
    return next((function for function in functions if _applied(function, value) == stated), None)


def _applied(function: ir.Expr, value: Exact | None) -> Exact | None:
    return None if value is None else whole_as_int(Fraction(evaluate_expression(function, {LEFT.name: value})))


def expression_with(node: Expression, operands: Iterator[ir.Expr]) -> ir.Expr:
    """Return the side of an equation as an expression of a program, its numbers replaced by operands, from left to right."""
    if isinstance(node, Number):
        return next(operands)
    if isinstance(node, Operation):
        return ir.Binary(node.operator, expression_with(node.left, operands), expression_with(node.right, operands))
    inner = expression_with(node.inner, operands)
    return ir.Unary("-", inner) if isinstance(node, Negative) else inner


def with_fractions_joined(node: Expression, joined: Callable[[Expression, Expression], Number | None]) -> Expression:
    """Return a side with the number that `joined` gives in the place of a quotient of two sides."""
    if isinstance(node, Negative | ParenthesizedExpression):
        return replace(node, inner=with_fractions_joined(node.inner, joined))
    if not isinstance(node, Operation):
        return node
    left, right = node.left, node.right
    if node.operator == "/" and (number := joined(left, right)):
        return number
    factors = left if isinstance(left, Operation) and left.operator == "*" and node.operator == "/" else None
    if factors and (number := joined(factors.right, right)):
        # `5 * 3/4` is 5 times three quarters.
        return replace(factors, left=with_fractions_joined(factors.left, joined), right=number, value=node.value)
    return replace(node, left=with_fractions_joined(left, joined), right=with_fractions_joined(right, joined))
