"""The inputs and numbers that the answer of a program depends on, found by evaluation; names and comments do not count."""

from collections.abc import Sequence
from fractions import Fraction

from harness.domain import Exact
from harness.program import ir
from harness.program.evaluation.evaluator import SEARCH_STEPS, evaluate
from harness.program.refusal import Refusal
from harness.text.numbers import mentions
from oracles.equivalence.program_inputs import used_constants, used_inputs
from oracles.equivalence.program_rewrites import with_constant

NO_OUTCOME = "refused"
MOVES = ((2, 3, 1), (5, 7, 11))
"""By which the numbers of the question are moved: the factor of the first one, the factor of each place, and what is added for each.

Each number moves in another way: by one way for all, the ratio of two differences would not change.
"""


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
        before = _program_value(program, base) if depending != candidates else NO_OUTCOME
        if before != NO_OUTCOME:
            depending |= {index for index in candidates - depending if _has_effect(program, base, index, before)}
        elif base is given:
            return candidates
    return frozenset(depending)


def _has_effect(program: ir.Program, base: Sequence[Exact], index: int, before: Exact | str | None) -> bool:
    value = base[index]
    moved = (value + 1, value - 1, 3 * value + 2)
    return any(_program_value(program, [*base[:index], other, *base[index + 1 :]]) != before for other in moved)


def _program_value(program: ir.Program, inputs: Sequence[Exact]) -> Exact | str | None:
    """Return the value of a program, `None` where it raises, and NO_OUTCOME where it is not evaluated or takes too long."""
    try:
        return evaluate(program, inputs, most_steps=SEARCH_STEPS).value
    except Refusal:
        return NO_OUTCOME


def is_literal(question: str, program: ir.Program) -> bool:
    """Tell whether the answer of a program rests on no number of its question, as in `def solve(bags=6): return 42`.

    A number of the question counts where it is a constant or an input whose change changes the answer; `42 + 0 * 6` rests on no 6.
    A question without a number tells nothing, nor does a program without a value, or one of two other inputs at least (weekdays and weekends).
    """
    stated = {Fraction(reading) for mention in mentions(question) for reading in mention.readings}
    if not stated or any(_reaches_answer(program, value) for value in sorted(used_constants(program) & stated)):
        return False
    used = used_inputs(program)
    taken = {index for index in used if program.parameters[index].value in stated}
    given = [Fraction(parameter.value) for parameter in program.parameters]
    moved = (
        [
            value * (first + step * index) + more * (index + 1) ** 2 if index in taken else value
            for index, value in enumerate(given)
        ]
        for first, step, more in MOVES
    )
    try:
        answer = evaluate(program).value
        if answer is None or not taken:
            return answer is not None and len(used) < 2
        return all(evaluate(program, inputs).value == answer for inputs in moved)
    except Refusal:  # a program that fails for other numbers depends on them
        return False


def _reaches_answer(program: ir.Program, constant: Fraction) -> bool:
    """Tell whether the answer is another one, or none, with other numbers for a constant."""
    moved = (
        (constant.numerator + 1, 2 * constant.numerator + 3)
        if constant.denominator == 1
        else (constant / 3, constant + 1)
    )
    try:
        answer = evaluate(program).value
        return any(evaluate(with_constant(program, constant, other)).value != answer for other in moved)
    except Refusal:  # a program that fails for other numbers depends on them
        return True
