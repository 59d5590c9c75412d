"""The value of an expression for given values of its variables."""

from __future__ import annotations

from collections.abc import Mapping

from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import evaluate_expression
from harness.program.refusal import ProgramError, Refusal


def value_of(expression: ir.Expr, values: Mapping[str, Exact]) -> Exact | None:
    """Return the value of an expression, `None` where it has none that is a number."""
    if isinstance(expression, ir.Name):
        return values.get(expression.name)
    try:
        return evaluate_expression(expression, values)
    except (Refusal, ProgramError):
        return None
