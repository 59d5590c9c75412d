"""Tests of reworked solutions: the whole text follows the new values, or the solution is discarded with a reason."""

from generators.flaws.solution.source_solution import FlawSource
from generators.variants.values.solution_wording import SolutionWording
from harness.domain import Exact
from harness.solution.trace import propagate
from tests.generators.flaws.flaw_laws import CODE, worded

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
    wording = SolutionWording(source)
    assert wording.stale(with_inputs(source, boxes=5)) == "total: written 'two dozen' on L1"
    assert wording.stale(with_inputs(source, given=12)) is None


def test_what_one_number_told_cannot_part() -> None:
    """Where two variables have one value, the words may give the one's number to the other."""
    source = worded(CODE.replace("pens = 6 # 6", "pens = 4 # 4").replace("given = 10", "given = 9"), FIRST, SECOND)
    wording = SolutionWording(source)
    assert wording.stale(with_inputs(source, boxes=5)) == "boxes and pens were told by one number"
    assert wording.stale(with_inputs(source, boxes=5, pens=5)) is None
