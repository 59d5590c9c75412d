"""Tests of the unparser: the Python text has the meaning of the expression and no needless parentheses."""

import ast
import re

import pytest
from hypothesis import example, given, settings, strategies as st

from harness.domain import Response
from harness.program import ir
from harness.program.lifter import lift
from harness.program.syntax.unparser import unparse
from tests.cases import cases


def lifted(expression: str) -> ir.Expr:
    """Return the node of an expression, as one of a list, since a literal that is assigned is an input."""
    program = lift(Response("p", "m", f"def solve():\n    a = b = c = d = 1\n    x = [{expression}, a]\n    return x"))
    statement = program.functions["solve"].body[1]
    assert isinstance(statement, ir.Assign)
    assert isinstance(statement.value, ir.Sequence)
    return statement.value.items[0]


LEAVES = st.one_of(
    st.sampled_from("abcd").map(lambda name: ast.Name(name, ast.Load())),
    st.integers(0, 10**20).map(ast.Constant),
    st.floats(0, 1e20, allow_subnormal=False).map(ast.Constant),
    st.sampled_from([True, None, "it's", 'a "word"', "{braces}", "both ' and \"", "line\nbreak"]).map(ast.Constant),
)
OPERATORS = [ast.Add(), ast.Sub(), ast.Mult(), ast.Div(), ast.FloorDiv(), ast.Mod(), ast.Pow()]


def combined(inner: st.SearchStrategy[ast.expr]) -> st.SearchStrategy[ast.expr]:
    """Build an expression of smaller ones."""
    several = st.lists(inner, min_size=2, max_size=3)
    comparisons = st.sampled_from([ast.Lt(), ast.GtE(), ast.Eq(), ast.NotEq()])
    store = st.sampled_from(["i", "j"]).map(lambda name: ast.Name(name, ast.Store()))
    generator = st.builds(ast.comprehension, store, inner, st.lists(inner, max_size=2), st.just(0))
    named = st.sampled_from(["max", "round", "f"]).map(lambda name: ast.Name(name, ast.Load()))
    keywords = st.lists(st.builds(ast.keyword, st.sampled_from(["ndigits", "key"]), inner), max_size=1)
    return st.one_of(
        st.builds(ast.BinOp, inner, st.sampled_from(OPERATORS), inner),
        st.builds(ast.UnaryOp, st.sampled_from([ast.USub(), ast.UAdd(), ast.Not()]), inner),
        st.builds(ast.BoolOp, st.sampled_from([ast.And(), ast.Or()]), several),
        st.builds(
            ast.Compare, inner, st.lists(comparisons, min_size=2, max_size=2), st.lists(inner, min_size=2, max_size=2)
        ),
        st.builds(ast.IfExp, inner, inner, inner),
        st.builds(ast.Call, named, several, keywords),
        st.builds(
            ast.Call, st.builds(ast.Attribute, inner, st.just("subs"), st.just(ast.Load())), several, st.just([])
        ),
        st.builds(ast.Subscript, inner, inner, st.just(ast.Load())),
        st.builds(ast.List, several, st.just(ast.Load())),
        st.builds(ast.Tuple, st.lists(inner, max_size=2), st.just(ast.Load())),
        st.builds(ast.ListComp, inner, st.lists(generator, min_size=1, max_size=1)),
        st.builds(
            lambda element, each: ast.Call(ast.Name("sum", ast.Load()), [ast.GeneratorExp(element, [each])], []),
            inner,
            generator,
        ),
    )


EXPRESSIONS = st.recursive(LEAVES, combined, max_leaves=12).map(
    lambda node: ast.unparse(ast.fix_missing_locations(node))
)


@given(EXPRESSIONS)
@settings(max_examples=400)
@example("(5).subs(a, b)")
@example("[a == None, max(a, 2)]")
@example("5 .subs(a, b) ** -c")
@example("0.00000000000000000000000000000123456789012345678901234567890")
def test_reading_what_is_written_gives_the_node_again(expression: str) -> None:
    """Reading the written text of any expression gives its node again."""
    node = lifted(expression)
    assert lifted(unparse(node)) == node


SPARE = """
a + b * c | (a + b) * c | a - b - c | a - (b - c) | a / b / c | a / (b * c) | a * (b / c) | a + (b + c)
a ** b ** c | (a ** b) ** c | -a ** b | (-a) ** b | a ** -b | 2 ** -1 | -(a + b) | -a * b | -(a * b) | --a
a - -b | +a | not a and b | not (a and b) | not a == b | (not a) == b | a or b and c | (a or b) and c
a < b <= c | (a < b) < c | a if b else c if d else a | (a if b else c) if d else a | a if (b if c else d) else a
(a if b else c) + d | a or b if c else d | max(a + b, c if d else a) | round(a / b, ndigits=2) | [a, b][0]
(a + b)[0] | (a,) | () | a[(b, c)] | [i * 2 for i in [a, b] if i > 1 if i < 3] | [i for i, j in a]
[i for i in (a if b else c)] | (5).subs(a, b) | 2.5.subs(a, b) | 2.50 | 0.125 | 100.0
True | None
"""
"""Expressions with no needless parentheses, between bars."""


@cases("expression", re.split(r" \| |\n", SPARE.strip()))
def test_no_parentheses_are_needless(expression: str) -> None:
    """A text that is written with as few parentheses as possible is written so again."""
    assert unparse(lifted(expression)) == expression.replace("2.50", "2.5")


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (ir.Input(3), "input_3"),
        (ir.Binary("**", ir.Const(-2), ir.Const(2)), "(-2) ** 2"),
        (ir.Binary("*", ir.Const(-2), ir.Const(2)), "-2 * 2"),
    ],
)
def test_nodes_that_no_source_gives(node: ir.Expr, text: str) -> None:
    """Inputs have no name, and negative constants bind like a sign."""
    assert unparse(node) == text
