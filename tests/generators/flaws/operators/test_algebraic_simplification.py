"""Tests of algebra slips: they miss the solution of the equation and are made only where there is an equation."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from generators.flaws.knowledge.linear_equations import solves_for_unknown
from generators.flaws.operators.algebraic_simplification import algebraic_simplification
from generators.flaws.solution.example_solutions import example_source
from generators.flaws.solution.expression_value import value_of
from generators.flaws.solution.source_solution import FlawSource, source_of_trace
from harness.domain import Problem, Response
from harness.program.lifter import lift
from harness.program.syntax.unparser import unparse
from harness.solution.rendering import LineText
from harness.solution.solution_text import SolutionText
from harness.solution.trace import trace_program


def equation(code: str, lines: list[str]) -> FlawSource:
    """Return a source whose solution is given in words."""
    body = "\n".join(f"    {line}" for line in code.splitlines())
    last = code.splitlines()[-1].split("=")[0].strip()
    response = Response("e", "m", f"def solve():\n{body}\n    # FA\n    answer = {last}\n    return answer", "template")
    trace = trace_program(lift(response))
    text = SolutionText(
        tuple(LineText(f"L{number}", (line,)) for number, line in enumerate(lines, 1)), trace.values, frozenset(), ()
    )
    problem = Problem("e", "", "\n".join(lines), str(trace.answer.value))
    return source_of_trace(problem, "m", trace, text)


@given(st.integers(2, 12), st.integers(1, 60), st.integers(1, 80))
def test_no_slip_solves_the_equation(times: int, more: int, unknown: int) -> None:
    """For a x + b = c, what the mutants of the last two steps work out is not what they should."""
    total = times * unknown + more
    source = equation(
        f"# L1\ntotal = {total}\nmore = {more}\nrest = total - more\n# L2\ntimes = {times}\nx = rest / times",
        [
            f"{times}x + {more} = {total}, so {times}x = {total - more}.",
            f"Then {times}x = {total - more} gives x = {unknown}.",
        ],
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
    """X and 4 x are 5 x; forgetting the single one makes them 4 x."""
    source = example_source(
        "# L1\ntimes_more = 4\nparts = times_more + 1\n# L2\nall_cards = 35\nsmall = all_cards / parts"
    )
    assert [unparse(mutant.expression) for mutant in algebraic_simplification.mutants(source) if mutant.expression] == [
        "times_more"
    ]


@pytest.mark.parametrize(
    "code",
    [
        "# L1\nshoes = 45  # $45\nless = 17  # 17 less\nbag = shoes - less\n# L2\nquarter = 4  # a quarter of\nlunch = bag / quarter",
        "# L1\nfriends = 5  # 5 friends\npeople = 1 + friends\n# L2\nbill = 60  # $60\neach = bill / people",
    ],
)
def test_plain_arithmetic_has_no_unknown(code: str) -> None:
    """A difference that is divided, or one person and five, are no equation to be solved."""
    source = example_source(code)
    assert not any(solves_for_unknown(source, entry.variable) for entry in source.steps)
    assert not list(algebraic_simplification.mutants(source))
