"""Laws of answers that are stated: whatever is written around a literal, it is found, and no program that computes is taken for one."""

from random import Random

from harness.domain import Response
from harness.program.ir import Program
from harness.program.lifter import lift
from oracles.consensus.answer_inputs import is_literal
from tests.cases import cases, texts

QUESTION = "Tom has 6 bags of 7 apples and eats 8 of them. How many apples are left?"
STATED = (
    *texts("""return {value} | return {part} + {rest} | return {value} + 0 * bags | return {value} + 0 * 6
return {value} + 6 - 6 | return {value} * 7 / 7 if 6 > 0 else bags | return {value} + (bags - bags) * apples
return max({value}, {value}) if bags != bags else {value}"""),
    "left = {value}\n    return left",
    "left = {part}\n    left = left + {rest}\n    return left",
    "eaten = bags * apples - {dead}\n    return {value}",
    "if bags > 0 or bags <= 0:\n        return {value}\n    return apples",
)
COMPUTED = (
    *texts("""return bags * apples - eaten | return (bags - apples) / (eaten - apples)
return (bags + apples) / (bags + apples + eaten) | return 6 * 7 - 8 | return bags * 7 - 8 + 0
return {value} if bags == 6 else bags"""),
    "total = apples * bags\n    return total - eaten",
    "whole = 6 * apples  # {value}\n    return whole - eaten",
    "if apples > 5:\n        return bags * apples - eaten\n    return {value}",
)


def read(body: str, *, eaten: int, rng: Random) -> Program:
    """Return the program of a body, with numbers for its places."""
    value = rng.randrange(100, 900)
    part = rng.randrange(10, 90)
    text = body.format(value=value, part=part, rest=value - part, dead=rng.choice([6, 7, 8]))
    header = f"def solve(bags: int = 6, apples: int = 7, eaten: int = {eaten}):"
    return lift(Response("p", "a", f"{header}\n    {text}\n", "parametric"))


@cases("body", STATED)
def test_a_stated_answer_is_found(body: str) -> None:
    """A value that no number of the question changes is literal, whatever is computed beside it; a question without a number tells nothing."""
    assert not is_literal("How many apples are left?", read(body, eaten=8, rng=Random(0)))
    assert all(is_literal(QUESTION, read(body, eaten=8, rng=Random(seed))) for seed in range(10))


@cases("body", COMPUTED)
def test_a_computed_answer_is_none(body: str) -> None:
    """An answer that a number of the question changes, or is written in, is not literal."""
    assert not any(is_literal(QUESTION, read(body, eaten=8, rng=Random(seed))) for seed in range(10))
