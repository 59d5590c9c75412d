"""The order of linear recurrences that loops of open length keep to; `test_attacks.py` has loops and their closed forms."""

from collections.abc import Callable
from random import Random

import pytest

from harness.domain import Response
from harness.program.lifter import read_candidate
from oracles.equivalence.provers.recurrences import recurrence_order

HEAD = "import math\ndef solve(n: int = 6, a: int = 3):\n"
RANGES = (
    "range(n)", "range(1, n + 1)", "range(n, 0, -1)", "range(0, 2 * n, 3)", "range(n, 3 * n)", "range(n, 0, -3)", "range(5)",
)  # fmt: skip
CHANGES = (
    "s = s + i", "t = t + 2", "s = 2 * s + 1", "s = s + t", "t = t - s + i", "s = i", "t = a * t", "s = s + n", "t = t + a * i",
)  # fmt: skip
TESTS = ("i % 2 == 0", "i % 3 < 2", "i % 2 == 1 or i % 3 == 0", "a > 2")


def program(body: str) -> str:
    """Return a formalization with a body."""
    return HEAD + "".join(f"    {line}\n" for line in body.split("\n"))


def python(code: str) -> Callable[[int, int], object]:
    """Return the function that Python makes of a formalization that this module wrote."""
    scope: dict[str, Callable[[int, int], object]] = {}
    exec(code, scope)  # code of this module
    return scope["solve"]


def loop(random: Random) -> str:
    """Write a loop whose body is linear but for tests that repeat."""
    lines = [f"s = {random.randint(0, 2)}", f"t = {random.choice(('0', '1', 'n', 'a'))}"]
    lines.append(f"for i in {random.choice(RANGES)}:")
    for _ in range(random.randint(1, 3)):
        change = f"    {random.choice(CHANGES)}"
        lines += [f"    if {random.choice(TESTS)}:", f"    {change}"] if random.random() < 0.4 else [change]
    return program("\n".join([*lines, f"return {random.choice(('s', 't', 's + t', 's * t'))}"]))


@pytest.mark.parametrize("count", [60, pytest.param(2_000, marks=pytest.mark.slow)])
def test_the_order_bounds_the_recurrence(count: int) -> None:
    """The answers of generated loops, run by Python, keep to a recurrence of the order that is claimed, for each value of the other input.

    By a theorem of Kronecker they do if and only if the Hankel matrix of that size is singular.
    """
    random, checked = Random(1), 0
    for _ in range(count):
        code = loop(random)
        read = read_candidate(Response("p", "m", code)).program
        assert read is not None
        order = recurrence_order(read, 0, 1)
        if order is None or order > 24:
            continue
        checked += 1
        solve, other = python(code), random.randint(1, 4)
        answers = [solve(n, other) for n in range(1, 2 * order + 2)]
        hankel = [[int(str(answers[row + column])) % PRIME for column in range(order + 1)] for row in range(order + 1)]
        assert is_singular(hankel), code
    assert checked > count / 10


PRIME = 2**61 - 1


def is_singular(matrix: list[list[int]]) -> bool:
    """Tell whether a matrix modulo a prime is singular."""
    size = len(matrix)
    for place in range(size):
        pivot = next((row for row in range(place, size) if matrix[row][place]), None)
        if pivot is None:
            return True
        matrix[place], matrix[pivot] = matrix[pivot], matrix[place]
        inverse = pow(matrix[place][place], -1, PRIME)
        for row in range(place + 1, size):
            factor = matrix[row][place] * inverse % PRIME
            for column in range(place, size):
                matrix[row][column] = (matrix[row][column] - factor * matrix[place][column]) % PRIME
    return False
