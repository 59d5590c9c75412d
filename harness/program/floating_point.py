"""Evaluation with IEEE doubles where Python has floats, and where that parts from the exact value.

Source of the arithmetic: IEEE 754 binary64 as CPython uses it; `sum` adds from left to right, as CPython did up to 3.11.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.arithmetic import Value, is_number
from harness.program.evaluation.evaluator import MOST_STEPS, Evaluator, Outcome, evaluate
from harness.program.refusal import ProgramError, Refusal, RefusalReason

TOLERANCE = Fraction(1, 10**9)
"""The share of a value by which rounding alone may move it; a discrete step moves it further."""
_DISCRETE_FUNCTIONS = frozenset({"int", "ceil", "floor", "trunc", "round", "divmod"})
_FLOAT_FUNCTIONS = frozenset({"float", "sqrt", "fabs"})


class DoubleEvaluator(Evaluator):
    """An evaluator that rounds plain fractions, which are Python's floats, to doubles; all else stays exact."""

    __slots__ = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.inputs = [as_double(value) for value in self.inputs]

    def binary(self, operator: str, left: Value, right: Value) -> Value:
        """Apply an arithmetic operator and round as Python does."""
        if Fraction not in {type(left), type(right)} or not (is_number(left) and is_number(right)):
            return as_double(super().binary(operator, left, right))
        left, right = as_double(Fraction(left)), as_double(Fraction(right))  # Python makes both operands floats
        if operator != "**":
            return as_double(super().binary(operator, left, right))
        try:
            power = float(left) ** float(right)
        except ArithmeticError as error:
            raise ProgramError(type(error).__name__, str(error)) from None
        if isinstance(power, complex):
            raise Refusal(RefusalReason.UNSUPPORTED, "a complex power")
        return as_double(Fraction(power))

    def _node_value(self, node: ir.Expr, scope: dict[str, Value]) -> Value:
        match node:
            case ir.Call("sqrt", (argument,)) if self.is_builtin("sqrt", scope):
                value = self._node_value(argument, scope)
                if is_number(value) and value >= 0:
                    return Fraction(math.sqrt(value))
        value = super()._node_value(node, scope)
        return as_double(value) if isinstance(node, ir.Const | ir.Call) else value


def as_double(value: Value) -> Value:
    """Return a value, rounded to the nearest double if it is a float; one beyond the doubles is a `ProgramError`."""
    if type(value) is not Fraction:
        return value
    try:
        return Fraction(float(value))
    except OverflowError as error:
        raise ProgramError("OverflowError", str(error)) from None


def steps_on_floats(program: ir.Program) -> bool:
    """Tell whether a program has both floats and discrete steps, so that doubles may give it another value."""
    floats = any(type(parameter.value) is Fraction for parameter in program.parameters)
    steps = False
    functions = tuple(program.functions.values())
    for node in ir.nodes_of((program.body, functions, program.answer)):
        match node:
            case ir.Const(value):
                floats |= type(value) is Fraction
            case ir.Binary("/" | "**"):
                floats = True
            case ir.Binary("//" | "%") | ir.Comparison() | ir.While():
                steps = True
            case ir.Call(name):
                floats |= name in _FLOAT_FUNCTIONS
                steps |= name in _DISCRETE_FUNCTIONS
    return floats and steps


def agree_but_for_rounding(left: Outcome, right: Outcome) -> bool:
    """Tell whether two outcomes differ by the rounding of floats at most; two that give no value agree."""
    if left.value is None or right.value is None:
        return left.value is right.value
    return abs(Fraction(left.value) - right.value) <= TOLERANCE * (1 + abs(Fraction(left.value)))


def float_difference(
    program: ir.Program, exact: Outcome, inputs: Sequence[Exact] | None = None, *, most_steps: int = MOST_STEPS
) -> Outcome | None:
    """Return what a program gives with doubles, where that is not its exact outcome but for rounding; else `None`.

    `None` as well where it cannot be evaluated with doubles within the budget.
    """
    if not steps_on_floats(program):
        return None
    try:
        doubles = evaluate(program, inputs, most_steps=most_steps, evaluator=DoubleEvaluator)
    except Refusal:
        return None
    return None if agree_but_for_rounding(exact, doubles) else doubles
