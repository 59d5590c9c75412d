"""Tests of linear equations as LLMs pose them; that generated systems have the solutions of sympy is a differential test."""

import pytest

from harness.domain import Response
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import lift
from harness.program.refusal import Refusal
from tests.cases import cases


@cases(
    "text",
    [
        "x = Symbol('x')\nans = solve(Eq(x * x, 4), x)[0]",
        "x = Symbol('x')\nans = solve(Eq(1 / x, 4), x)[0]",
        "x = Symbol('x')\nans = 1 if x > 3 else 2",
        "x = Symbol('x')\nans = x + 1",
        "x = Symbol('x')\nans = solve(Eq(x, 5), x, dict=True)[0][x]",
    ],
)
def test_what_is_not_linear_or_not_solved_is_refused(text: str) -> None:
    """Neither a wrong root nor a symbol passes for an answer."""
    with pytest.raises(Refusal):
        evaluate(lift(Response("p", "m", text)))
