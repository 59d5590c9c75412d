"""Tests of reworked solutions: the whole text follows the new values, or the solution is discarded with a reason."""

import pytest
from hypothesis import given, reject, settings, strategies as st

from generators.flaws.solution.source_solution import FlawSource
from generators.variants.values.solution_wording import (
    SolutionWording,
    StaleWordingError,
)
from harness.domain import Exact
from harness.equations.line_reader import read_line
from harness.program.refusal import ProgramError, Refusal
from harness.solution.solution_text import UnwritableError
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


def test_every_equation_must_still_hold() -> None:
    """`10 - 4 = 6` holds on to the 4."""
    second = "{given} - {boxes} = {pens}, so {total} - {given} = {left}."
    wording = SolutionWording(worded(CODE, "So {boxes} * {pens} = {total}.", second))
    assert wording.anew(with_inputs(wording.source, boxes=4)).solution
    with pytest.raises(StaleWordingError, match=r"L2: '10 - 5 = 6' is false"):
        wording.anew(with_inputs(wording.source, boxes=5))


@settings(max_examples=40)
@given(solutions(), st.data())
def test_random_solutions_follow_or_are_refused(source: FlawSource, data: st.DataObject) -> None:
    """What is written anew has true equations only, and the answer that evaluation gives."""
    name = data.draw(st.sampled_from([entry.variable for entry in source.inputs]))
    try:
        values = propagate(source.trace, name, data.draw(st.integers(2, 60))).values
        worked = SolutionWording(source).anew(values)
    except (Refusal, ProgramError, StaleWordingError, UnwritableError):
        reject()
    assert worked.answer == source.answer_form.write(values[source.final])
    for line in worked.solution.split("\n"):
        assert not read_line(line).false
        assert not [part for part in read_line(line).unread if part.claims]
