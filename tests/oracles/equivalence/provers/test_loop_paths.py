"""Tests of loops whose length is open: their paths give what evaluation gives."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from harness.domain import Response
from harness.program.evaluation.evaluator import evaluate
from harness.program.lifter import lift
from harness.program.refusal import Refusal
from oracles.equivalence.provers.symbolic_paths import paths_of
from tests.cases import cases
from tests.oracles.equivalence.provers.term_values import path_at, path_value

SEED, COUNT = 3, 400
POINTS = [(a, b, c) for a in (-1, 0, 1, 2, 3, 7) for b in (-2, 0, 1, 2, 5) for c in (Fraction(1), Fraction(5, 2))]


def drawn_loop(random: Random) -> str:
    """Return a program with a loop over an open range, of which most have a closed form."""
    stop = random.choice(("a", "a", "b", "a - 1", "a + b", "a - b", "2 * a"))
    span = f"range({stop})" if random.random() < 0.6 else f"range({random.choice(('1', 'b', '-2'))}, {stop})"
    item = random.choice(("i", "i", "b"))
    body = random.choices(
        (
            "t += b",
            "t -= c / (b - 2)",
            "u = t / b",
            "u = c / 2\n        t += u",
            "t = t + a % 3",
            "t += 2 / (a - 1)",
            f"t += {item}",
            "t = t * 2",
            f"if {item} == 2:\n            break",
        ),
        weights=(4, 4, 2, 4, 4, 4, 1, 1, 1),
        k=random.randint(1, 2),
    )
    inner = "".join(f"        {line}\n" for line in body)
    loop = f"    for {item} in {span}:\n{inner}"
    if random.random() < 0.2:
        loop = "    for j in range(b):\n" + "".join(f"    {line}\n" for line in loop.splitlines())
    answer = random.choice(("t", "t", f"t + {item}", f"t * 2 - {item}", "t + b", "t + u"))
    return f"def solve(a: int = 3, b: int = 4, c: float = 2.5):\n    t = u = 0\n{loop}    return {answer}\n"


def test_paths_of_drawn_loops_give_what_evaluation_gives() -> None:
    """At every point, the path that a loop takes gives the value or the lack of one that running the loop gives."""
    random, wrong, outcomes = Random(SEED), [], Counter[str]()
    for _ in range(COUNT):
        text = drawn_loop(random)
        program = lift(Response("p", "m", text))
        try:
            paths = paths_of(program)
        except Refusal:
            outcomes["refused"] += 1
            continue
        outcomes["closed"] += 1
        for point in POINTS:
            path = path_at(paths, point)
            value = None if path is None else path_value(path, point)
            if value != evaluate(program, point).value:
                wrong.append((text, point, value))
    assert (wrong[:2], outcomes["closed"] > COUNT / 10, outcomes["refused"] > 0) == ([], True, True)


@cases(
    "body",
    [
        "for i in range(a):\n        if i >= 3:\n            break\n        t += b",
        "for i in range(a):\n        t += i",
        "for i in range(a):\n        t = t * 2",
        "for i in range(a):\n        b += 1\n        t += b",
        "for i in range(a):\n        t += b\n    t += i",
    ],
)
def test_loops_that_are_refused(body: str) -> None:
    """What depends on the round, or what only a round would compute, is not known for all lengths."""
    with pytest.raises(Refusal):
        paths_of(lift(Response("p", "m", f"def solve(a: int = 3, b: int = 4):\n    t = 0\n    {body}\n    return t\n")))
