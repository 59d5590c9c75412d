"""Tests of algebra slips: they miss the solution of the equation and are made only where there is an equation."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from generators.flaws.knowledge.linear_equations import solves_for_unknown
from generators.flaws.operators.algebraic_simplification import algebraic_simplification
from generators.flaws.solution.example_solutions import example_source
from generators.flaws.solution.expression_value import value_of
from harness.program.syntax.unparser import unparse
from tests.generators.flaws.flaw_laws import worded


@given(st.integers(2, 12), st.integers(1, 60), st.integers(1, 80))
def test_no_slip_solves_the_equation(times: int, more: int, unknown: int) -> None:
    """For a x + b = c, the mutants of the last two steps compute wrong values."""
    total = times * unknown + more
    source = worded(
        f"# L1\ntotal = {total}\nmore = {more}\nrest = total - more\n# L2\ntimes = {times}\nx = rest / times\nreturn x",
        f"{times}x + {more} = {total}, so {times}x = {total - more}.",
        f"Then {times}x = {total - more} gives x = {unknown}.",
    )
    found = {
        (mutant.variable, unparse(mutant.expression))
        for mutant in algebraic_simplification.mutants(source)
        if mutant.expression
    }
    assert ("rest", "total + more") in found
    assert ("x", "total / times - more") in found
    for mutant in algebraic_simplification.mutants(source):
        assert mutant.expression is not None
        assert value_of(mutant.expression, source.values) != source.values[mutant.variable] or mutant.variable == "x"


def test_like_terms() -> None:
    """X and 4 x are 5 x; forgetting the single one makes them 4 x, taking it away 3 x."""
    source = example_source(
        "# L1\ntimes_more = 4\nparts = times_more + 1\n# L2\nall_cards = 35\nsmall = all_cards / parts"
    )
    assert [unparse(mutant.expression) for mutant in algebraic_simplification.mutants(source) if mutant.expression] == [
        "times_more",
        "times_more - 1",
    ]


@pytest.mark.parametrize(
    ("code", "made"),
    [
        (
            "# L1\nshoes = 45  # $45\nless = 17  # 17 less\nbag = shoes - less\n# L2\nquarter = 4  # a quarter of\nlunch = bag / quarter",
            ["shoes / quarter - less"],
        ),
        (
            "# L1\nfriends = 5  # 5 friends\npeople = 1 + friends\n# L2\nbill = 60  # $60\neach = bill / people",
            [],
        ),
    ],
)
def test_plain_arithmetic_has_no_unknown(code: str, made: list[str]) -> None:
    """A difference that is divided, or one person and five, are no equation to be solved; of the former one term may be divided alone."""
    source = example_source(code)
    assert not any(solves_for_unknown(source, entry.variable) for entry in source.steps)
    assert [
        unparse(mutant.expression) for mutant in algebraic_simplification.mutants(source) if mutant.expression
    ] == made
