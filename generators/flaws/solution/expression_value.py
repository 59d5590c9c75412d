"""The value of an expression for given values of its variables."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from harness.program import ir
from harness.program.evaluation.evaluator import Evaluator
from harness.program.refusal import ProgramError, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from harness.domain import Exact

_EMPTY = ir.Program("expression", "", (), {}, (), None)


def value_of(expression: ir.Expr, values: Mapping[str, Exact]) -> Exact | None:
    """Return the value of an expression, `None` where it has none that is a number."""
    if isinstance(expression, ir.Name):
        return values.get(expression.name)
    try:
        value = Evaluator(_EMPTY, ()).value(expression, dict(values))
    except (Refusal, ProgramError):
        return None
    return value if isinstance(value, int | Fraction) and not isinstance(value, bool) else None
