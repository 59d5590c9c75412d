"""Tests of linear equations as LLMs pose them; that generated systems have the solutions of sympy is a differential test."""

import pytest

from harness.domain import Response
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import lift
from harness.program.refusal import Refusal
from tests.cases import cases

SOLVED = {
    "x = Symbol('x')\nans = solve(Eq(2 * x + 3, 11), x)[0]": 4,
    "x = symbols('x')\nans = solve(2 * x - 8, x)[0]": 4,
    "x, y = symbols('x y')\nfound = solve((Eq(x + y, 10), Eq(x - y, 2)), (x, y))\nans = found[x]": 6,
    "x, y = symbols('x, y')\nfound = solve([x + y - 10, x - y - 2])\nans = found[y]": 4,
    "x = Symbol('x', positive=True)\nans = solve(Eq(x / 3, 5), x)[0]": 15,
    "x = Symbol('x')\ny = 2 * x + 1\nans = y.subs(x, 5)": 11,
    "x = Symbol('x')\ny = Symbol('y')\nz = x + y\nans = z.subs(x, 5).subs(y, 2)": 7,
    "x = Symbol('x')\ny = Symbol('y')\nans = (x + y).subs(x, 2 * y).subs(y, 3)": 9,
    "x = Symbol('x')\nans = x - x + 5": 5,
    "from sympy import Symbol as S, Eq, solve\nx = S('x')\nans = solve(Eq(x, 5), x)[0]": 5,
    "import sympy\nx = sympy.Symbol('x')\nans = sympy.solve(sympy.Eq(x, 5), x)[0]": 5,
}


@cases("number", range(len(SOLVED)))
def test_forms_of_solving(number: int) -> None:
    """Equations, bare expressions, substitution and imports as LLMs write them."""
    text, value = list(SOLVED.items())[number]
    assert evaluate(lift(Response("p", "m", text))).value == value


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


def test_a_contradiction_has_no_solution_to_look_up() -> None:
    """`solve` gives an empty list, whose first item does not exist."""
    text = "x = Symbol('x')\nans = solve([Eq(x, 1), Eq(x, 2)], [x])[0]"
    assert evaluate(lift(Response("p", "m", text))).error == "IndexError"
