"""Tests of lines: numbers belong to their variables, words follow a new expression, and no old value is left."""

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from generators.flaws.line_rewrite import (
    StyledExpressionWriter,
)
from generators.flaws.solution.solution_lines import (
    StepLine,
    WritingStyle,
    WrittenExpression,
    read_step_line,
)
from generators.flaws.solution.source_solution import FlawSource, UnfitError, UnfitReason
from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import value_of
from harness.program.value_parser import read_expression
from harness.solution.solution_text import LineText, PlacedVariable, claim_literals, render_line
from tests.cases import cases
from tests.generators.flaws.flaw_laws import worded, worth
from tests.generators.flaws.solution_strategies import solutions

KNOWN: dict[str, Exact] = {"boxes": 4, "pens": 6, "spare": 6, "total": 24, "part": Fraction(1, 4), "four": 4}


def line_of(words: str, expression: str = "boxes * pens") -> StepLine:
    """Read a line that works out the total."""
    text = claim_literals(LineText("L1", (words,)), KNOWN)
    return read_step_line(text, {"total": read_expression(expression)}, KNOWN)


@st.composite
def edits(draw: st.DrawFn) -> tuple[StepLine, dict[tuple[int, int], str]]:
    """Draw edits of a line that do not overlap."""
    line = line_of(draw(st.sampled_from(["4*6 = <<4*6=24>>24 pens", "So 6 pens x 4 boxes = 24, of 1/4", "24 of 4"])))
    ends = sorted(draw(st.lists(st.integers(0, len(line.words)), max_size=6, unique=True)))
    spans = list(zip(ends[::2], ends[1::2], strict=False))
    return line, {span: draw(st.sampled_from(["", "$", "7 + 8", "ß"])) for span in spans}


@given(edits())
def test_edits_change_their_words_only(drawn: tuple[StepLine, dict[tuple[int, int], str]]) -> None:
    """The words read as if replaced in the text; places that no edit touches are still places."""
    line, replaced = drawn
    words = line.words
    for (start, end), new in sorted(replaced.items(), reverse=True):
        words = words[:start] + new + words[end:]
    found = line.rewritten(replaced)
    kept = [
        part.variable
        for (start, end), part in line.parts
        if isinstance(part, PlacedVariable) and not any(first < end and start < last for first, last in replaced)
    ]
    assert render_line(found, KNOWN) == words
    assert [part.variable for part in found.parts if isinstance(part, PlacedVariable)] == kept


@settings(max_examples=40)
@given(solutions())
def test_replacing_nothing_gives_the_line_back(source: FlawSource) -> None:
    """A line taken apart and put together is the line, in words and in places."""
    for line, words in zip(source.lines, source.problem.solution.split("\n"), strict=True):
        assert line.rewritten({}) == line.text
        assert render_line(line.text, source.values) == line.words == words


def test_a_solution_that_is_false_itself_is_unfit() -> None:
    """With the line that is."""
    code = "# L1\na = 4 # 4\nb = 6 # 6\nc = a * b\n# L2\nd = 5 # 5\ne = c + d\nanswer = e\nreturn answer"
    with pytest.raises(UnfitError) as error:
        _ = worded(code, "{a} * {b} = {c}", "{c} + {d} = {e} = 3 + 4").lines
    assert (error.value.unfit, str(error.value)) == (UnfitReason.FALSE, f"{UnfitReason.FALSE}: L2")


A, D = ir.Name("a"), ir.Name("d")
VALUES: dict[str, Exact] = {"a": 12, "b": -3, "c": Fraction(1, 4), "d": 7, "e": Fraction(2, 3), "f": 12500}
LEAVES = st.sampled_from([*(ir.Name(name) for name in VALUES), ir.Const(5), ir.Const(Fraction(5, 2)), ir.Const(-2)])
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds(ir.Binary, st.sampled_from("+-*/"), inner, inner) | st.builds(ir.Unary, st.just("-"), inner)
    ),
    max_leaves=7,
)


def write_out(
    expression: ir.Expr,
    dress: dict[ir.Expr, str] | None = None,
    joints: dict[str, str] | None = None,
    *,
    annotation: bool = False,
    style: WritingStyle | None = None,
    instead: dict[ir.Expr, ir.Expr] | None = None,
) -> str | None:
    """Return an expression as a line writes it that has these numbers and signs."""
    like = WrittenExpression(0, 0, annotation, dress or {}, joints or {})
    return StyledExpressionWriter(VALUES, like, style or WritingStyle(), instead or {}).write(expression)


@given(EXPRESSIONS)
def test_what_is_written_is_worth_what_the_expression_is(expression: ir.Expr) -> None:
    """By Python's own precedence, fractions and negative numbers included."""
    text = write_out(expression)
    assert text is not None
    assert worth(text) == value_of(expression, VALUES)


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
    expression = ir.Binary("+", ir.Const(new), D)
    assert write_out(expression, {A: dress, D: "7"}, {"+": " + "}, instead={ir.Const(new): A}) == text
