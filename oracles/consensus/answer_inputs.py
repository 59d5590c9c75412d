"""The inputs of a program that its answer depends on, found by evaluation; names and comments do not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.program.evaluation.evaluator import evaluate
from harness.program.refusal import Refusal
from oracles.equivalence.used_inputs import used_inputs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.domain import Exact
    from harness.program import ir

MOST_STEPS = 3_000
"""The most steps for which a program is evaluated."""
NO_OUTCOME = "refused"


def answer_inputs(program: ir.Program) -> frozenset[int]:
    """Return the inputs, by index, whose change changes the answer of a program or leaves it without one.

    Each input is moved alone, to a number beside its own on either side and to one far off, from the given inputs and from others that are all larger;
    the new numbers follow from the values alone. Programs that compute the same from the same inputs depend on the same
    ones, however they are written. An input whose effect shows nowhere there is missed. Of a program that takes too
    long, all inputs that can reach the answer are returned.
    """
    given: list[Exact] = [parameter.value for parameter in program.parameters]
    candidates = used_inputs(program)
    depending: set[int] = set()
    for base in (given, [value * value + value + 1 for value in given]):
        before = _outcome(program, base) if depending != candidates else NO_OUTCOME
        if before != NO_OUTCOME:
            depending |= {index for index in candidates - depending if _has_effect(program, base, index, before)}
        elif base is given:
            return candidates
    return frozenset(depending)


def _has_effect(program: ir.Program, base: Sequence[Exact], index: int, before: Exact | str | None) -> bool:
    value = base[index]
    moved = (value + 1, value - 1, 3 * value + 2)
    return any(_outcome(program, [*base[:index], other, *base[index + 1 :]]) != before for other in moved)


def _outcome(program: ir.Program, inputs: Sequence[Exact]) -> Exact | str | None:
    """Return the value of a program, `None` where it raises, and NO_OUTCOME where it is not evaluated or takes too long."""
    try:
        return evaluate(program, inputs, most_steps=MOST_STEPS).value
    except Refusal:
        return NO_OUTCOME
