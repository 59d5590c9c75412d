"""Tests of wrong final answers: the answer is a result of the solution and a plausible mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings

from generators.flaws.operators.skipped_final_step import skipped_final_step
from generators.flaws.operators.wrong_final_answer import wrong_final_answer
from generators.flaws.solution.example_solutions import example_source
from tests.generators.flaws.solution_strategies import solutions

if TYPE_CHECKING:
    from generators.flaws.solution.source_solution import FlawSource

CODE = "# L1\nprice = 3  # $3\npens = 4  # 4 pens\ncost = price * pens\n# L2\nmore = 2  # 2 pens\nall_pens = pens + more\n# L3\n"


@settings(max_examples=60)
@given(solutions())
def test_a_wrong_answer_is_another_result(source: FlawSource) -> None:
    """The answer is any result of another value; where the last step is skipped, an earlier one."""
    results = {entry.variable: entry.value for entry in source.steps}
    for operator in (wrong_final_answer, skipped_final_step):
        for mutant in operator.mutants(source):
            assert mutant.result is not None
            assert results[mutant.result] != source.trace.answer.value
    assert all(mutant.omitted for mutant in skipped_final_step.mutants(source))
    assert not any(mutant.omitted for mutant in wrong_final_answer.mutants(source))


def test_money_is_not_taken_for_another_quantity() -> None:
    """Where hours are asked for, no amount of dollars becomes the answer."""
    source = example_source(f"{CODE}speed = 3  # 3 pens an hour\nhours = all_pens / speed")
    assert [mutant.result for mutant in wrong_final_answer.mutants(source)] == ["all_pens"]


def test_a_last_line_with_two_steps_is_not_left_out() -> None:
    """A last line with two steps is not left out, because both would be skipped."""
    source = example_source(f"{CODE}first = cost + price\nlast = first + price")
    assert not list(skipped_final_step.mutants(source))
