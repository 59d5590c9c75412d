"""Evidence from units: operands whose units do not fit together, or do not fit the unit of the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.equations.equation import Negative, Number, Operation, ParenthesizedExpression
from harness.solution.labels import ErrorType
from harness.text.units import sizes
from sft.samples.evidence_registry import Signal
from sft.samples.solution_judgement import HintKind
from sft.verifier.case import evidence
from sft.verifier.solution.solution_steps import steps_of

if TYPE_CHECKING:
    from harness.equations.equation import Expression
    from sft.samples.solution_judgement import Hint
    from sft.verifier.case import Case

MIXED = HintKind("sum of different units", ErrorType.UNIT_CONVERSION)


@evidence("units")
def units(case: Case) -> Signal[Hint]:
    """Sums of different units, products of money with money, results in a unit that no operand has."""
    steps = steps_of(case.item)
    mixed = money = squared = percents = other = 0
    hints = []
    for step in steps.steps:
        for operation in step.operations():
            left, right = _unit(operation.left), _unit(operation.right)
            if operation.operator in {"+", "-"}:
                if _shares_dimension(left, right):
                    mixed += 1
                    hints.append(MIXED.at(step.line, f"{left} {operation.operator} {right}"))
                elif left and right and ("$" in {left, right}) and left != right:
                    money += 1
                percents += _percent(operation.left) != _percent(operation.right)
            elif operation.operator == "*" and left == right == "$":
                squared += 1
        result = step.equation.right
        if isinstance(result, Number) and result.unit:
            own = {operand.number.unit for operand in step.operands if operand.number.unit}
            other += bool(own) and result.unit not in own
    asked = steps.asked.sentence.lower()
    last = steps.steps[-1].equation.right if steps.steps else None
    dollars = isinstance(last, Number) and last.unit == "$"
    features = {
        "mixed": mixed,
        "money_and_things": money,
        "money_squared": squared,
        "percent_and_number": percents,
        "result_other": other,
        "money_for_count": dollars and "how many" in asked and "dollar" not in asked and "money" not in asked,
        "count_for_money": isinstance(last, Number) and bool(last.unit) and not dollars and "how much money" in asked,
        "percent_for_number": isinstance(last, Number) and last.percent and "percent" not in asked and "%" not in asked,
        "number_for_percent": isinstance(last, Number) and not last.percent and ("percent" in asked or "%" in asked),
    }
    return Signal(features, tuple(hints))


def _unit(expression: Expression) -> str:
    while isinstance(expression, ParenthesizedExpression | Negative):
        expression = expression.inner
    if isinstance(expression, Number):
        return expression.unit
    if isinstance(expression, Operation) and expression.operator in {"+", "-"}:
        return _unit(expression.right)
    return ""


def _percent(expression: Expression) -> bool:
    return isinstance(expression, Number) and expression.percent


def _shares_dimension(left: str, right: str) -> bool:
    return left != right and not sizes(left).keys().isdisjoint(sizes(right))
