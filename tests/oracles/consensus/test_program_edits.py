"""Laws of what is read of a program for `p_right`: no edit that keeps what it computes changes its form, nor the inputs that it depends on."""

from collections.abc import Callable
from random import Random

from hypothesis import given, strategies as st

from harness.domain import Response
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import lift
from oracles.consensus.answer_inputs import answer_inputs
from oracles.consensus.program_forms import program_form
from tests.oracles.consensus.edited_programs import EDITS, edited, written
from tests.oracles.equivalence.planted.sketches import Sketch, with_step

SEEDS = st.integers(0, 10**9)


def values_of_inputs(program: Sketch) -> list[int]:
    """Return the values of the inputs that the answer depends on, sorted."""
    own = lift(Response("p", "a", program.code(), "parametric"))
    return sorted(int(own.parameters[index].value) for index in answer_inputs(own))


def form_of(program: Sketch) -> str | None:
    """Return the form of a program."""
    return program_form(lift(Response("p", "a", program.code(), "parametric")))


def value_of(program: Sketch) -> object:
    """Return what a program gives."""
    return evaluate(lift(Response("p", "a", program.code(), "parametric"))).value


@given(st.one_of(st.just(edited), st.sampled_from(EDITS)), SEEDS)
def test_edits_keep_form_and_inputs(edit: Callable[[Sketch, Random], Sketch], seed: int) -> None:
    """Each edit, and several one after the other, keep the value, the form and the values of the inputs that the answer depends on."""
    before = written(Random(seed))
    after = edit(before, Random(seed + 1))
    assert (value_of(after), form_of(after), values_of_inputs(after)) == (
        value_of(before),
        form_of(before),
        values_of_inputs(before),
    ), after.code()


@given(SEEDS)
def test_another_operation_is_another_form(seed: int) -> None:
    """A program that takes a sum for a product somewhere has another form."""
    before = written(Random(seed))
    left, operator, right = before.steps[0].text.split()
    after = with_step(before, 0, f"{left} {'-' if operator == '+' else '+'} {right}")
    assert form_of(after) != form_of(before)
