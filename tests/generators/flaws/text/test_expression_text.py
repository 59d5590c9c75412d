"""Tests of written expressions: the text has the meaning of the expression and the notation of its line."""

import re
from fractions import Fraction

import pytest
from hypothesis import assume, given, strategies as st

from generators.flaws.text.expression_text import WritingStyle, write_out
from generators.flaws.text.written_expressions import WrittenExpression
from harness.domain import Exact
from harness.equations.line_reader import read_line
from harness.program import ir
from harness.program.evaluation.evaluator import Evaluator
from harness.program.refusal import ProgramError, Refusal
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
EMPTY = ir.Program("expression", "", (), {}, (), None)


def value_of(expression: ir.Expr) -> Exact | None:
    """Return the value of an expression, `None` where it divides by zero."""
    try:
        return Evaluator(EMPTY, ()).value(expression, dict(VALUES))
    except (ProgramError, Refusal):
        return None


def shown(dress: dict[ir.Expr, str], joints: dict[str, str], *, annotation: bool = False) -> WrittenExpression:
    """Return where an expression stood, in the dress of its numbers."""
    return WrittenExpression(0, 0, annotation, dress, joints)


@given(EXPRESSIONS)
def test_what_is_written_is_worth_what_the_expression_is(expression: ir.Expr) -> None:
    """By Python's own precedence, fractions and negative numbers included."""
    value = value_of(expression)
    text = write_out(expression, VALUES)
    assert text is not None
    assert worth(text) == value


@given(EXPRESSIONS)
def test_the_reader_of_equations_agrees(expression: ir.Expr) -> None:
    """Written out before its value it is a true equation, before another a false one."""
    value = value_of(expression)
    assume(value is not None and not isinstance(expression, ir.Name | ir.Const) and value.denominator == 1)
    text = write_out(expression, VALUES)
    readings = [read_line(f"<<{text}={right}>>") for right in (value, value + 1)]
    assume(all(len(reading.equations) == 1 for reading in readings))
    assert [len(reading.false) for reading in readings] == [0, 1]


@cases(
    ("expression", "text"),
    [
        (ir.Binary("*", ir.Binary("+", A, B), C), "(12 + (-3)) * 0.25"),
        (ir.Binary("-", A, ir.Binary("-", B, C)), "12 - (-3 - 0.25)"),
        (ir.Binary("-", A, B), "12 - (-3)"),
        (ir.Binary("+", ir.Binary("-", A, B), C), "12 - (-3) + 0.25"),
        (ir.Binary("/", A, ir.Binary("*", C, B)), "12 / (0.25 * (-3))"),
        (ir.Binary("/", A, ir.Name("e")), "12 / (2/3)"),
        (ir.Binary("*", ir.Name("e"), A), "2/3 * 12"),
        (ir.Unary("-", ir.Binary("+", A, C)), "-(12 + 0.25)"),
        (ir.Unary("-", B), "-(-3)"),
        (ir.Binary("**", A, C), None),
        (ir.Call("ceil", (A,), ()), None),
        (ir.Name("unknown"), None),
        (ir.Const(True), None),
        (ir.Const("text"), None),
    ],
)
def test_parentheses(expression: ir.Expr, text: str | None) -> None:
    """As few as it takes; what is no arithmetic is not written."""
    assert write_out(expression, VALUES) == text


def test_a_missing_parenthesis_would_be_noticed() -> None:
    """The check of worth tells `12 - -3 - 0.25` from `12 - (-3 - 0.25)`."""
    expression = ir.Binary("-", A, ir.Binary("-", B, C))
    assert worth(write_out(expression, VALUES) or "") == value_of(expression) != worth("12 - -3 - 0.25")


def test_numbers_keep_their_dress() -> None:
    """What stood there stands there again, what is new gets a dollar sign where others have one."""
    like = shown({A: "$12.00", C: "a quarter"}, {"*": " x "})
    style = WritingStyle(frozenset({"d"}), "×")
    assert write_out(ir.Binary("*", A, C), VALUES, like=like, style=style) == "$12.00 x a quarter"
    assert write_out(ir.Binary("+", A, ir.Name("d")), VALUES, like=like, style=style) == "$12.00 + $7"
    assert write_out(ir.Binary("+", A, ir.Const(7)), VALUES, like=like, style=style) == "$12.00 + 7"


def test_signs_are_those_of_the_solution() -> None:
    """`×` where the solution writes it so, `*` in annotations, no spaces where the line has none."""
    style = WritingStyle(times="×")
    expression = ir.Binary("*", ir.Binary("+", A, C), ir.Name("d"))
    assert [
        write_out(expression, VALUES, like=like, style=style)
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
    assert write_out(expression, VALUES, like=like, instead={ir.Const(new): A}) == text


def test_thousands_are_separated_where_others_are() -> None:
    """Of the line's own numbers, not in annotations, which have none."""
    like = shown({A: "1,200"}, {"*": "*"})
    assert write_out(ir.Binary("*", A, ir.Name("f")), VALUES, like=like) == "1,200*12,500"
    assert write_out(ir.Name("f"), VALUES, like=shown({A: "12"}, {})) == "12500"


@pytest.mark.parametrize(
    ("dress", "text"), [("3/4", "7 / (3/4)"), ("3 / 4", "7 / (3 / 4)"), ("60 miles/hour", "7 / 60 miles/hour")]
)
def test_a_quotient_binds_as_one(dress: str, text: str) -> None:
    """A fraction behind a division sign needs parentheses, a unit per another none."""
    assert write_out(ir.Binary("/", ir.Name("d"), C), VALUES, like=shown({C: dress}, {"/": " / "})) == text


def test_words_between_numbers_stay_with_their_numbers() -> None:
    """They are part of no sign once the expression has another shape."""
    like = shown({A: "12 miles"}, {"+": " to the park + "})
    expression = ir.Binary("+", ir.Binary("+", A, A), A)
    assert write_out(expression, VALUES, like=like) == "12 miles + 12 miles + 12 miles"


@given(EXPRESSIONS)
def test_no_sign_runs_into_another(expression: ir.Expr) -> None:
    """A minus sign stands first, or behind a parenthesis, or between two numbers."""
    text = write_out(expression, VALUES) or ""
    assert not re.search(r"[-+*/] ?-", text), text
