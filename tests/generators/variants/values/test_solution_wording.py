"""Tests of reworked solutions: the whole text follows the new values, or the solution is discarded with a reason."""

import pytest
from hypothesis import given, reject, settings, strategies as st

from generators.flaws.solution.source_solution import FlawSource
from generators.variants.values.solution_wording import SolutionWording, StaleWordingError
from harness.domain import Exact
from harness.program.refusal import ProgramError, Refusal
from harness.solution.solution_text import UnwritableError, render_line
from harness.solution.trace import propagate
from tests.generators.flaws.flaw_laws import CODE, worded
from tests.generators.flaws.solution_strategies import solutions

FIRST = "There are {boxes} * {pens} = <<{boxes}*{pens}={total}>>{total} pens."
SECOND = "So {total} - {given} = <<{total}-{given}={left}>>{left} are left."


def with_inputs(source: FlawSource, **inputs: Exact) -> dict[str, Exact]:
    """Return the values of a solution that follow from other inputs."""
    trace = source.trace
    for name, value in inputs.items():
        trace = propagate(trace, name, value)
    return dict(trace.values)


def test_what_words_hold_cannot_change() -> None:
    """The refusal names the variable and the word."""
    source = worded(CODE, f"{FIRST} That is two dozen.", SECOND)
    with pytest.raises(StaleWordingError, match="total: written 'two dozen' on L1"):
        SolutionWording(source).anew(with_inputs(source, boxes=5))
    assert SolutionWording(source).anew(with_inputs(source, given=12)).answer == "12"


@settings(max_examples=40)
@given(solutions(), st.data())
def test_random_solutions_follow_or_are_refused(source: FlawSource, data: st.DataObject) -> None:
    """What is written anew has the answer that evaluation gives, and in each line the numbers of its variables."""
    name = data.draw(st.sampled_from([entry.variable for entry in source.inputs]))
    try:
        values = propagate(source.trace, name, data.draw(st.integers(2, 60))).values
        worked = SolutionWording(source).anew(values)
    except (Refusal, ProgramError, StaleWordingError, UnwritableError):
        reject()
    assert worked.answer == source.answer_form.write(values[source.final])
    for line, text in zip(worked.solution.split("\n"), source.text.lines, strict=True):
        assert line == render_line(text, values)
