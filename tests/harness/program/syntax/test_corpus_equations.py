"""Tests of equations as programs: what is computed, and that every number is an input."""

import ast
from fractions import Fraction

from hypothesis import given, strategies as st

from harness.domain import Response
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import lift
from harness.program.refusal import Refusal
from tests.cases import cases

NUMBERS = st.one_of(st.integers(0, 10**6).map(str), st.decimals(0, 1000, places=2).map(str)).map(
    lambda text: text if "." in text else f"{text}.0"
)
EQUATIONS = st.recursive(
    NUMBERS, lambda side: st.tuples(side, st.sampled_from("+-*"), side).map(lambda parts: f"( {' '.join(parts)} )")
).filter(lambda text: text.startswith("("))


def exact(node: ast.expr) -> Fraction:
    """Evaluate plain arithmetic exactly."""
    if isinstance(node, ast.BinOp):
        left, right = exact(node.left), exact(node.right)
        match node.op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
        return left * right
    assert isinstance(node, ast.Constant)
    return Fraction(str(node.value))


@given(EQUATIONS)
def test_an_equation_computes_what_it_says(text: str) -> None:
    """Each number is an input and each operation a step."""
    program = lift(Response("p", "m", text))
    assert program.dialect == "equation"
    tree = ast.parse(text, mode="eval").body
    assert evaluate(program).value == exact(tree)
    numbers = [Fraction(str(node.value)) for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    assert sorted(parameter.value for parameter in program.parameters) == sorted(numbers)
    assert len(program.body) == 2 * len(numbers) - 1


@cases(
    "text",
    ["42", "( 8.0 )", "a - 3", "f(8) - 3", "8 ** 3", "8 - True", "'a' + 'b'", "8 -", "8 < 9", "+".join(["1"] * 5_000)],
)
def test_other_text_is_no_equation(text: str) -> None:
    """A number alone computes nothing; names, calls, powers and text have no place in one."""
    try:
        lift(Response("p", "m", text))
    except Refusal:
        return
    raise AssertionError(text)
