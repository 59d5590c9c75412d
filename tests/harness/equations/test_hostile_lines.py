"""Tests of the line reader on hostile text: bounded time, no error, and spans that lie within the text."""

import time

import pytest
from hypothesis import given, strategies as st

from harness.equations.equation import Expression, Number, Operation
from harness.equations.line_reader import MOST_EQUATIONS, read_line
from tests.cases import cases

PIECES = [
    "1", "23", "4,567", ".5", "1.", "1/2", "½", "٣", "=", "==", "≈", "+", "-", "–", "*", "**", "/", "//", "^", "(", ")", "[",
    "{", "}", "%", "$", " ", "x", "X", "<<", ">>", "<", "a", "é", " of ", " is ", " times ", " equals ", " twice ", " day ",
    "\\frac", "\\sqrt", "\\", "²", ":", ".", ", ", " hours ", " minutes ", " and ", " million ", "…", "\x00", "\n", "\t",
]  # fmt: skip
LINES = st.text(max_size=80) | st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def places(node: Expression) -> list[tuple[int, int]]:
    """Return the spans of an expression's nodes."""
    spans = [(node.start, node.end)]
    if isinstance(node, Operation):
        return [*spans, *places(node.left), *places(node.right)]
    return spans if isinstance(node, Number) else [*spans, *places(node.inner)]


@given(LINES)
def test_any_line_is_read(line: str) -> None:
    """Every span lies in the line, in order, and every equation has two sides."""
    reading = read_line(line)
    for equation in reading.equations:
        assert equation.left.end <= equation.right.start
        for start, end in (*places(equation.left), *places(equation.right)):
            assert 0 <= start <= end <= len(line)
    for other in reading.unread:
        assert 0 <= other.start < other.end <= len(line)


STARTS = ["", "1+1=", "<<"]


@pytest.mark.slow
@cases("unit", [*PIECES, "1=", "1+", "1/", "9^", "1+1=2, ", "<<1=1>>", "1 hour ", "20%+", "0.33*", "1 000 "])
def test_long_lines_take_bounded_time(unit: str) -> None:
    """Whatever repeats, up to the longest line that is read and beyond, takes less than two seconds."""
    began = time.perf_counter()
    for start in STARTS:
        for length in (3_999, 100_000):
            reading = read_line.__wrapped__((start + unit * length)[:length])
            assert len(reading.equations) <= MOST_EQUATIONS
    assert time.perf_counter() - began < 2 * len(STARTS)


@cases(
    "line",
    [
        "(" * 10_000 + "1=1" + ")" * 10_000,
        "1" * 1_000_000 + "=1",
        "=" * 10_000,
        "1" * 41 + " + 1 = 2",
        "1 + " * 900 + "1 = 900",
        "(" * 30 + "1" + ")" * 30 + " = 1",
    ],
)
def test_what_is_out_of_bounds_is_no_equation(line: str) -> None:
    """Deep, long and wide lines are left unread, never guessed."""
    assert read_line(line).equations == ()
