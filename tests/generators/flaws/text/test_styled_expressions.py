"""Tests of written expressions: the text has the meaning of the expression and the notation of its line."""

from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from generators.flaws.step_nodes import value_of
from generators.flaws.text.expression_text import StyledExpressionWriter
from generators.flaws.text.solution_lines import WritingStyle, WrittenExpression
from harness.domain import Exact
from harness.program import ir
from tests.cases import cases
from tests.generators.flaws.flaw_laws import worth

A, B, C = ir.Name("a"), ir.Name("b"), ir.Name("c")
VALUES: dict[str, Exact] = {"a": 12, "b": -3, "c": Fraction(1, 4), "d": 7, "e": Fraction(2, 3), "f": 12500}
LEAVES = st.sampled_from([*(ir.Name(name) for name in VALUES), ir.Const(5), ir.Const(Fraction(5, 2)), ir.Const(-2)])
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(ir.Binary, st.sampled_from("+-*/"), inner, inner) | st.builds(ir.Unary, st.just("-"), inner)
    ),
    max_leaves=7,
)


def shown(dress: dict[ir.Expr, str], joints: dict[str, str], *, annotation: bool = False) -> WrittenExpression:
    """Return where an expression stood, in the dress of its numbers."""
    return WrittenExpression(0, 0, annotation, dress, joints)


def write_out(
    expression: ir.Expr,
    like: WrittenExpression | None = None,
    style: WritingStyle | None = None,
    instead: dict[ir.Expr, ir.Expr] | None = None,
) -> str | None:
    """Return an expression as a line writes it."""
    writer = StyledExpressionWriter(VALUES, like or shown({}, {}), style or WritingStyle(), instead or {})
    return writer.write(expression)


@given(EXPRESSIONS)
def test_what_is_written_is_worth_what_the_expression_is(expression: ir.Expr) -> None:
    """By Python's own precedence, fractions and negative numbers included."""
    value = value_of(expression, VALUES)
    text = write_out(expression)
    assert text is not None
    assert worth(text) == value


def test_numbers_keep_their_dress() -> None:
    """What stood there stands there again, what is new gets a dollar sign where others have one."""
    like = shown({A: "$12.00", C: "a quarter"}, {"*": " x "})
    style = WritingStyle(frozenset({"d"}), "×")
    assert write_out(ir.Binary("*", A, C), like=like, style=style) == "$12.00 x a quarter"
    assert write_out(ir.Binary("+", A, ir.Name("d")), like=like, style=style) == "$12.00 + $7"
    assert write_out(ir.Binary("+", A, ir.Const(7)), like=like, style=style) == "$12.00 + 7"


def test_signs_are_those_of_the_solution() -> None:
    """`×` where the solution writes it so, `*` in annotations, no spaces where the line has none."""
    style = WritingStyle(times="×")
    expression = ir.Binary("*", ir.Binary("+", A, C), ir.Name("d"))
    assert [
        write_out(expression, like=like, style=style)
        for like in (None, shown({}, {"+": "+"}), shown({}, {}, annotation=True), shown({}, {"*": ""}))
    ] == ["(12 + 0.25) × 7", "(12+0.25)×7", "(12+0.25)*7", "(12+0.25)*7"]


@cases(
    ("dress", "new", "text"),
    [
        ("12 apples", 15, "15 apples + 7"),
        ("12 apples", 1, "1 apple + 7"),
        ("$12/gallon", 400, "$400/gallon + 7"),
        ("$12.00", Fraction(5, 2), "$2.50 + 7"),
        ("the first 12 apples", 15, "the first 15 apples + 7"),
        ("12 half-full decks", 15, "15 + 7"),
        ("12", -4, "-4 + 7"),
        ("twelve apples", 15, "fifteen apples + 7"),
    ],
)
def test_dress_is_handed_on(dress: str, new: Exact, text: str) -> None:
    """Another number in the same place takes over the words and signs that belong to it, where that can be told."""
    like = shown({A: dress, ir.Name("d"): "7"}, {"+": " + "})
    expression = ir.Binary("+", ir.Const(new), ir.Name("d"))
    assert write_out(expression, like=like, instead={ir.Const(new): A}) == text


@pytest.mark.parametrize(
    ("dress", "text"), [("3/4", "7 / (3/4)"), ("3 / 4", "7 / (3 / 4)"), ("60 miles/hour", "7 / 60 miles/hour")]
)
def test_a_quotient_binds_as_one(dress: str, text: str) -> None:
    """A fraction behind a division sign needs parentheses, a unit per another none."""
    assert write_out(ir.Binary("/", ir.Name("d"), C), like=shown({C: dress}, {"/": " / "})) == text
